import { readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spelt } from "../bin/progress.ts";
import { projectPaths } from "../lib/toolchain/project-paths.ts";
import { runCommand } from "../lib/toolchain/run-command.ts";

// `npm test`: every check and every test of the three languages, and a last line of what they came to.

interface Counts {
  readonly passed: number;
  readonly failed: number;
}

interface Step {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  /** What the step counts, from what it printed; a step without it counts as one. */
  readonly counts?: (lines: readonly string[]) => Counts;
}

const vitestJson = join(tmpdir(), `kelvin-vitest-${process.pid}.json`);
/** From lambdas/python, where its tools run. */
const pythonFolders = [".", join(projectPaths.root, "test", "support")];
const plugin = join(projectPaths.root, "test", "support", "localemu");
const venv = (tool: string) => join(projectPaths.venvBin, tool);

const clippy = "clippy --locked --workspace --all-targets -- -D warnings".split(" ");

/** What fails soon comes first. */
const steps: readonly Step[] = [
  { name: "set-up", command: "npm", args: ["run", "--silent", "setup"] },
  { name: "lint and format (TypeScript)", command: "npx", args: ["biome", "check", "."] },
  { name: "types (TypeScript)", command: "npx", args: ["tsc"] },
  python("lint (Python)", "ruff", ["check", ...pythonFolders]),
  python("format (Python)", "ruff", ["format", "--check", ...pythonFolders]),
  python("types (Python)", "mypy", []),
  python("types (the emulator's plugin)", "mypy", [], plugin),
  rust("format (Rust)", ["fmt", "--check"]),
  vitest("unit*"),
  { ...python("tests (Python)", "pytest", ["-q"]), counts: pytestCounts },
  { ...python("tests (the emulator's plugin)", "pytest", ["-q"], plugin), counts: pytestCounts },
  { ...rust("tests (Rust)", ["test", "--locked", ...testedCrates()]), counts: cargoCounts },
  rust("lint (Rust)", clippy),
  vitest("e2e*"),
];

let passed = 0;
let failed = 0;
for (const step of steps) {
  const counts = await run(step);
  passed += counts.passed;
  failed += counts.failed;
}
process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;

async function run(step: Step): Promise<Counts> {
  const startedMs = performance.now();
  const lines: string[] = [];
  process.stdout.write(`\n== ${step.name}\n`);
  const onLine = (line: string) => {
    lines.push(line);
    process.stdout.write(`${line}\n`);
  };
  const options = { onLine, cwd: step.cwd ?? projectPaths.root };
  const ended = await runCommand(step.command, step.args, options).then(
    () => true,
    (error: Error) => {
      process.stdout.write(`${error.message.split("\n")[0]}\n`);
      return false;
    },
  );
  const counts = step.counts?.(lines) ?? { passed: Number(ended), failed: Number(!ended) };
  // A runner that ended badly without a failed test, or counted nothing, did not pass.
  const isSound = ended ? counts.passed > 0 : counts.failed > 0;
  const whole = isSound ? counts : { passed: counts.passed, failed: counts.failed + 1 };
  const took = spelt(performance.now() - startedMs);
  process.stdout.write(
    `-- ${step.name}: ${whole.passed} passed, ${whole.failed} failed in ${took}\n`,
  );
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

/** The libraries, with every client that a variant chooses from. */
function testedCrates(): readonly string[] {
  const crates = [
    "bench-core",
    "compute-rust",
    "dynamodb",
    "dynamodb-sdk",
    "first-request",
    "multicore",
    "multicore-rust",
    "multicore-rust-interleaved",
  ];
  const features = [
    ...["bench-core/fast-client", "bench-core/runtime-api"],
    ...["dynamodb-sdk/fast", "dynamodb-sdk/ring", "dynamodb-sdk/sdk-defaults"],
  ];
  return [...crates.flatMap((crate) => ["--package", crate]), "--features", features.join(",")];
}

function vitest(project: string): Step {
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${vitestJson}`];
  return {
    name: `tests (TypeScript, ${project})`,
    command: "npx",
    args: ["vitest", "run", "--project", project, ...reporters],
    counts: vitestCounts,
  };
}

function vitestCounts(): Counts {
  const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(vitestJson, "utf8"));
  rmSync(vitestJson);
  return { passed: numPassedTests, failed: numFailedTests };
}

function pytestCounts(lines: readonly string[]): Counts {
  return { passed: lastNumber(lines, /(\d+) passed/), failed: lastNumber(lines, /(\d+) failed/) };
}

function cargoCounts(lines: readonly string[]): Counts {
  const results = lines.filter((line) => line.startsWith("test result:"));
  const sum = (pattern: RegExp) =>
    results.reduce((total, line) => total + lastNumber([line], pattern), 0);
  return { passed: sum(/(\d+) passed/), failed: sum(/(\d+) failed/) };
}

function lastNumber(lines: readonly string[], pattern: RegExp): number {
  const found = lines.map((line) => pattern.exec(line)?.[1]).filter((text) => text !== undefined);
  return Number(found.at(-1) ?? 0);
}
