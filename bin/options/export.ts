import { type Command, Option } from "commander";
import { exitCodesHelp } from "../exit-codes.ts";
import { exitWith } from "./shared-options.ts";

/** Text after the options in `kelvin export --help`. */
const exportHelp = `
Writes every sample of every experiment, one per line, including rejected ones with their reason.
The run is verified first. Summaries of all series are already in the run: series.csv and
summary.json. docs/data.md describes each column, and docs/read-samples.py reads them.
With --format bencher: means with their 95% CI in Bencher's metric format. Each cell, phase and
operation is a benchmark; its measures, such as duration-ms, are named with their unit.

Examples
  kelvin export runs/20260102T0304Z-a1b2c3 > samples.csv
  kelvin export runs/20260102T0304Z-a1b2c3 --format jsonl --out samples.jsonl
  kelvin export runs/20260102T0304Z-a1b2c3 --format bencher --out metrics.json

${exitCodesHelp}`;

/** Describes `kelvin export`. */
export function describeExport(command: Command): void {
  command
    .description("write every sample of a run to one file, or its means for a dashboard")
    .addOption(
      new Option(
        "--format <name>",
        "jsonl: samples as recorded; bencher: means, as Bencher takes them",
      )
        .choices(["csv", "jsonl", "bencher"])
        .default("csv"),
    )
    .option("--out <file>", "where to write it (default: standard output)")
    .addHelpText("after", exportHelp)
    .action(async (folder, options) =>
      exitWith(await (await import("../commands/export.ts")).exportRun(folder, options)),
    );
}
