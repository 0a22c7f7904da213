import { Command } from "commander";
import { exitCodes } from "../bin/exit-codes.ts";
import { Progress } from "../bin/progress.ts";
import { InvalidInput } from "../lib/contract/errors.ts";
import { publishedOptions, studyTables } from "./interval-study/table.ts";
import { runBench } from "./run-bench.ts";

interface Words {
  readonly rounds: string;
}

/** Rows come as they are counted; the tables are those of docs/coverage.md. */
function printStudy({ rounds }: Words): number {
  if (!/^[1-9]\d{0,6}$/.test(rounds)) {
    throw new InvalidInput("rounds", rounds, "a whole number from 1 to 9999999");
  }
  const options = { ...publishedOptions, rounds: Number(rounds) };
  const progress = new Progress();
  let done = 0;
  for (const { name, head, rows } of studyTables) {
    process.stdout.write(`${done === 0 ? "" : "\n"}${head.join("\n")}\n`);
    for (const row of rows(options)) {
      process.stdout.write(`${row}\n`);
      done += 1;
      progress.show(`${done} rows, ${name}`);
    }
  }
  progress.end();
  return exitCodes.complete;
}

const command = new Command("study:coverage")
  .description("checks intervals and verdicts with synthetic samples whose truth is known")
  .option("--rounds <n>", "runs a row", String(publishedOptions.rounds));

await runBench(command, printStudy);
