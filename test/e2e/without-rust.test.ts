import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { projectPaths } from "../../lib/toolchain/project-paths.ts";
import { preparePythonVenv } from "../../lib/toolchain/python.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { type Ended, startKelvin } from "./support/kelvin-process.ts";
import { json, samplesIn } from "./support/local-run.ts";
import { pathWithoutRust } from "./support/path-without-rust.ts";

const folder = temporaryFolder();
const environment = { PATH: pathWithoutRust(), CI: "" };

beforeAll(() => preparePythonVenv());

describe("on a machine without Rust", () => {
  it("Python's part of compute is measured and reported, with no floor", async () => {
    const out = join(folder, "python");
    const words = ["--experiment", "compute", "--variants", "python", "--memory", "1769"];
    const small = ["--cold", "2", "--warm", "4", "--seed", "1", "--out", out];
    const { code, stdout, stderr } = await startKelvin(["local", ...words, ...small], environment)
      .ended;
    expect(code, stderr).toBe(0);
    expect(stdout).toContain("How sure: n = ");
    expect(await samplesIn(out)).toHaveLength(2 * 2 + 3 * 4);
    expect(json(out, "manifest.json")).not.toHaveProperty("floor");
    expect(json(out, "manifest.json").versions).not.toHaveProperty("rustc");
    const report = readFileSync(join(out, "report-full.md"), "utf8");
    expect(report).toContain("Only Python was measured");
    expect(report).toContain("The cost of the host itself was not measured in this run");
  });

  describe("what a reader at a terminal sees of npm run bench", () => {
    let ended: Ended;
    beforeAll(async () => {
      const program =
        "import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))";
      const terminal = ["python3.13", "-c", program];
      ended = await startKelvin(["local", "--seed", "1"], environment, terminal).ended;
    });
    afterAll(() => {
      const [, run = ""] = /^Report: (runs\/\S+)\/report\.html/m.exec(ended.stdout) ?? [];
      if (run !== "") rmSync(join(projectPaths.root, run), { recursive: true });
    });

    it("is Python alone at once, then what Rust would add, and the code of a part", () => {
      expect(ended.stdout).toMatch(/^Rust: found none; measures Python alone/);
      expect(ended.stdout).toMatch(/warm \w+, ms.*How sure: n = .*report\.html/s);
      expect(ended.stdout).toMatch(
        /\(also report\.md, summary\.json\)\s+Rust: found none\. .*https:\/\/rustup\.rs/s,
      );
      expect(ended.code).toBe(3);
    });
  });
});
