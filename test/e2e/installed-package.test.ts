import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { formatReport } from "../../lib/sampler/telemetry.ts";
import { projectPaths } from "../../lib/toolchain/project-paths.ts";

/** Where nothing of the repository is. */
const folder = mkdtempSync(join(tmpdir(), "kelvin-installed-"));
const kelvinPath = join(folder, "node_modules", ".bin", "kelvin");
/** Neither tsx nor what npm would hand down of the repository it is called in. */
const env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(npm_|NODE_|VITEST)/i.test(name)),
);
const npm = (...words: readonly string[]) => execFileSync("npm", words, { cwd: folder, env });

function kelvin(...words: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(kelvinPath, words, {
    cwd: folder,
    env,
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

/** A log as `aws logs tail` prints it, of warm calls that take `factor` times as long. */
function writeLog(name: string, factor: number): void {
  const lines = Array.from({ length: 200 }, (_, index) => {
    const stream = `2026/01/05/[$LATEST]${String(index % 20).padStart(32, "0")}`;
    const init = index < 20 ? { initDurationMs: 100 + index } : {};
    const telemetry = { durationMs: factor * (10 + (index % 7)), memorySizeMb: 128, ...init };
    return `2026-01-05T10:00:00+00:00 ${stream} ${formatReport(`${name}-${index}`, telemetry)}`;
  });
  writeFileSync(join(folder, name), lines.join("\n"));
}

beforeAll(() => {
  const words = ["--pack-destination", folder, "--loglevel", "error"];
  execFileSync("npm", ["pack", ...words], { cwd: projectPaths.root, env });
  const [tarball = ""] = readdirSync(folder).filter((name) => name.endsWith(".tgz"));
  writeFileSync(join(folder, "package.json"), '{"private":true}');
  npm(
    "install",
    "--prefer-offline",
    "--no-audit",
    "--no-fund",
    "--loglevel",
    "error",
    `./${tarball}`,
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the package that npm pack makes", () => {
  it("has the command line and what it reads, and no source, test or tool of the repository", () => {
    const installed = join(folder, "node_modules", "kelvin");
    const { version, files } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
    expect(files).toContain("dist/bin");
    for (const name of ["lib", "test", "bench", "node_modules"]) {
      expect(existsSync(join(installed, name)), name).toBe(false);
    }
    for (const name of ["tsx", "esbuild", "aws-cdk-lib", "echarts"]) {
      expect(existsSync(join(folder, "node_modules", name)), name).toBe(false);
    }
    expect(kelvin("--version")).toMatchObject({ status: 0, stdout: `${version}\n` });
    expect(kelvin("--help").stdout).toContain("kelvin import FILE...");
  });

  it("imports, reports, compares, exports and plans under Node.js alone, with runs where it is called", () => {
    writeLog("before.log", 1);
    writeLog("after.log", 1.5);
    const words = ["--variant", "f", "--architecture", "arm64", "--region", "eu-west-1"];
    for (const name of ["before", "after"]) {
      const { status, stderr } = kelvin("import", `${name}.log`, ...words, "--out", `runs/${name}`);
      expect(status, stderr).toBe(0);
    }
    expect(kelvin("report", "runs/after").stdout).toContain("report.html");
    const { status, stdout } = kelvin("compare", "runs/before", "runs/after", "--markdown", "-");
    expect(status).toBe(1);
    expect(stdout).toMatch(/^### Of \d+ series of both runs: \d+ slower, at most 1\.50 \[/);
    expect(kelvin("export", "runs/after").stdout.split("\n")).toHaveLength(202);
    const metrics = JSON.parse(kelvin("export", "runs/after", "--format", "bencher").stdout);
    expect(Object.keys(metrics)).toContain("imported/f-arm64-128/warm/invoke");
    expect(kelvin("plan").stdout).toContain("USD");
    expect(kelvin("import", "before.log", ...words).status).toBe(0);
    expect(readdirSync(join(folder, "runs"))).toHaveLength(3);
  });

  it.each(["local", "setup", "doctor", "deploy"])(
    "says where kelvin %s is to be had",
    (command) => {
      const { status, stderr } = kelvin(command);
      expect(status).toBe(2);
      expect(stderr).toContain(`clone it, then run npm ci and npm run kelvin -- ${command}`);
    },
  );
});
