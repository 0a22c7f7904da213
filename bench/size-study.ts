import { Command } from "commander";
import { exitCodes } from "../bin/exit-codes.ts";
import { InvalidInput } from "../lib/contract/errors.ts";
import { runBench } from "./run-bench.ts";
import { publishedSizes, sizesHead, sizesRows } from "./size-study/table.ts";

/** Rows come as they are counted; the table is that of docs/choosing-memory.md. */
function printSizeStudy({ runs }: { readonly runs: string }): number {
  if (!/^[1-9]\d{0,6}$/.test(runs)) {
    throw new InvalidInput("runs", runs, "a whole number from 1 to 9999999");
  }
  process.stdout.write(`${sizesHead.join("\n")}\n`);
  for (const row of sizesRows({ ...publishedSizes, runs: Number(runs) })) {
    process.stdout.write(`${row}\n`);
  }
  return exitCodes.complete;
}

const command = new Command("study:sizes")
  .description("chooses memory sizes of simulated functions of which the best is known")
  .option("--runs <n>", "runs a row", String(publishedSizes.runs));

await runBench(command, printSizeStudy);
