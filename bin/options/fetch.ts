import type { Command } from "commander";
import { exitCodesHelp } from "../exit-codes.ts";
import { exitWith } from "./shared-options.ts";

/** Text after the options in `kelvin fetch --help`. */
const fetchHelp = `
The address is s3://BUCKET/runs/<runId>, as the state machine prints it (any file below it works,
too), or s3://BUCKET for the latest run. Region and credentials are those of the AWS CLI.

Files that are already here are not downloaded again: after Ctrl-C or a lost connection, the same
command fetches the rest. Each file is checked against S3's MD5 and appears whole or not at all. At
the end, everything that was measured is checked against SHA256SUMS, the last file that a run writes
(sha256sum -c SHA256SUMS does the same). A run that was stopped has no SHA256SUMS: it is fetched and
reported as unfinished.

Examples
  kelvin fetch s3://BUCKET/runs/20260102T0304Z-a1b2c3
  kelvin fetch --bucket BUCKET --out /tmp/run --json

${exitCodesHelp}`;

/** Describes `kelvin fetch`. */
export function describeFetch(command: Command): void {
  command
    .description("download a run from the results bucket; resumes where it was interrupted")
    .option("--bucket <name>", "the results bucket (an output of the stack)")
    .option("--run <runId>", "which run (default: the latest)")
    .option("--out <folder>", "where to write the files (default: runs/<runId>)")
    .option("--json", "print what was fetched as JSON")
    .addHelpText("after", fetchHelp)
    .action(async (address, options) =>
      exitWith(await (await import("../commands/fetch.ts")).fetch(address, options)),
    );
}
