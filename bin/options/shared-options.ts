import { type Command, Option } from "commander";
import { largestSeed } from "../../lib/contract/seeded-order.ts";
import { idleSpreadMs, localIdleMs } from "../../lib/plan/trial-calls.ts";
import {
  decimalNumber,
  parseList,
  parseSizes,
  parseSizesOrAuto,
  percent,
  wholeNumber,
} from "./option-values.ts";

/** Ends the process with this code once its output is written. */
export function exitWith(code: number): void {
  process.exitCode = code;
}

export const verboseText = "also print details, such as cell ids and how CPU time is shared";
export const idleText = `idle time before each call but the first, and up to ${idleSpreadMs} ms more (default: ${localIdleMs})`;

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
  return command
    .addOption(
      new Option("--preset <name>", "how many environments and calls to measure")
        .choices(["quick", "standard"])
        .default(preset),
    )
    .option("--memory <list>", memory.description, memory.parse)
    .option(
      "--cold <n>",
      "new execution environments per function and size",
      wholeNumber("cold", 1, 1000),
    )
    .option(
      "--warm <n>",
      "warm calls per operation, function and size, over all environments",
      wholeNumber("warm"),
    )
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
    )
    .option(
      "--seed <n>",
      "seed of the order of trials (default: random, and recorded)",
      wholeNumber("seed", 0, largestSeed),
    )
    .option("--prices <file>", "price table to use instead of the built-in one");
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
