import { Command } from "commander";
import { exitCodes } from "../bin/exit-codes.ts";
import { InvalidInput } from "../lib/contract/errors.ts";
import { gateHead, gateRows, publishedGate } from "./gate-study/table.ts";
import { runBench } from "./run-bench.ts";

/** Rows come as they are counted; the table is that of docs/regression-gate.md. */
function printGateStudy({ rounds }: { readonly rounds: string }): number {
  if (!/^[1-9]\d{0,6}$/.test(rounds)) {
    throw new InvalidInput("rounds", rounds, "a whole number from 1 to 9999999");
  }
  process.stdout.write(`${gateHead.join("\n")}\n`);
  for (const row of gateRows({ ...publishedGate, rounds: Number(rounds) })) {
    process.stdout.write(`${row}\n`);
  }
  return exitCodes.complete;
}

const command = new Command("study:gate")
  .description("holds two builds of one run against two runs, under a load made on purpose")
  .option("--rounds <n>", "runs a share", String(publishedGate.rounds));

await runBench(command, printGateStudy);
