import type { Command } from "commander";
import { exitCodesHelp } from "../exit-codes.ts";
import { exitWith } from "./shared-options.ts";

/** Text after the options in `kelvin calibrate --help`. */
const calibrateHelp = `
What it does
  Compares a run on Lambda (fetched by kelvin fetch, measured by kelvin measure ARN, or made by kelvin
  import) with a local run of the same functions, operations and memory sizes, and stores what this
  says about the machine and the account: how much longer or shorter Init, first requests, warm calls
  and computing take than the published figures suggest. Local runs on this machine use it from then
  on and say so; the ranges "on Lambda" of their reports move towards it and become narrower, for the
  architectures of the run on Lambda. Measurements and verdicts do not change.
  One function moves the ranges part of the way; several that agree move them further
  (docs/prediction.md).
  Without --local, the newest local run in runs/ that shares a function is taken. A local run of
  another CPU model is refused, and a stored calibration of another is not used.

Examples
  kelvin fetch s3://BUCKET && kelvin local --experiment dynamodb
  kelvin calibrate runs/20260102T0304Z-a1b2c3     beside the newest local run of its functions
  kelvin calibrate runs/on-aws --local runs/here
  kelvin calibrate --show
  kelvin calibrate --forget

${exitCodesHelp}`;

/** Describes `kelvin calibrate`. */
export function describeCalibrate(command: Command): void {
  command
    .description("have predictions for Lambda use a run on Lambda of functions measured here too")
    .option(
      "--local <folder>",
      "the local run (default: the newest in runs/ that has the functions)",
    )
    .option("--show", "print the stored calibration")
    .option("--forget", "remove the stored calibration")
    .option("--json", "print it as JSON")
    .addHelpText("after", calibrateHelp)
    .action(async (folder, options) =>
      exitWith(await (await import("../commands/calibrate.ts")).calibrate(folder, options)),
    );
}
