#!/usr/bin/env -S npx tsx
import { Command } from "commander";
import { describeError } from "../lib/contract/errors.ts";
import { local } from "./commands/local.ts";
import { setup } from "./commands/setup.ts";
import { exitCodes } from "./exit-codes.ts";
import { localHelp } from "./help.ts";

const program = new Command("kelvin")
  .description("Cold and warm benchmarks of AWS Lambda functions, on AWS and on one machine")
  .showHelpAfterError();

program
  .command("local")
  .description("run an experiment on this machine, with no AWS account")
  .option("--experiment <id>", "which experiment", "dynamodb")
  .option("--preset <name>", "quick or standard: how many environments and calls", "quick")
  .option("--memory <list>", "memory sizes in MB, for example 128,512")
  .option("--variants <list>", "variants, for example rust,python")
  .option("--cold <n>", "new execution environments a cell")
  .option("--warm <n>", "warm calls an operation and cell, over all its environments")
  .option("--seed <n>", "seed of the order of visits (default: drawn, and recorded)")
  .option("--out <folder>", "where the run's files go (default: runs/<runId>)")
  .option("--resume <folder>", "go on with an interrupted run")
  .option("--prices <file>", "a price table instead of the one that Kelvin carries")
  .option("--plain-http", "serve DynamoDB without TLS")
  .option("--json", "print the manifest as JSON instead of tables")
  .addHelpText("after", localHelp)
  .action(async (words) => {
    process.exitCode = await local(words);
  });

program
  .command("setup")
  .description("install what building needs: the Python environment with cargo-lambda and zig")
  .action(async () => await setup());

program.parseAsync().catch((error: unknown) => {
  const { type, message } = describeError(error);
  process.stderr.write(`kelvin: ${message}\n`);
  process.exitCode = type === "InvalidInput" ? exitCodes.badInput : exitCodes.failed;
});
