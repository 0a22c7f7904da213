import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { Command } from "commander";
import { exitCodes } from "../bin/exit-codes.ts";
import { Progress } from "../bin/progress.ts";
import { requireValgrind } from "../bin/run/local-manifest.ts";
import { InvalidInput } from "../lib/contract/errors.ts";
import { describeMachine } from "../lib/local/machine.ts";
import { dynoxideBinary } from "../lib/toolchain/build-local.ts";
import { commandEnvironment } from "../lib/toolchain/command-environment.ts";
import { preparePythonVenv } from "../lib/toolchain/python.ts";
import { buildRustBinary } from "../lib/toolchain/rust-build.ts";
import { lockedVersion } from "../lib/toolchain/rust-toolchain.ts";
import type { Valgrind } from "../lib/toolchain/valgrind.ts";
import { isBroken, readBaselines, storeBaseline } from "./baseline.ts";
import { embeddedCalls, embeddedEngine } from "./embedded-calls.ts";
import { changesText, compareCalls } from "./instruction-changes.ts";
import { countingPlace, describePlace } from "./place.ts";
import { runBench } from "./run-bench.ts";

const baselineFile = "instructions-baseline.json";

interface Options {
  readonly calls?: string;
  readonly updateBaseline?: true;
}

/** Counts the instructions of each embedded call and compares them with their baseline; returns the exit code. */
async function benchInstructions(options: Options): Promise<number> {
  const chosen = chosenCalls(options);
  const valgrind = requireValgrind();
  const progress = new Progress();
  await preparePythonVenv();
  progress.say("building the driver of dynoxide");
  const binary = await buildRustBinary(dynoxideBinary);
  const counts: Record<string, number> = {};
  for (const [call, times] of chosen) {
    const once = await instructionsOf(call, 1, binary, valgrind);
    const often = await instructionsOf(call, 1 + times, binary, valgrind);
    counts[call] = Math.round((often - once) / times);
    progress.say(`${call}: ${counts[call]} instructions`);
  }
  const place = countingPlace(valgrind);
  const machine = describeMachine(undefined);
  const versions = { "dynoxide-rs": lockedVersion("dynoxide-rs") ?? "unknown" };
  process.stdout.write(`${describePlace(machine, place, versions)}\n`);
  if (options.updateBaseline === true) {
    const measuredAt = new Date().toISOString().slice(0, 10);
    const instructions = { [embeddedEngine]: counts };
    const renewed = { place, versions, machine: machine.cpuModel, measuredAt, instructions };
    storeBaseline(baselineFile, renewed);
    process.stdout.write("baseline: these counts are now this place's\n");
    return exitCodes.complete;
  }
  const comparison = compareCalls(readBaselines(baselineFile), place, counts);
  process.stdout.write(`${changesText(comparison)}\n`);
  return comparison !== undefined && isBroken(comparison) ? exitCodes.failed : exitCodes.complete;
}

/** Returns the selected calls with their repetitions. A baseline covers all of them. */
function chosenCalls({
  calls: asked,
  updateBaseline,
}: Options): readonly (readonly [string, number])[] {
  const known = Object.entries(embeddedCalls);
  if (asked === undefined) return known;
  if (updateBaseline === true) {
    throw new InvalidInput(
      "calls",
      asked,
      "nothing beside --update-baseline: it takes all of them",
    );
  }
  return asked.split(",").map((name) => {
    const found = known.find(([call]) => call === name.trim());
    if (found !== undefined) return found;
    throw new InvalidInput("calls", name, Object.keys(embeddedCalls).join(", "));
  });
}

/**
 * Counts the user-space instructions of a process that fills a table and makes a call `times` times. Two such counts
 * differ by the additional calls, including building requests and parsing responses.
 */
async function instructionsOf(
  call: string,
  times: number,
  binary: string,
  { command }: Valgrind,
): Promise<number> {
  const tool = ["--tool=callgrind", "--callgrind-out-file=/dev/null"];
  const counted = [binary, "count", call, "--times", String(times)];
  const { stderr } = await promisify(execFile)(command, [...tool, ...counted], {
    env: commandEnvironment("tool"),
  });
  const collected = /Collected : (\d+)/.exec(stderr)?.[1];
  if (collected !== undefined) return Number(collected);
  throw new Error(`callgrind reported no count of ${call}:\n${stderr}`);
}

const command = new Command("bench:instructions")
  .description("instructions of dynoxide's embedded calls, compared with a baseline")
  .option("--calls <list>", "some of the calls, for example get,query (default: all)")
  .option("--update-baseline", "take these counts for the baseline of this place");

await runBench(command, benchInstructions);
