import { type Command, Option } from "commander";
import { exitCodesHelp } from "../exit-codes.ts";
import { addLimit } from "./option-values.ts";
import { exitWith, sharedOptions, withTrafficOptions } from "./shared-options.ts";

/** Text after the options in `kelvin report --help`. */
const reportHelp = `
Before rendering, the measurements are checked against SHA256SUMS, the last file that a run writes:
if a file is missing, changed or not listed, it is named and no report is written. Samples are
excluded by labels, never by deleting them. plan.json, manifest.json, samples/ and failures/ are
only read; report.md, report-full.md, report.html, series.csv and summary.json are written.

A run that was stopped has no SHA256SUMS: what there is is rendered as a partial run.

Examples
  kelvin report runs/20260102T0304Z-a1b2c3
  kelvin report runs/20260102T0304Z-a1b2c3 --cold-share 5% --invocations 30000000
  kelvin report runs/20260102T0304Z-a1b2c3 --prices prices.json --json
  kelvin report runs/20260102T0304Z-a1b2c3 --split cpu
                                                  also split every series by the CPU model of its
                                                  environments, which Lambda chooses

${exitCodesHelp}`;

/** Describes `kelvin report`. */
export function describeReport(command: Command): void {
  withTrafficOptions(command)
    .description("verify a run's samples and render its report again, without an account")
    .addOption(sharedOptions.prices())
    .addOption(
      new Option(
        "--split <what>",
        "also split every series by the CPU model of its environments",
      ).choices(["cpu"]),
    )
    .option("--limit <limit>", "judge these instead of the run's own; may be repeated", addLimit)
    .addOption(sharedOptions.markdown())
    .addOption(sharedOptions.json())
    .addHelpText("after", reportHelp)
    .action(async (folder, options) =>
      exitWith(await (await import("../commands/report.ts")).report(folder, options)),
    );
}
