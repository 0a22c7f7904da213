import { rmSync } from "node:fs";
import { join } from "node:path";
import { Command } from "commander";
import { embeddedCalls, embeddedEngine } from "../../../bench/embedded-calls.ts";
import { runBench } from "../../../bench/run-bench.ts";
import { report } from "../../../bin/commands/report.ts";
import { exitCodes } from "../../../bin/exit-codes.ts";
import { Progress } from "../../../bin/progress.ts";
import { openRun } from "../../../bin/run/stored-run.ts";
import { InvalidInput } from "../../../lib/contract/errors.ts";
import { describeMachine } from "../../../lib/local/machine.ts";
import { commandEnvironment } from "../../../lib/toolchain/command-environment.ts";
import { projectPaths } from "../../../lib/toolchain/project-paths.ts";
import { runCommand } from "../../../lib/toolchain/run-command.ts";
import { lockedVersion, rustcVersion } from "../../../lib/toolchain/rust-toolchain.ts";
import { microPath } from "../conditions.ts";
import { microContract } from "../contract.ts";
import { emulators } from "../definition.ts";
import type { MicroBenchmarks } from "../types/contract.ts";
import { readEstimates } from "./criterion-estimates.ts";

interface Options {
  readonly run?: string;
  readonly quick?: true;
}

/** Times single calls of embedded dynoxide with criterion; returns the exit code. */
async function benchMicro({ run, quick }: Options): Promise<number> {
  // Opened first, so that an invalid run fails before anything is built or timed.
  const stored = run === undefined ? undefined : await openRun("run", run);
  const experiment = stored?.experiments[0]?.plan.experiment;
  if (experiment !== undefined && experiment !== emulators.id) {
    throw new InvalidInput("run", run, `a run of ${emulators.id}; it is of ${experiment}`);
  }
  const progress = new Progress();
  progress.say("building the bench of dynoxide, and timing its calls");
  const measured = await timedCalls(quick === true, (line) => progress.say(line));
  process.stdout.write(`${microText(measured)}\n`);
  if (stored === undefined || run === undefined) return exitCodes.complete;
  await stored.store.writeText(microPath, `${JSON.stringify(measured, null, 2)}\n`);
  return await report(run, {});
}

/** Times the calls in the release profile, in a separate criterion folder without earlier figures. */
async function timedCalls(
  isQuick: boolean,
  onLine: (line: string) => void,
): Promise<MicroBenchmarks> {
  const folder = join(projectPaths.cache, "criterion");
  rmSync(folder, { recursive: true, force: true });
  const bench = ["--package", "standins", "--bench", "embedded-calls", "--features", "micro"];
  await runCommand(
    "cargo",
    ["bench", "--locked", ...bench, "--", ...(isQuick ? ["--quick"] : [])],
    {
      cwd: projectPaths.rust,
      env: { ...commandEnvironment("rust"), CRITERION_HOME: folder },
      onLine: (line) => {
        const [, call] = /^Benchmarking \S+\/(\w+)$/.exec(line) ?? [];
        if (call !== undefined) onLine(`timing ${call}`);
      },
    },
  );
  const { cpuModel, cpus, memoryMb, os } = describeMachine(undefined);
  const rustc = rustcVersion() ?? "unknown";
  const crates = ["dynoxide-rs", "criterion"].map((name) => [
    name,
    lockedVersion(name) ?? "unknown",
  ]);
  return microContract.validated({
    schemaVersion: 1,
    measuredAt: new Date().toISOString(),
    machine: `${cpuModel}, ${cpus} CPUs, ${memoryMb} MB, ${os}`,
    versions: { rustc, ...Object.fromEntries(crates) },
    calls: readEstimates(folder, embeddedEngine, Object.keys(embeddedCalls)),
  });
}

function microText({ machine, versions, calls }: MicroBenchmarks): string {
  const us = (ns: number) => (ns / 1000).toFixed(1);
  const rows = calls.map(
    ({ call, medianNs, lowNs, highNs }) =>
      `  ${call}: ${us(medianNs)} us [${us(lowNs)}, ${us(highNs)}]`,
  );
  const versionTexts = Object.entries(versions).map((entry) => entry.join(" "));
  return [
    machine,
    versionTexts.join(", "),
    "criterion's medians and their 95% intervals",
    ...rows,
  ].join("\n");
}

const command = new Command("bench:micro")
  .description("times single calls of dynoxide in this process, by criterion")
  .option("--run <folder>", `put the figures into the report of this run of ${emulators.id}`)
  .option("--quick", "a look that takes seconds; its intervals are wide");

await runBench(command, benchMicro);
