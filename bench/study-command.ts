import { Command } from "commander";
import { exitCodes } from "../bin/exit-codes.ts";
import { Progress } from "../bin/progress.ts";
import { InvalidInput } from "../lib/contract/errors.ts";
import { runBench } from "./run-bench.ts";

/** A table as printed in a document. */
interface PrintedTable {
  readonly name: string;
  readonly head: readonly string[];
  /** Rows, each computed from this many simulated runs. */
  readonly rows: (runs: number) => Iterable<string>;
}

interface Study {
  readonly name: string;
  readonly description: string;
  /** The option for the number of simulated runs, and the published number. */
  readonly runs: { readonly option: string; readonly help: string; readonly published: number };
  readonly tables: readonly PrintedTable[];
}

/** Prints a study's tables for its document, each row as soon as it is computed. */
export async function runStudy({ name, description, runs, tables }: Study): Promise<void> {
  const { option, help, published } = runs;
  const command = new Command(name)
    .description(description)
    .option(`--${option} <n>`, help, String(published))
    .option("--table <name>", `prints one table alone: ${tables.map(nameOf).join(", ")}`);
  await runBench<Record<string, string>>(command, ({ [option]: wanted = "", table }) => {
    if (!/^[1-9]\d{0,6}$/.test(wanted)) {
      throw new InvalidInput(option, wanted, "a whole number from 1 to 9999999");
    }
    const printed = tables.filter(({ name: its }) => table === undefined || its === table);
    if (printed.length === 0) {
      throw new InvalidInput("table", table, `one of ${tables.map(nameOf).join(", ")}`);
    }
    printTables(printed, Number(wanted));
    return exitCodes.complete;
  });
}

function nameOf({ name }: PrintedTable): string {
  return name;
}

function printTables(tables: readonly PrintedTable[], runs: number): void {
  const progress = new Progress();
  let done = 0;
  for (const { name, head, rows } of tables) {
    process.stdout.write(`${done === 0 ? "" : "\n"}${head.join("\n")}\n`);
    for (const row of rows(runs)) {
      process.stdout.write(`${row}\n`);
      done += 1;
      progress.show(`${done} rows, ${name}`);
    }
  }
  progress.end();
}
