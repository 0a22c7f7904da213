import { type Command, Option } from "commander";
import { exitCodesHelp } from "../exit-codes.ts";
import { parseSince, wholeNumber } from "./option-values.ts";
import { exitWith, sharedOptions } from "./shared-options.ts";

/** Text after the options in `kelvin import --help`. */
const importHelp = `
Sources: one or more of the same kind, or - for standard input
  report        a log with Lambda's REPORT lines or platform.report records; other lines are ignored
  events        JSON with these lines in a field: aws logs filter-log-events, or a log tool's export
  insights      a CSV or JSON of Logs Insights with @duration and @initDuration, or with @message
  power-tuning  the output of AWS Lambda Power Tuning: averages, which do not become samples
or --log-group, which reads Lambda's own lines from a log group with the credentials of the AWS CLI.
They need only logs:FilterLogEvents on arn:aws:logs:REGION:ACCOUNT:log-group:NAME:*. Nothing is
invoked or changed. After Ctrl-C, what was read is kept.

A log stream is an environment: means are over all calls, and intervals count environments. Where a
source names no streams, each invocation counts as an environment of its own, and the report says
what that does to the intervals. A sample is cold if Lambda reported an Init Duration (with
SnapStart, a Restore Duration). What a source does not say stays absent. See docs/data.md.

Costs are for the log's own share of cold starts, and for 1% where calls may be missing, as from
Logs Insights. kelvin report RUN --cold-share 5% states them for another share.

Examples
  kelvin import --log-group /aws/lambda/NAME --since 7d --architecture arm64
  aws logs tail /aws/lambda/NAME --since 1d > name.log
  kelvin import name.log --variant NAME --architecture arm64 --region eu-west-1
  kelvin import insights.csv --architecture x86_64 --out runs/before
  kelvin import power-tuning.json --variant NAME --architecture arm64
  kelvin compare runs/before runs/after

${exitCodesHelp}`;

const formats = ["report", "events", "insights", "power-tuning"];

/** Describes `kelvin import`. */
export function describeImport(command: Command): void {
  command
    .description("turn logs, a log group, Logs Insights or Power Tuning output into a run")
    .option("--log-group <name>", "read this log group of the account instead of files")
    .option(
      "--since <time>",
      "how far back: 30m, 12h, 7d, or 2026-01-05T10:00Z (default: 1d)",
      parseSince,
    )
    .option("--variant <name>", "name of the function (default: from the source)")
    .option("--operation <name>", "name of the operation (default: invoke)")
    .option("--runtime <name>", "for example python3.13 (default: from the source)")
    .option("--architecture <name>", "arm64 or x86_64, which no source contains")
    .option("--memory <mb>", "memory size in MB, if the sources lack it", wholeNumber("memory"))
    .option(
      "--region <name>",
      "region of the log group and of the prices (default: from the source)",
    )
    .addOption(
      new Option("--from <format>", "format of the sources (default: detected)").choices(formats),
    )
    .addOption(sharedOptions.out())
    .addOption(sharedOptions.prices())
    .addOption(sharedOptions.json())
    .addHelpText("after", importHelp)
    .action(async (sources, options) =>
      exitWith(await (await import("../commands/import.ts")).importRun(sources, options)),
    );
}
