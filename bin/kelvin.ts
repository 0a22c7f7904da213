#!/usr/bin/env -S npx tsx
import { Command } from "commander";
import { describeError } from "../lib/contract/errors.ts";
import { exitCodes } from "./exit-codes.ts";
import { localHelp, planHelp } from "./help.ts";

// The engines field says which Node is needed; the SDK would repeat it on every run.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = "true";

// Commands are imported when they are called: --help needs none of them.
const program = new Command("kelvin")
  .description("Cold and warm benchmarks of AWS Lambda functions, on AWS and on one machine")
  .showHelpAfterError();

withRunOptions(program.command("local"), "quick")
  .description("run an experiment on this machine, with no AWS account")
  .option("--out <folder>", "where the run's files go (default: runs/<runId>)")
  .option("--resume <folder>", "go on with an interrupted run")
  .option("--plain-http", "serve DynamoDB without TLS")
  .option("--json", "print the manifest as JSON instead of tables")
  .addHelpText("after", localHelp)
  .action(async (words) => exitWith(await (await import("./commands/local.ts")).local(words)));

withRunOptions(program.command("plan"), "standard")
  .description("print what a run on AWS would invoke, take and cost, with no account")
  .option("--architectures <list>", "arm64, x86_64 or both", "arm64")
  .option("--region <name>", "whose prices to take", "us-east-1")
  .option("--lanes <n>", "cells measured at the same time", "8")
  .option("--json", "print the plan as JSON")
  .addHelpText("after", planHelp)
  .action(async (words) => exitWith(await (await import("./commands/plan.ts")).plan(words)));

program
  .command("report <folder>")
  .description("render a run's report again from its samples")
  .option("--prices <file>", "a price table instead of the one that Kelvin carries")
  .option("--json", "print the manifest as JSON instead of tables")
  .action(async (folder, words) =>
    exitWith(await (await import("./commands/report.ts")).report(folder, words)),
  );

program
  .command("fetch")
  .description("bring a run from the results bucket to disk; goes on where it was interrupted")
  .requiredOption("--bucket <name>", "the results bucket (an output of the stack)")
  .option("--run <runId>", "which run (default: the latest)")
  .option("--out <folder>", "where the files go (default: runs/<runId>)")
  .action(async (words) => exitWith(await (await import("./commands/fetch.ts")).fetch(words)));

program
  .command("setup")
  .description("install what building needs: the Python environment with cargo-lambda and zig")
  .action(async () => await (await import("./commands/setup.ts")).setup());

program.parseAsync().catch((error: unknown) => {
  const { type, message } = describeError(error);
  process.stderr.write(`kelvin: ${message}\n`);
  exitWith(type === "InvalidInput" ? exitCodes.badInput : exitCodes.failed);
});

function withRunOptions(command: Command, preset: string): Command {
  return command
    .option("--experiment <id>", "which experiment", "dynamodb")
    .option("--preset <name>", "quick or standard: how many environments and calls", preset)
    .option("--memory <list>", "memory sizes in MB, for example 128,512")
    .option("--variants <list>", "variants, for example rust,python")
    .option("--cold <n>", "new execution environments a cell")
    .option("--warm <n>", "warm calls an operation and cell, over all its environments")
    .option("--seed <n>", "seed of the order of visits (default: drawn, and recorded)")
    .option("--prices <file>", "a price table instead of the one that Kelvin carries");
}

function exitWith(code: number): void {
  process.exitCode = code;
}
