import { Command } from "commander";
import { local } from "../bin/commands/local.ts";
import { exitCodes } from "../bin/exit-codes.ts";
import { requireValgrind } from "../bin/run/local-manifest.ts";
import { newRunName } from "../bin/run/new-run.ts";
import { newRunFolder } from "../bin/run/run-folder.ts";
import type { Summary } from "../lib/analysis/summary.ts";
import { findCgroupRoot } from "../lib/local/cgroup.ts";
import { describeMachine } from "../lib/local/machine.ts";
import {
  type Counts,
  compareWithBaseline,
  comparisonText,
  isBroken,
  readBaselines,
  storeBaseline,
} from "./baseline.ts";
import { countedVersions, countingPlace, describePlace } from "./place.ts";
import { runBench } from "./run-bench.ts";

// The engines field states the required Node version; the SDK would repeat it on every run.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = "true";

const baselineFile = "first-request-baseline.json";

/** The default and the tuned build, at the size at which the first request was slowest. */
const measured = {
  experiment: "dynamodb",
  variants: ["rust", "rust-tuned"],
  memory: [128],
  preset: "quick",
  cold: 6,
  warm: 60,
  seed: 1,
  instructions: true,
} as const;

interface Options {
  readonly json?: true;
  readonly updateBaseline?: true;
}

/** Runs `kelvin local`, and compares its counts with the baseline or renews it; returns the exit code. */
async function benchFirstRequest({ json, updateBaseline }: Options): Promise<number> {
  const place = countingPlace(requireValgrind());
  const out = newRunFolder(undefined, `first-request-${newRunName().runId}`);
  const found: Summary[] = [];
  const code = await local({ ...measured, out, ...(json && { json }) }, ({ summary }, ending) => {
    if (summary !== undefined) found.push(summary);
    return ending;
  });
  const [summary] = found;
  if (code !== exitCodes.complete || summary === undefined) return code;
  const counts = countsIn(summary);
  const machine = describeMachine(findCgroupRoot());
  const versions = countedVersions();
  if (updateBaseline === true) {
    const measuredAt = new Date().toISOString().slice(0, 10);
    const accepted = { measuredAt, instructions: counts };
    storeBaseline(baselineFile, { place, versions, machine: machine.cpuModel, ...accepted });
  }
  const comparison = compareWithBaseline(readBaselines(baselineFile), place, counts);
  const text = json
    ? JSON.stringify({ machine, place, versions, counts, comparison })
    : `${describePlace(machine, place, versions)}\n\n${comparisonText(comparison, place.processor)}`;
  process.stdout.write(`${text}\n`);
  return comparison === undefined || !isBroken(comparison) ? exitCodes.complete : exitCodes.failed;
}

/** Returns the counts of a run by variant. Throws if one was not counted, or not after what it should be. */
function countsIn({ series, warmupFailures }: Summary): Counts {
  const [failure] = warmupFailures;
  if (failure !== undefined) {
    throw new Error(`${failure.cellId}: its warm-up call failed with ${failure.type}`);
  }
  const counted = (variant: string, wanted: "cold" | "warm") => {
    const own = series.filter(({ cell, phase }) => cell.variant === variant && phase === wanted);
    return own.find(({ operation, instructions }) => operation === "get" && instructions)
      ?.instructions;
  };
  return Object.fromEntries(
    measured.variants.map((variant) => {
      const { initMedian: initInstructions, invocationMedian: firstInstructions } =
        counted(variant, "cold") ?? {};
      const warmInstructions = counted(variant, "warm")?.invocationMedian;
      if (!(initInstructions && firstInstructions && warmInstructions)) {
        throw new Error(`${variant}: its instructions were not counted`);
      }
      return [variant, { initInstructions, firstInstructions, warmInstructions }];
    }),
  );
}

const command = new Command("bench:first-request")
  .description("the first request: the default build beside the tuned one, and the baseline")
  .option("--json", "print the manifest and the counts as JSON, one line each")
  .option("--update-baseline", "take these counts for the baseline of this place");

await runBench(command, benchFirstRequest);
