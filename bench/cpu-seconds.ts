import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command, Option } from "commander";
import { exitCodes } from "../bin/exit-codes.ts";
import { formatDuration, Progress } from "../bin/progress.ts";
import { describeMachine } from "../lib/local/machine.ts";
import { commandEnvironment } from "../lib/toolchain/command-environment.ts";
import { projectPaths } from "../lib/toolchain/project-paths.ts";
import { runCommand } from "../lib/toolchain/run-command.ts";
import { rustcVersion } from "../lib/toolchain/rust-toolchain.ts";
import {
  type CommandComparison,
  type CommandTime,
  comparisonText,
  isComplete,
  isSlower,
  replaceComparison,
  takeCpuSeconds,
  withCpuTimes,
} from "./command-times.ts";
import { runBench } from "./run-bench.ts";

/** Commands that a user waits for in an empty clone: a first report, and a verdict on a change. */
const commands = { bench: "npm ci && npm run bench", test: "bash .ci/run" } as const;
type CommandName = keyof typeof commands;

const resultPath = join(import.meta.dirname, "cpu-seconds.json");

interface Options {
  readonly against: string;
  readonly command: CommandName | "both";
  readonly update?: true;
}

/** Times both commits in turn, each in an empty clone with empty compiler caches; returns the exit code. */
async function benchCpuSeconds({ against, command, update }: Options): Promise<number> {
  const names = command === "both" ? (["bench", "test"] as const) : [command];
  const commits = [await commitOf(against), await commitOf("HEAD")] as const;
  const { cpuModel, cpus, os } = describeMachine(undefined);
  const machine = { cpuModel, cpus, os, rustc: rustcVersion() ?? "unknown" };
  const progress = new Progress();
  const comparisons: CommandComparison[] = [];
  for (const name of names) {
    const after = await timeInClone(commits[1], name, progress);
    const before = await timeInClone(commits[0], name, progress);
    const comparison = { name, command: commands[name], machine, before, after };
    process.stdout.write(comparisonText(comparison));
    comparisons.push(comparison);
    if (update === true) store(comparison);
  }
  const isSound = comparisons.every((made) => isComplete(made) && !isSlower(made));
  return isSound ? exitCodes.complete : exitCodes.failed;
}

function store(comparison: CommandComparison): void {
  const stored: readonly CommandComparison[] = JSON.parse(readFileSync(resultPath, "utf8"));
  const comparisons = replaceComparison(stored, comparison);
  writeFileSync(resultPath, `${JSON.stringify(comparisons, null, 2)}\n`);
}

async function commitOf(revision: string): Promise<string> {
  let commit = "";
  await runCommand("git", ["rev-parse", "--short=12", `${revision}^{commit}`], {
    cwd: projectPaths.root,
    env: commandEnvironment("tool"),
    onLine: (line) => {
      commit = line;
    },
  });
  return commit;
}

async function timeInClone(
  commit: string,
  name: CommandName,
  progress: Progress,
): Promise<CommandTime> {
  const folder = mkdtempSync(join(tmpdir(), "kelvin-cpu-seconds-"));
  try {
    const clone = join(folder, "clone");
    const env = commandEnvironment("tool");
    await runCommand("git", ["clone", "--quiet", projectPaths.root, clone], { env });
    await runCommand("git", ["checkout", "--quiet", commit], { cwd: clone, env });
    const caches = join(folder, "caches");
    mkdirSync(caches);
    const time = await timeCommand(commands[name], clone, caches, (line, elapsedMs) =>
      progress.show(`${commit}, ${commands[name]}: ${formatDuration(elapsedMs)}, ${line}`),
    );
    return { commit, ...time };
  } finally {
    progress.end();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Shows the command's output as progress; prints its last line, or the last lines of a failure, on stderr. */
async function timeCommand(
  script: string,
  cwd: string,
  caches: string,
  onLine: (line: string, elapsedMs: number) => void,
): Promise<Omit<CommandTime, "commit">> {
  const startedMs = performance.now();
  const times = join(caches, "times");
  const { CARGO_TARGET_DIR: _, ...inherited } = commandEnvironment("project");
  // Zig caches its output in the user's cache folder, where the second clone would find it.
  const env = { ...inherited, XDG_CACHE_HOME: caches };
  const { command, args } = withCpuTimes("bash", ["-c", script], times);
  let lastLine = "";
  const onEachLine = (line: string) => {
    lastLine = line;
    onLine(line.slice(0, 80), performance.now() - startedMs);
  };
  const isComplete = await runCommand(command, args, { cwd, env, onLine: onEachLine }).then(
    () => {
      process.stderr.write(`${lastLine}\n`);
      return true;
    },
    (error: Error) => {
      process.stderr.write(`${error.message}\n`);
      return false;
    },
  );
  const wallSeconds = Math.round((performance.now() - startedMs) / 1000);
  return { cpuSeconds: Math.round(takeCpuSeconds(times) ?? Number.NaN), wallSeconds, isComplete };
}

const command = new Command("bench:cpu-seconds")
  .description(
    "CPU seconds of the first report and of the tests, each from an empty clone with empty compiler caches, " +
      "of an earlier commit and of this one in turn; hours on two cores",
  )
  .option("--against <commit>", "the earlier commit", "HEAD~1")
  .addOption(
    new Option("--command <name>", "what is timed")
      .choices(["bench", "test", "both"])
      .default("both"),
  )
  .option("--update", "write the figures to bench/cpu-seconds.json");

await runBench(command, benchCpuSeconds);
