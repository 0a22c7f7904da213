import { Command, type CommanderError, Option } from "commander";
import packageJson from "../package.json" with { type: "json" };
import { exitCodes } from "./exit-codes.ts";
import {
  compareHelp,
  deployHelp,
  doctorHelp,
  exportHelp,
  fetchHelp,
  importHelp,
  kelvinHelp,
  localHelp,
  planHelp,
  reportHelp,
} from "./help.ts";
import {
  decimalNumber,
  listed,
  network,
  percent,
  wholeNumber,
  wholeNumbers,
} from "./option-values.ts";
import { printable } from "./progress.ts";

/** The command line. Commands are imported when they are called: --help needs none of them. */
export function kelvinProgram(): Command {
  const program = new Command("kelvin")
    .description("Cold and warm benchmarks of AWS Lambda functions, on AWS and on one machine")
    .version(packageJson.version)
    .addHelpText("after", kelvinHelp)
    .showHelpAfterError("(--help lists what there is)")
    .configureOutput({
      writeOut: (text) => process.stdout.write(printable(text)),
      writeErr: (text) => process.stderr.write(printable(text)),
    })
    .exitOverride(exitAfterParsing);
  describeLocal(program.command("local"));
  describePlan(program.command("plan"));
  describeDeploy(program.command("deploy [options-of-cdk...]"));
  describeFetch(program.command("fetch [address]"));
  describeImport(program.command("import <sources...>"));
  describeReport(program.command("report <folder>"));
  describeExport(program.command("export <folder>"));
  describeCompare(program.command("compare <before> <after>"));
  program
    .command("setup")
    .description("install what building needs: the Python environment with cargo-lambda and zig")
    .action(async () => await (await import("./commands/setup.ts")).setup());
  program
    .command("doctor")
    .description("say what this machine has and lacks for Kelvin, and how to get it")
    .option("--json", "print it as JSON")
    .addHelpText("after", doctorHelp)
    .action(async (words) => exitWith((await import("./commands/doctor.ts")).doctor(words)));
  return program;
}

function describeLocal(command: Command): void {
  withTrafficOptions(withRunOptions(command, "quick"))
    .description("run experiments on this machine, with no AWS account")
    .option("--out <folder>", "where the run's files go (default: runs/<runId>)")
    .addOption(
      new Option("--resume <folder>", "go on with an interrupted run, by its own plan").conflicts([
        "untilPrecision",
        "maxSamples",
        "maxMinutes",
      ]),
    )
    .option("--plain-http", "serve DynamoDB and S3 without TLS")
    .option(
      "--network <ms>",
      "what a request takes on its way to DynamoDB or S3: delay, or delay,jitter; 0 is loopback",
      network,
    )
    .option("--instructions", "count instructions too, under valgrind, after what is timed")
    .option("--json", "print the manifest as JSON instead of tables")
    .addHelpText("after", localHelp)
    .action(async (words) => exitWith(await (await import("./commands/local.ts")).local(words)));
}

function describePlan(command: Command): void {
  withRunOptions(command, "standard")
    .description("print the matrix of a run on AWS, what it takes and costs, with no account")
    .addOption(
      new Option("--architectures <list>", "arm64, x86_64 or both")
        .argParser(listed)
        .default(["arm64"], "arm64"),
    )
    .option("--region <name>", "whose prices to take", "us-east-1")
    .option("--lanes <n>", "cells measured at the same time", wholeNumber("lanes"), 8)
    .option("--json", "print the plan as JSON, with its estimate")
    .addHelpText("after", planHelp)
    .action(async (words) => exitWith(await (await import("./commands/plan.ts")).plan(words)));
}

function describeDeploy(command: Command): void {
  command
    .description("check that the account is bootstrapped for the CDK, then run cdk deploy")
    .allowUnknownOption()
    .addHelpText("after", deployHelp)
    .action(async (words) => exitWith(await (await import("./commands/deploy.ts")).deploy(words)));
}

function describeFetch(command: Command): void {
  command
    .description("bring a run from the results bucket to disk; goes on where it was interrupted")
    .option("--bucket <name>", "the results bucket (an output of the stack)")
    .option("--run <runId>", "which run (default: the latest)")
    .option("--out <folder>", "where the files go (default: runs/<runId>)")
    .option("--json", "print what was fetched as JSON")
    .addHelpText("after", fetchHelp)
    .action(async (address, words) =>
      exitWith(await (await import("./commands/fetch.ts")).fetch(address, words)),
    );
}

function describeImport(command: Command): void {
  command
    .description("make a run of what others measured: logs, Logs Insights CSV, Power Tuning output")
    .option("--variant <name>", "what the function is called (default: as the source says)")
    .option("--operation <name>", "what it was asked for (default: invoke)")
    .option("--runtime <name>", "for example python3.13 (default: as the source says)")
    .option("--architecture <name>", "arm64 or x86_64; no source says it")
    .option("--memory <mb>", "memory size, where no source says it", wholeNumber("memory"))
    .option("--region <name>", "whose prices to take (default: as the source says)")
    .addOption(
      new Option("--from <format>", "what the sources are (default: detected)").choices([
        "report",
        "insights",
        "power-tuning",
      ]),
    )
    .option("--out <folder>", "where the run's files go (default: runs/<runId>)")
    .option("--prices <file>", "a price table instead of the one that Kelvin carries")
    .option("--json", "print the manifest as JSON instead of tables")
    .addHelpText("after", importHelp)
    .action(async (sources, words) =>
      exitWith(await (await import("./commands/import.ts")).importRun(sources, words)),
    );
}

function describeReport(command: Command): void {
  withTrafficOptions(command)
    .description("verify a run's samples and render its report again, with no account")
    .option("--prices <file>", "a price table instead of the one that Kelvin carries")
    .addOption(
      new Option("--split <what>", "state every series by its environments' CPU model too").choices(
        ["cpu"],
      ),
    )
    .option("--json", "print the manifest as JSON instead of tables")
    .addHelpText("after", reportHelp)
    .action(async (folder, words) =>
      exitWith(await (await import("./commands/report.ts")).report(folder, words)),
    );
}

function describeExport(command: Command): void {
  command
    .description("every sample of a run in one file, for a notebook or a spreadsheet")
    .addOption(
      new Option("--format <name>", "jsonl gives the samples as they were recorded")
        .choices(["csv", "jsonl"])
        .default("csv"),
    )
    .option("--out <file>", "where it goes (default: the standard output)")
    .addHelpText("after", exportHelp)
    .action(async (folder, words) =>
      exitWith(await (await import("./commands/export.ts")).exportRun(folder, words)),
    );
}

function describeCompare(command: Command): void {
  command
    .description("hold a later run against an earlier one, series by series; a gate for CI")
    .addOption(
      new Option("--margin <share>", "the relative difference that matters")
        .argParser(percent("margin"))
        .default(0.05, "5%"),
    )
    .option("--json", "print the comparison as JSON")
    .option("--html <file>", "write the comparison as a page, too")
    .addHelpText("after", compareHelp)
    .action(async (before, after, words) =>
      exitWith(await (await import("./commands/compare.ts")).compare(before, after, words)),
    );
}

/** Commander has printed already: --help ends well, and words that it does not know are bad input. */
function exitAfterParsing({ exitCode }: CommanderError): never {
  process.exit(exitCode === 0 ? exitCodes.complete : exitCodes.badInput);
}

function exitWith(code: number): void {
  process.exitCode = code;
}

/** What to run, and how much of it. */
function withRunOptions(command: Command, preset: string): Command {
  return command
    .option("--experiment <list>", "which experiment: one, several with commas, or all", "dynamodb")
    .addOption(
      new Option("--preset <name>", "how many environments and calls")
        .choices(["quick", "standard"])
        .default(preset),
    )
    .option("--memory <list>", "memory sizes in MB, for example 128,512", wholeNumbers("memory"))
    .option("--variants <list>", "variants, for example rust,python", listed)
    .option("--cold <n>", "new execution environments a cell", wholeNumber("cold", 1, 1000))
    .option(
      "--warm <n>",
      "warm calls an operation and cell, over all its environments",
      wholeNumber("warm"),
    )
    .option(
      "--until-precision <share>",
      "add blocks until every ratio is known to this: 5%",
      percent("until-precision"),
    )
    .option(
      "--max-samples <n>",
      "its budget (default: ten times the preset's samples)",
      wholeNumber("max-samples"),
    )
    .option("--max-minutes <n>", "its budget (default: 120)", decimalNumber("max-minutes"))
    .option(
      "--seed <n>",
      "seed of the order of trials (default: drawn, and recorded)",
      wholeNumber("seed", 0, 4_294_967_295),
    )
    .option("--prices <file>", "a price table instead of the one that Kelvin carries");
}

/** What a report states costs for. */
function withTrafficOptions(command: Command): Command {
  return command
    .option(
      "--cold-share <share>",
      "of the invocations whose cost is stated (default: 1%)",
      percent("cold-share"),
    )
    .option(
      "--invocations <n>",
      "a month, whose cost is stated (default: 1000000)",
      wholeNumber("invocations", 1),
    );
}
