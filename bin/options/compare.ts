import { type Command, Option } from "commander";
import { exitCodesHelp, failOnOptions } from "../exit-codes.ts";
import { percent } from "./option-values.ts";
import { exitWith } from "./shared-options.ts";

/** Text after the options in `kelvin compare --help`. */
const compareHelp = `
Each run is a folder or an address in S3 (s3://BUCKET/runs/<runId>, which is fetched first); both
must have the same target. Compared are the means of the series that both have: the cold start (Init
and first Duration together, its parts beside it), second and warm Duration of each cell. A series is
slower or faster if the whole 95% CI of its ratio lies beyond the margin, the ratio lies beyond the
A/A noise of both runs, and Mann-Whitney is significant after correction for the number of series.
Runs with few environments cannot pass that test; the comparison then says how many it takes.

Examples
  kelvin compare runs/before runs/after
  kelvin compare runs/before runs/after --margin 10% --json
  kelvin compare runs/before runs/after --html comparison.html
  kelvin compare runs/before runs/after --markdown comment.md
                                                  under 60 lines for a pull request
  kelvin compare s3://BUCKET/runs/20260102T0304Z-a1b2c3 runs/20260103T0304Z-d4e5f6

${exitCodesHelp}`;

/** Describes `kelvin compare`. */
export function describeCompare(command: Command): void {
  command
    .description("compare a later run with an earlier one, series by series; a gate for CI")
    .addOption(
      new Option("--margin <share>", "the smallest relative difference that matters")
        .argParser(percent("margin"))
        .default(0.05, "5%"),
    )
    .addOption(
      new Option(
        "--fail-on <verdict>",
        "end with 1 if slower, or also with 6 if not proven to be no slower",
      )
        .choices(failOnOptions)
        .default("slower"),
    )
    .option("--json", "print the comparison as JSON")
    .option("--html <file>", "also write the comparison as an HTML page")
    .option("--markdown <file>", "also write it for a pull request, in Markdown; - prints it")
    .addHelpText("after", compareHelp)
    .action(async (before, after, options) =>
      exitWith(await (await import("../commands/compare.ts")).compare(before, after, options)),
    );
}
