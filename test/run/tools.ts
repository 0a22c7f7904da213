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
 * What the tests compile beside each package's defaults: the variants without an SDK, and those over DynamoDB's. What has no tests and stands
 * on dependencies that no tested crate has (S3's SDK, its server, dynoxide) is linted as it is built for the end-to-end
 * tests, and its dependencies are compiled once.
 */
const testedFeatures = [
  ...["compute/lambda-runtime", "compute/runtime-api"],
  ...["first-request/by-hand", "first-request/fast", "first-request/ring"],
];

/** For a command that builds: clippy goes over what it compiles of the workspace, warnings being errors. */
export const lintedAsBuilt = {
  CARGO_BUILD_RUSTC_WRAPPER: join(import.meta.dirname, "lint-beside-rustc.sh"),
} as const;

const everyCrate = [
  ...["test", "--locked", "--workspace", "--tests", "--no-fail-fast"],
  ...["--exclude", "emulators-http", "--features", testedFeatures.join(",")],
];
const byClippy = {
  RUSTC_WORKSPACE_WRAPPER: "clippy-driver",
  CLIPPY_ARGS: ["-D", "warnings"].join("__CLIPPY_HACKERY__"),
};

/**
 * Lint, and the build of the tests, in one: clippy compiles in the compiler's place, as `cargo clippy` has it
 * do, so that the hundreds of crates below are compiled once and not for each. Warnings are errors. It takes what
 * the other steps leave of the cores: none of them waits for it.
 */
export function clippy(name: string): Step {
  const { command, args, ...step } = cargo(name, [...everyCrate, "--no-run"]);
  return { ...step, environment: byClippy, command: "nice", args: ["-n", "19", command, ...args] };
}

/** What clippy has built. */
export function rustTests(name: string): Step {
  return { ...cargo(name, everyCrate), environment: byClippy, counts: cargoCounts };
}

/** Files of one project of vitest.config.ts; all of them where none is named. */
export function vitest(project: string, files: readonly string[] = []): Step {
  const json = join(tmpdir(), `kelvin-vitest-${process.pid}-${project}.json`);
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${json}`];
  return {
    name: `tests (TypeScript, ${project})`,
    command: "npx",
    args: ["vitest", "run", "--project", project, ...reporters, ...files],
    counts: () => vitestCounts(json),
  };
}
