import { tmpdir } from "node:os";
import { join } from "node:path";
import { spelt } from "../bin/progress.ts";
import { projectPaths } from "../lib/toolchain/project-paths.ts";
import { runCommand } from "../lib/toolchain/run-command.ts";
import { type Counts, cargoCounts, pytestCounts, vitestCounts } from "./step-counts.ts";

// `npm test`: every check and every test of the three languages, and a last line of what they came to.

interface Step {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  /** Beside the caller's. */
  readonly environment?: Readonly<Record<string, string>>;
  /** What the step counts, from what it printed; a step without it counts as one. */
  readonly counts?: (lines: readonly string[]) => Counts;
}

const vitestJson = join(tmpdir(), `kelvin-vitest-${process.pid}.json`);
/** From lambdas/python, where its tools run. */
const pythonFolders = [".", join(projectPaths.root, "test", "support")];
const plugin = join(projectPaths.root, "test", "support", "localemu");
const venv = (tool: string) => join(projectPaths.venvBin, tool);

const setUp: Step = { name: "set-up", command: "npm", args: ["run", "--silent", "setup"] };

/** Goes on beside the checks. */
const fetching: Step = {
  name: "emulators and linters for the end-to-end tests",
  command: process.execPath,
  args: ["--import", "tsx", join("test", "prepare-e2e.ts")],
};

/** What fails soon comes first. */
const checks: readonly Step[] = [
  { name: "lint and format (TypeScript)", command: "npx", args: ["biome", "check", "."] },
  { name: "types (TypeScript)", command: "npx", args: ["tsc"] },
  python("lint (Python)", "ruff", ["check", ...pythonFolders]),
  python("format (Python)", "ruff", ["format", "--check", ...pythonFolders]),
  python("types (Python)", "mypy", []),
  python("types (the emulator's plugin)", "mypy", [], plugin),
  rust("format (Rust)", ["fmt", "--check"]),
  vitest("unit"),
  { ...python("tests (Python)", "pytest", ["-q"]), counts: pytestCounts },
  { ...python("tests (the emulator's plugin)", "pytest", ["-q"], plugin), counts: pytestCounts },
  rustTests(),
];

let passed = 0;
let failed = 0;
add(await run(setUp));
const heldLines: string[] = [];
const fetched = run(fetching, (line) => void heldLines.push(line));
for (const step of checks) add(await run(step));
add(await fetched);
for (const line of heldLines) print(line);
// Its tests take times: nothing goes on beside them.
add(await run(vitest("e2e*")));
print(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

function add(counts: Counts): void {
  passed += counts.passed;
  failed += counts.failed;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function run(step: Step, say: (line: string) => void = print): Promise<Counts> {
  const startedMs = performance.now();
  const lines: string[] = [];
  say(`\n== ${step.name}`);
  const onLine = (line: string) => {
    lines.push(line);
    say(line);
  };
  const env = { ...process.env, ...step.environment };
  const options = { onLine, env, cwd: step.cwd ?? projectPaths.root };
  const ended = await runCommand(step.command, step.args, options).then(
    () => true,
    (error: Error) => {
      say(error.message.split("\n")[0] ?? "");
      return false;
    },
  );
  const counts = step.counts?.(lines) ?? { passed: Number(ended), failed: Number(!ended) };
  // A runner that ended badly without a failed test, or counted nothing, did not pass.
  const isSound = ended ? counts.passed > 0 : counts.failed > 0;
  const whole = isSound ? counts : { passed: counts.passed, failed: counts.failed + 1 };
  const took = spelt(performance.now() - startedMs);
  say(`-- ${step.name}: ${whole.passed} passed, ${whole.failed} failed in ${took}`);
  return whole;
}

function python(
  name: string,
  tool: string,
  args: readonly string[],
  cwd: string = projectPaths.python,
): Step {
  return { name, command: venv(tool), args, cwd };
}

function rust(name: string, args: readonly string[]): Step {
  return { name, command: "cargo", args, cwd: projectPaths.rust };
}

/**
 * Lint and tests in one: clippy compiles in the compiler's place, as `cargo clippy` has it do, so that
 * the hundreds of crates below are compiled once and not for each. Warnings are errors.
 */
function rustTests(): Step {
  const args = ["test", "--locked", "--workspace", "--all-targets", "--no-fail-fast"];
  const environment = {
    RUSTC_WORKSPACE_WRAPPER: "clippy-driver",
    CLIPPY_ARGS: ["-D", "warnings"].join("__CLIPPY_HACKERY__"),
  };
  return { ...rust("lint and tests (Rust)", args), environment, counts: cargoCounts };
}

function vitest(project: string): Step {
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${vitestJson}`];
  return {
    name: `tests (TypeScript, ${project})`,
    command: "npx",
    args: ["vitest", "run", "--project", project, ...reporters],
    counts: () => vitestCounts(vitestJson),
  };
}
