import { Command } from "commander";
import { exitCodes } from "../bin/exit-codes.ts";
import { buildProgress, Progress } from "../bin/progress.ts";
import { requireValgrind } from "../bin/run/local-manifest.ts";
import type { Machine } from "../lib/contract/types/contract.ts";
import { findCgroupRoot } from "../lib/local/cgroup.ts";
import { localArtefacts } from "../lib/local/local-functions.ts";
import { describeMachine, describeQuota, floorCell } from "../lib/local/machine.ts";
import { buildForLocalRun } from "../lib/toolchain/build-local.ts";
import type { Valgrind } from "../lib/toolchain/valgrind.ts";
import {
  compareWithBaseline,
  guardedCounts,
  isBroken,
  readBaselines,
  storeBaseline,
} from "./baseline.ts";
import { type Columns, comparisonText, renewedText, tableText } from "./comparison-text.ts";
import { figuresOf } from "./figures.ts";
import { compared, defaultVariant, measure, pythonVariant, tunedVariant } from "./measure.ts";
import { countedVersions, countingPlace, describePlace } from "./place.ts";
import { runBench } from "./run-bench.ts";

// The engines field states the required Node version; the SDK would repeat it on every run.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = "true";

const baselineFile = "first-request-baseline.json";

interface Options {
  readonly json?: true;
  readonly updateBaseline?: true;
}

/** Measures, prints, and compares the counts with the baseline or renews it; returns the exit code. */
async function benchFirstRequest(options: Options): Promise<number> {
  const valgrind = requireValgrind();
  const measured = await measuredColumns(valgrind, new Progress());
  return conclude(options, measured, countingPlace(valgrind));
}

function conclude(
  options: Options,
  { columns, machine }: MeasuredColumns,
  place: ReturnType<typeof countingPlace>,
): number {
  const guarded = { [defaultVariant]: columns.usual, [tunedVariant]: columns.tuned };
  const versions = countedVersions();
  if (options.updateBaseline === true) {
    const measuredAt = new Date().toISOString().slice(0, 10);
    const instructions = guardedCounts(guarded);
    storeBaseline(baselineFile, {
      place,
      versions,
      machine: machine.cpuModel,
      measuredAt,
      instructions,
    });
  }
  const comparison = compareWithBaseline(readBaselines(baselineFile), place, guarded);
  const verdict =
    options.updateBaseline === true ? renewedText : comparisonText(comparison, place.processor);
  const text =
    options.json === true
      ? JSON.stringify({ machine, place, versions, columns, comparison })
      : [describePlace(machine, place, versions), tableText(columns), verdict].join("\n\n");
  process.stdout.write(`${text}\n`);
  return comparison === undefined || !isBroken(comparison) ? exitCodes.complete : exitCodes.failed;
}

const command = new Command("bench:first-request")
  .description("the first request: the default build beside the tuned one, and the baseline")
  .option("--json", "print the figures as JSON")
  .option("--update-baseline", "take these counts for the baseline of this place");

await runBench(command, benchFirstRequest);

interface MeasuredColumns {
  readonly columns: Columns;
  readonly machine: Machine;
}

/** Builds and measures the compared variants, and computes the figure of every quantity. */
async function measuredColumns(valgrind: Valgrind, progress: Progress): Promise<MeasuredColumns> {
  const machine = describeMachine(findCgroupRoot());
  progress.say(`the first request, default build against tuned; ${describeQuota(machine)}`);
  await buildForLocalRun(compared.variants, {
    services: ["dynamodb"],
    onStep: buildProgress(progress),
  });
  let recorded = 0;
  const samples = await measure(valgrind, ({ cell, phase, instructions }) => {
    recorded += 1;
    const how = instructions === undefined ? "timed" : "counted";
    progress.show(`${recorded} samples (${cell.id} ${phase}, ${how})`);
  });
  progress.end();
  const artefacts = localArtefacts(compared.variants);
  const figures = (variant: string) => {
    const artefact = artefacts.find((candidate) => candidate.variant === variant);
    const own = samples.filter(({ cell }) => cell.variant === variant);
    return figuresOf({ samples: own, ...(artefact !== undefined && { artefact }) });
  };
  const columns: Columns = {
    usual: figures(defaultVariant),
    tuned: figures(tunedVariant),
    python: figures(pythonVariant),
    rig: figures(floorCell.variant),
  };
  return { columns, machine };
}
