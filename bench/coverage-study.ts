import { Command } from "commander";
import { exitCodes } from "../bin/exit-codes.ts";
import { Progress } from "../bin/progress.ts";
import { InvalidInput } from "../lib/contract/errors.ts";
import { populations } from "./interval-study/populations.ts";
import { designs, publishedOptions, tableHead, tableRows } from "./interval-study/table.ts";

interface Words {
  readonly rounds: string;
}

const command = new Command("study:coverage")
  .description("holds intervals and verdicts against synthetic samples of which the truth is known")
  .option("--rounds <n>", "runs a row", String(publishedOptions.rounds))
  .exitOverride(({ exitCode }) => process.exit(exitCode && exitCodes.badInput))
  .parse();

try {
  printStudy(command.opts<Words>());
} catch (error) {
  if (!(error instanceof InvalidInput)) throw error;
  process.stderr.write(`study:coverage: ${error.message}\n`);
  process.exitCode = exitCodes.badInput;
}

/** Rows come as they are counted; the table is that of docs/coverage.md. */
function printStudy({ rounds }: Words): void {
  if (!/^[1-9]\d{0,6}$/.test(rounds)) {
    throw new InvalidInput("rounds", rounds, "a whole number from 1 to 9999999");
  }
  const options = { ...publishedOptions, rounds: Number(rounds) };
  const progress = new Progress();
  process.stdout.write(`${tableHead.join("\n")}\n`);
  let done = 0;
  for (const row of tableRows(options)) {
    process.stdout.write(`${row}\n`);
    done += 1;
    progress.show(`${done} of ${populations.length * designs.length} rows`);
  }
  progress.end();
}
