import { tmpdir } from "node:os";
import { join } from "node:path";
import { projectPaths } from "../../lib/toolchain/project-paths.ts";
import type { Step } from "./step.ts";
import { cargoCounts, pytestCounts, vitestCounts } from "./step-counts.ts";

/** A script of the tests. */
export function script(name: string, file: string): Step {
  return { name, command: process.execPath, args: ["--import", "tsx", join("test", file)] };
}

/** A tool of the Python environment. */
export function pythonTool(
  name: string,
  tool: string,
  args: readonly string[],
  cwd: string = projectPaths.python,
): Step {
  return { name, command: join(projectPaths.venvBin, tool), args, cwd };
}

export function pytest(name: string, cwd?: string): Step {
  return { ...pythonTool(name, "pytest", ["-q"], cwd), counts: pytestCounts };
}

export function cargo(name: string, args: readonly string[]): Step {
  return { name, command: "cargo", args, cwd: projectPaths.rust };
}

/**
 * Lint and tests in one: clippy compiles in the compiler's place, as `cargo clippy` has it do, so that
 * the hundreds of crates below are compiled once and not for each. Warnings are errors.
 */
export function clippyAndTests(name: string): Step {
  const args = ["test", "--locked", "--workspace", "--all-targets", "--no-fail-fast"];
  const environment = {
    RUSTC_WORKSPACE_WRAPPER: "clippy-driver",
    CLIPPY_ARGS: ["-D", "warnings"].join("__CLIPPY_HACKERY__"),
  };
  return { ...cargo(name, args), environment, counts: cargoCounts };
}

/** One project of vitest.config.ts. */
export function vitest(project: string): Step {
  const json = join(tmpdir(), `kelvin-vitest-${process.pid}-${project}.json`);
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${json}`];
  return {
    name: `tests (TypeScript, ${project})`,
    command: "npx",
    args: ["vitest", "run", "--project", project, ...reporters],
    counts: () => vitestCounts(json),
  };
}
