import { type Command, Option } from "commander";
import { exitCodesHelp } from "../exit-codes.ts";
import { parseList, wholeNumber } from "./option-values.ts";
import { exitWith, withRunOptions } from "./shared-options.ts";

/** Text after the options in `kelvin plan --help`. */
const planHelp = `
Invokes nothing and spends nothing: the estimate is arithmetic on the plan, the dated price table
and the durations that the studies published.

Examples
  kelvin plan
  kelvin plan --experiment all                    each experiment, and their total
  kelvin plan --until-precision 5%                the minimum and the maximum that it may take
  kelvin plan --functions functions.json          copies of your own functions on AWS
  kelvin plan --memory 128,512 --cold 10 --region ap-northeast-1 --json
  kelvin plan --region mx-central-1 --prices prices.json

A price file covers a region that the built-in table lacks, or overrides its prices: kelvin prices
writes one, and docs/deploying.md has its format.

${exitCodesHelp}`;

/** Describes `kelvin plan`. */
export function describePlan(command: Command): void {
  withRunOptions(command, "standard")
    .description("print the matrix, duration and cost of a run on AWS, without an account")
    .addOption(
      new Option("--architectures <list>", "arm64, x86_64 or both")
        .argParser(parseList)
        .default(["arm64"], "arm64"),
    )
    .addOption(
      new Option("--functions <file>", "plan the functions of a functions file instead").conflicts([
        ...["experiment", "variants", "memory", "architectures"],
      ]),
    )
    .option("--region <name>", "region whose prices to use", "us-east-1")
    .option(
      "--lanes <n>",
      "how many cells to measure at the same time (default: all of a block)",
      wholeNumber("lanes"),
    )
    .option("--json", "print the plan and its estimate as JSON")
    .addHelpText("after", planHelp)
    .action(async (options) => exitWith(await (await import("../commands/plan.ts")).plan(options)));
}
