import type { Command } from "commander";

/** What to run, and how much of it. */
export function withRunOptions(command: Command, preset: string): Command {
  return command
    .option("--experiment <list>", "which experiment: one, several with commas, or all", "dynamodb")
    .option("--preset <name>", "quick or standard: how many environments and calls", preset)
    .option("--memory <list>", "memory sizes in MB, for example 128,512")
    .option("--variants <list>", "variants, for example rust,python")
    .option("--cold <n>", "new execution environments a cell")
    .option("--warm <n>", "warm calls an operation and cell, over all its environments")
    .option("--until-precision <share>", "add blocks until every ratio is known to this: 5%")
    .option("--max-samples <n>", "its budget (default: ten times the preset's samples)")
    .option("--max-minutes <n>", "its budget (default: 120)")
    .option("--seed <n>", "seed of the order of visits (default: drawn, and recorded)")
    .option("--prices <file>", "a price table instead of the one that Kelvin carries");
}

/** What a report states costs for. */
export function withTrafficOptions(command: Command): Command {
  return command
    .option("--cold-share <share>", "of the invocations whose cost is stated (default: 1%)")
    .option("--invocations <n>", "a month, whose cost is stated (default: 1000000)");
}
