import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import cpuSeconds from "../../bench/cpu-seconds.json" with { type: "json" };
import packageJson from "../../package.json" with { type: "json" };
import { shellCommands } from "../support/shell-commands.ts";

const root = join(import.meta.dirname, "..", "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const readme = read("README.md");
const guides = ["running-locally", "deploying", "reading-a-report"].map((name) =>
  read(`docs/${name}.md`),
);

/** Each command of a guide, or in the README's sentences, and what a test or CI runs of it. */
const ranBy: Readonly<Record<string, readonly [file: string, text: string]>> = {
  "npm ci": [".ci/run", "npm ci"],
  "npm test": [".ci/run", "npm test"],
  "npm run setup": ["test/run.ts", '"setup"'],
  "npm run bench": ["test/e2e/support/kelvin-process.ts", "bin/kelvin.ts"],
  "npm run bench -- --experiment first-request": [
    "test/e2e/first-request-run.test.ts",
    "first-request",
  ],
  "npm run bench -- --experiment all": [
    "test/e2e/all-experiments.test.ts",
    '"--experiment", "all"',
  ],
  "npm run bench:first-request": ["test/e2e/first-request-bench.test.ts", "bench/first-request.ts"],
  "npm run bench:instructions": ["test/e2e/instructions-bench.test.ts", "bench/instructions.ts"],
  "npm run bench:micro -- --run runs/<runId>": [
    "studies/emulators/test/bench/micro.test.ts",
    "studies/emulators/bench/micro.ts",
  ],
  "npm run study:coverage": ["test/e2e/coverage-study.test.ts", "bench/coverage-study.ts"],
  "npm run kelvin -- compare runs/<before> runs/<after>": ["test/bin/compare.test.ts", "compare("],
  "npm run kelvin -- export runs/<runId>": ["test/docs/data.test.ts", "exportRun("],
  "npm run kelvin -- import FILE... --architecture arm64": [
    "test/bin/import.test.ts",
    "importRun(",
  ],
  "npm run bench -- --until-precision 5%": ["test/bin/stopping-looks.test.ts", "untilPrecision"],
  "npm run bench -- --help": ["test/bin/command-line.test.ts", '"--help"'],
  "npm run bench -- --resume runs/<runId>": ["test/e2e/all-experiments.test.ts", '"--resume"'],
  "npm run check": ["test/run.ts", "biome"],
  "npm run test:unit": ["test/run.ts", 'vitest("unit")'],
  "npm run test:e2e": ["test/run.ts", 'vitest("e2e-deploy")'],
  "npm run kelvin -- doctor": ["test/bin/doctor.test.ts", '"doctor"'],
  "npm run kelvin -- plan": ["test/bin/command-line.test.ts", '"plan"'],
  "npx cdk bootstrap": ["test/e2e/deploy-localemu.test.ts", "/ cdk bootstrap$/"],
  "npm run kelvin -- deploy": ["test/e2e/deploy-localemu.test.ts", "/ deploy$/"],
  "npm run kelvin -- run": ["test/e2e/deploy-localemu.test.ts", "/ run$/"],
  "npm run kelvin -- destroy": ["test/e2e/deploy-localemu.test.ts", "/ destroy$/"],
  "npx cdk destroy": ["test/e2e/deploy-ministack.test.ts", '"destroy"'],
  "npx cdk deploy": ["test/e2e/deploy-ministack.test.ts", '"deploy"'],
  "npx tsx bin/kelvin.ts fetch --bucket NAME": ["test/e2e/deploy-localemu.test.ts", '"fetch"'],
  "npm pack": ["test/e2e/installed-package.test.ts", '"pack"'],
  "npm run build:services": ["test/e2e/services-package.test.ts", "packServices("],
  "npm install --global": ["test/e2e/installed-package.test.ts", '"--prefer-offline"'],
  "npm run kelvin -- report runs/<runId>": ["test/e2e/killed-run.test.ts", '"report"'],
};

const inSentences = (markdown: string) =>
  [...markdown.matchAll(/`((?:npm|npx) [^`]+)`/g)].map(([, command = ""]) => command);

describe("the README", () => {
  // Those in its blocks are run by test/e2e/deploy-localemu.test.ts, in their order.
  const commands = [...guides.flatMap(shellCommands), ...[readme, ...guides].flatMap(inSentences)];
  it.each([...new Set(commands)])(
    "has, like its guides, no command that no test runs: %s",
    (command) => {
      const [file = "", text = ""] = ranBy[command] ?? [];
      expect(file, "name the test that runs it").not.toBe("");
      expect(read(file)).toContain(text);
    },
  );

  it("is short enough for a stranger, and leads to what it leaves out", () => {
    expect(readme.trimEnd().split("\n").length).toBeLessThanOrEqual(90);
    const index = read("docs/README.md");
    const listed = [...index.matchAll(/\]\(([^)]+)\)/g)].map(([, path = ""]) => path);
    for (const path of listed) expect(existsSync(join(root, "docs", path)), path).toBe(true);
    const documents = readdirSync(join(root, "docs")).filter((name) => /\.md$/.test(name));
    for (const name of documents) expect(["README.md", ...listed]).toContain(name);
    for (const [, path = ""] of readme.matchAll(/\]\((?!https?:)([^)]+)\)/g)) {
      expect(existsSync(join(root, path)), path).toBe(true);
    }
  });

  it("names the package as it is packed, and says on a line of its own that no account has run it", () => {
    expect(readme).toContain(`./kelvin-${packageJson.version}.tgz`);
    expect(readme.split("\n")).toContain("**Not yet run on a real AWS account.**");
  });

  it("says how long the first bench of a new clone took, to the minute", () => {
    const bench = cpuSeconds.find(({ command }) => command === "npm ci && npm run bench");
    const minutes = ((bench?.after.wallSeconds ?? Number.NaN) / 60).toFixed(0);
    expect(readme.replaceAll(/\s+/g, " ")).toContain(
      `On two cores, the first \`bench\` takes about ${minutes} minutes`,
    );
  });

  it("counts the figures found afterwards as docs/prediction.md does", () => {
    const page = readFileSync(join(root, "docs/prediction.md"), "utf8");
    const [, figures, authors, held] = /^\| all \| (\d+) \| (\d+) \| (\d+) of /m.exec(page) ?? [];
    expect(readme.replaceAll(/\s+/g, " ")).toContain(
      `of ${figures} figures that ${authors} authors published and we found only afterwards, ${held} lie within`,
    );
  });

  it("shows a picture that is there", () => {
    for (const [, path = ""] of readme.matchAll(/!\[[^\]]*\]\(([^)]+)\)/g)) {
      const png = readFileSync(join(root, path));
      expect(png.subarray(1, 4).toString()).toBe("PNG");
      expect(png.length).toBeLessThan(300_000);
    }
  });
});
