import type { Command } from "commander";
import { exitCodesHelp } from "../exit-codes.ts";
import { exitWith } from "./shared-options.ts";

/** Text after the options in `kelvin prices --help`. */
const pricesHelp = `
Asks the Price List API (pricing:GetProducts) for the on-demand prices that Kelvin's estimates are made
of: Lambda, Step Functions, DynamoDB, S3, CloudWatch Logs, AWS Config. A price that it does not give is
left out of the file and named. kelvin plan, report, import and measure take the file (--prices FILE);
kelvin deploy and kelvin measure ARN ask by themselves where Kelvin's own table lacks a price.

Examples
  kelvin prices --region eu-central-1
  kelvin plan --region eu-central-1 --prices prices.json

${exitCodesHelp}`;

/** Describes `kelvin prices`. */
export function describePrices(command: Command): void {
  command
    .description("write a region's prices of today, from AWS's Price List API, as a price file")
    .option("--region <name>", "whose prices (default: the region that deploy would take)")
    .option("--out <file>", "where the price file goes", "prices.json")
    .option("--profile <name>", "the profile whose credentials to use (default: AWS_PROFILE)")
    .addHelpText("after", pricesHelp)
    .action(async (options) =>
      exitWith(await (await import("../commands/prices.ts")).prices(options)),
    );
}
