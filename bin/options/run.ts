import { type Command, Option } from "commander";
import { largestSeed } from "../../lib/contract/seeded-order.ts";
import { exitCodesHelp, failOnOptions } from "../exit-codes.ts";
import {
  addContext,
  decimalNumber,
  parseList,
  parseSizes,
  percent,
  wholeNumber,
} from "./option-values.ts";
import { exitWith, sharedOptions, withTrafficOptions } from "./shared-options.ts";

/** Text after the options in `kelvin run --help`. */
const runHelp = `
What it does
  Starts the state machine of the deployed stack, as the console does: without options with {}, which
  runs everything that is deployed. Shows blocks, samples, the time that is left and the dollars so far
  until the run ends, then fetches it and prints its first screen. Needs no functions file and no Rust.
  The run needs neither this machine nor its connection: one that is lost is waited for, and --attach
  follows the run again, from any machine. On Ctrl-C it asks whether to stop the run or to leave it.
  Before it calls copies of your functions, it says as which role they act, and asks (or --yes).

Examples
  kelvin run                                      what is deployed, with the stack's preset
  kelvin run --experiment dynamodb,compute --memory 128,512 --cold 30 --warm 200 --max-cost 1
  kelvin run --until-precision 5% --max-minutes 30
  kelvin run --limit 'cold.p95 < 800 ms'          a limit that is missed ends it with 7
  kelvin run --fail-on slower                     a gate: each function against the first, and each with
                                                  differsFrom against the one that it names
  kelvin run --attach                             follow the run that is under way
  kelvin run --attach arn:aws:states:eu-west-1:123456789012:execution:NAME:ID

${exitCodesHelp}`;

/** Describes `kelvin run`. The deployed stack sets the defaults. */
export function describeRun(command: Command): void {
  command.description("start a run on the deployed stack, follow it, and print what it found");
  const inputOptions = withInputOptions(command).options.map((option) => option.attributeName());
  withTrafficOptions(command.addOption(sharedOptions.limit()))
    .addOption(
      new Option(
        "--attach [execution]",
        "follow a run instead: the one under way, or an execution's ARN",
      ).conflicts(inputOptions),
    )
    .addOption(sharedOptions.stack())
    .option("-c, --context <stack=name>", "the same, as CDK context", addContext("stack"))
    .option("--yes", "call copies of your own functions without asking")
    .addOption(sharedOptions.out())
    .option("--prices <file>", "price table to use for the report instead of the built-in one")
    .addOption(
      new Option(
        "--fail-on <verdict>",
        "end with 1 if slower than the base, or with 6 if not proven to be no slower",
      ).choices(failOnOptions),
    )
    .addOption(sharedOptions.json())
    .addHelpText("after", runHelp)
    .action(async (options) => exitWith(await (await import("../commands/run.ts")).run(options)));
}

/** Adds the options that become the input of the state machine. */
function withInputOptions(command: Command): Command {
  const chosen = withCellOptions(command)
    .addOption(
      new Option("--preset <name>", "how much to measure (default: the stack's)").choices([
        ...["quick", "standard"],
      ]),
    )
    .addOption(sharedOptions.cold())
    .option("--warm <n>", "warm calls per operation, function and size", wholeNumber("warm"))
    .option("--seed <n>", "seed of the order of trials", wholeNumber("seed", 0, largestSeed))
    .option("--lanes <n>", "how many cells to measure at the same time", wholeNumber("lanes", 1))
    .option(
      "--max-cost <usd>",
      "refuse a run whose estimate is above this, and end it before it costs more",
      decimalNumber("max-cost"),
    );
  return withStoppingOptions(chosen);
}

/** Adds the options that choose among the deployed cells. */
function withCellOptions(command: Command): Command {
  return command
    .option("--experiment <list>", "which of the deployed experiments (default: all)", parseList)
    .option("--variants <list>", "which of the deployed variants (default: all)", parseList)
    .option("--memory <list>", "which of the deployed sizes, in MB (default: all)", parseSizes)
    .option(
      "--architectures <list>",
      "which of the deployed architectures (default: all)",
      parseList,
    );
}

/** Adds the options for measuring until ratios are precise. The precision stays text, as the console takes it. */
function withStoppingOptions(command: Command): Command {
  const untilPrecision = (text: string) => {
    percent("until-precision")(text);
    return text;
  };
  return command
    .option(
      "--until-precision <share>",
      "add blocks until every ratio is known to this precision",
      untilPrecision,
    )
    .option("--max-samples <n>", "budget of --until-precision", wholeNumber("max-samples", 1))
    .option("--max-minutes <n>", "budget of --until-precision", decimalNumber("max-minutes"));
}
