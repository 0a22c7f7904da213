import { Command } from "commander";
import { exitCodes } from "../bin/exit-codes.ts";
import { Progress } from "../bin/progress.ts";
import { requireValgrind } from "../bin/run/local-manifest.ts";
import {
  compareWithBaseline,
  guardedCounts,
  isBroken,
  readBaselines,
  storeBaseline,
} from "./baseline.ts";
import { comparisonText, renewedText, tableText } from "./comparison-text.ts";
import { defaultVariant, tunedVariant } from "./measure.ts";
import { type MeasuredColumns, measuredColumns } from "./measured-columns.ts";
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
