import { type Command, Option } from "commander";
import { largestSeed } from "../../lib/contract/seeded-order.ts";
import { usualStackName } from "../../lib/plan/deployment.ts";
import { idleSpreadMs, localIdleMs, longestIdleMs } from "../../lib/plan/trial-calls.ts";
import {
  addLimit,
  decimalNumber,
  parseList,
  parseSizes,
  parseSizesOrAuto,
  parseStackOption,
  percent,
  wholeNumber,
} from "./option-values.ts";

/** Ends the process with this code once its output is written. */
export function exitWith(code: number): void {
  process.exitCode = code;
}

/** Options that several commands have. Each call makes a new one, because a command's group changes it. */
export const sharedOptions = {
  cold: () =>
    new Option("--cold <n>", "new execution environments per function and size").argParser(
      wholeNumber("cold", 1, 1000),
    ),
  json: () => new Option("--json", "print the manifest as JSON instead of tables"),
  limit: () =>
    new Option(
      "--limit <limit>",
      "a limit to keep, such as 'cold.p95 < 800 ms'; may be repeated",
    ).argParser(addLimit),
  markdown: () =>
    new Option(
      "--markdown <file>",
      "also write the comparisons for a pull request, in Markdown; - prints them",
    ),
  out: () => new Option("--out <folder>", "where to write the run's files (default: runs/<runId>)"),
  prices: () => new Option("--prices <file>", "price table to use instead of the built-in one"),
  qualifier: () =>
    new Option("--qualifier <name>", "the qualifier of the CDK's bootstrap (default: as found)"),
  toolkitStack: () =>
    new Option("--toolkit-stack <name>", "the bootstrap's stack (default: CDKToolkit)"),
  stack: () =>
    new Option("--stack <name>", `the stack's name (default: ${usualStackName})`).argParser(
      parseStackOption,
    ),
  verbose: () =>
    new Option("--verbose", "also print details, such as cell ids and how CPU time is shared"),
} as const;

/** Adds the options for the state of this machine during a run. */
export function withMachineOptions(command: Command): Command {
  return command
    .option(
      "--idle <ms>",
      `idle time before each call but the first, and up to ${idleSpreadMs} ms more (default: ${localIdleMs})`,
      wholeNumber("idle", 0, longestIdleMs),
    )
    .option("--wait-for-quiet", "wait until nothing else uses the machine, for 10 minutes at most");
}

/** Adds the options for what to run, and how much of it. */
export function withRunOptions(command: Command, preset: string): Command {
  const chosen = command.option(
    "--experiment <list>",
    "which experiment: one, several with commas, or all",
    "dynamodb",
  );
  return withSizeOptions(chosen, preset).option(
    "--variants <list>",
    "variants, for example rust,python",
    parseList,
  );
}

interface MemoryOption {
  readonly description: string;
  readonly parse: (text: string) => readonly number[] | "auto";
}

const listedMemory: MemoryOption = {
  description: "memory sizes in MB, for example 128,512",
  parse: parseSizes,
};

export const autoMemory: MemoryOption = {
  description: "memory sizes in MB, for example 128,512; auto finds the best of six",
  parse: parseSizesOrAuto,
};

/** Adds the options for how much is measured. */
export function withSizeOptions(
  command: Command,
  preset: string,
  memory: MemoryOption = listedMemory,
): Command {
  const sized = command
    .addOption(
      new Option("--preset <name>", "how many environments and calls to measure")
        .choices(["quick", "standard"])
        .default(preset),
    )
    .option("--memory <list>", memory.description, memory.parse)
    .addOption(sharedOptions.cold())
    .option(
      "--warm <n>",
      "warm calls per operation, function and size, over all environments",
      wholeNumber("warm"),
    );
  return withStoppingOptions(sized)
    .option(
      "--seed <n>",
      "seed of the order of trials (default: random, and recorded)",
      wholeNumber("seed", 0, largestSeed),
    )
    .addOption(sharedOptions.prices());
}

/** Adds the options for measuring until ratios are precise. */
function withStoppingOptions(command: Command): Command {
  return command
    .option(
      "--until-precision <share>",
      "add blocks until every ratio is known to this precision, for example 5%",
      percent("until-precision"),
    )
    .option(
      "--max-samples <n>",
      "budget of --until-precision (default: ten times the preset's samples)",
      wholeNumber("max-samples"),
    )
    .option(
      "--max-minutes <n>",
      "budget of --until-precision in minutes (default: 120)",
      decimalNumber("max-minutes"),
    );
}

/** Adds the options for the traffic that a report states costs for. */
export function withTrafficOptions(command: Command): Command {
  return command
    .option(
      "--cold-share <share>",
      "share of cold starts to state costs for (default: 1%)",
      percent("cold-share"),
    )
    .option(
      "--invocations <n>",
      "invocations a month to state costs for (default: 1000000)",
      wholeNumber("invocations", 1),
    );
}
