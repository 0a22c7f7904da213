import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { Manifest } from "../../lib/contract/types/contract.ts";
import { projectPaths } from "../../lib/toolchain/project-paths.ts";
import { shellCommands } from "../support/shell-commands.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { cloneRepository, sharedRustBuilds, shareFolders } from "./support/clone.ts";

const document = readFileSync(join(projectPaths.root, "docs", "adding-an-experiment.md"), "utf8");

/** The document's code blocks: language, what stands behind it, and the text. */
const blocks = [...document.matchAll(/^```(\w+) ?(\S*)\n([\s\S]*?)^```$/gm)].map(
  ([, language = "", path = "", text = ""]) => ({ language, path, text }),
);
const newFiles = blocks.filter(({ path }) => path !== "");
const edits = blocks.filter(({ language }) => language === "diff");
const commands = shellCommands(document);

const copy = join(temporaryFolder(), "kelvin");
beforeAll(() => {
  cloneRepository(copy);
  shareFolders(copy, "node_modules", ".venv");
  for (const { path, text } of newFiles) {
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    writeFileSync(join(copy, path), text);
  }
  const apply = ["apply", "-"];
  for (const { text } of edits) execFileSync("git", apply, { cwd: copy, input: text });
});

/** A command of the document, in the copy, with what is built here already. */
function run(command: string, ...more: readonly string[]): string {
  const [program = "", ...args] = command.split(" ");
  const env = { ...process.env, ...sharedRustBuilds, NO_COLOR: "1" };
  return execFileSync(program, [...args, ...more], { cwd: copy, encoding: "utf8", env });
}

const commandOf = (pattern: RegExp) => {
  const found = commands.find((command) => pattern.test(command));
  if (found === undefined) throw new Error(`the document has no command like ${pattern}`);
  return found;
};

describe("an experiment that is added as the document says", () => {
  it("keeps the contract, the types and the lint rules", () => {
    run(commandOf(/ generate$/));
    run(commandOf(/ check$/));
  });

  it("is planned", () => {
    const plan = run(commandOf(/ plan /));
    expect(plan).toMatch(/joined/);
    expect(plan).toMatch(/^cost +about \$\d/m);
  });

  it("is run on this machine, and reported with a ratio of its variants", () => {
    const printed = run(commandOf(/ bench /), "--json");
    const { folder, manifest } = JSON.parse(printed.slice(printed.indexOf("{"))) as {
      readonly folder: string;
      readonly manifest: Manifest;
    };
    expect(manifest.status).toBe("complete");
    expect(manifest.counts.rejected).toEqual({ "warm-up": expect.any(Number) });
    const report = readFileSync(join(copy, folder, "report-full.md"), "utf8");
    expect(report).toMatch(/^# Text: joined against added$/m);
    expect(report).toMatch(/Added one by one.*\d\.\d+ \[\d/);
  });

  it("has touched no protocol, no statistics, no stack and no report", () => {
    const touched = [
      ...newFiles.map(({ path }) => path),
      ...edits.flatMap(({ text }) =>
        [...text.matchAll(/^\+\+\+ b\/(.*)$/gm)].map(([, path]) => path),
      ),
    ];
    expect(touched.length).toBeGreaterThan(5);
    for (const path of touched) {
      expect(path).toMatch(
        /^(lib\/experiments\/(text\/|catalogue)|lib\/contract\/schemas|lambdas\/python)/,
      );
    }
  });
});
