import completeCommands from "@bomb.sh/tab/commander";
import { Command, type CommanderError, Option } from "commander";
import { InvalidInput } from "../lib/contract/errors.ts";
import { usualStackName } from "../lib/plan/deployment.ts";
import { idleSpreadMs, localIdleMs, longestIdleMs } from "../lib/plan/trial-calls.ts";
import { isRepository } from "../lib/toolchain/project-paths.ts";
import packageJson from "../package.json" with { type: "json" };
import { describeCalibrate } from "./calibrate-options.ts";
import { exitCodes, failOnWords } from "./exit-codes.ts";
import {
  adoptHelp,
  compareHelp,
  completeHelp,
  deployHelp,
  destroyHelp,
  doctorHelp,
  exportHelp,
  fetchHelp,
  importHelp,
  kelvinHelp,
  localHelp,
  measureHelp,
  planHelp,
  pricesHelp,
  reportHelp,
} from "./help.ts";
import {
  decimalNumber,
  givenSizes,
  limits,
  listed,
  network,
  percent,
  since,
  sizesOrAuto,
  stackName,
  wholeNumber,
} from "./option-values.ts";
import { printable } from "./progress.ts";
import { describeRun, withArnOptions, withTrafficOptions } from "./run-options.ts";

/** The command line. Commands are imported when called: --help needs none of them. */
export function kelvinProgram(): Command {
  const program = new Command("kelvin")
    .description("Cold and warm benchmarks of AWS Lambda functions, on AWS and on one machine")
    .version(packageJson.version)
    .addHelpText("after", kelvinHelp)
    .helpCommand("help [command]", "print this list, or the options and examples of a command")
    .showHelpAfterError("(--help lists the commands and options)")
    .configureOutput({
      writeOut: (text) => process.stdout.write(printable(text)),
      writeErr: (text) => process.stderr.write(printable(text)),
    })
    .exitOverride(exitAfterParsing);
  program.commandsGroup("Measure on this machine:");
  describeMeasure(program.command("measure [artefacts...]"));
  describeLocal(inRepository(program.command("local")));
  program.commandsGroup("Measure on AWS:");
  describePlan(program.command("plan"));
  describeAdopt(program.command("adopt <function>"));
  describeDeploy(program.command("deploy [options-of-cdk...]"));
  describeRun(program.command("run")).action(async (words) =>
    exitWith(await (await import("./commands/run.ts")).run(words)),
  );
  describeFetch(program.command("fetch [address]"));
  describeDestroy(program.command("destroy [options-of-cdk...]"));
  describePrices(program.command("prices"));
  program.commandsGroup("Read and compare runs:");
  describeReport(program.command("report <folder>"));
  describeCompare(program.command("compare <before> <after>"));
  describeExport(program.command("export <folder>"));
  describeImport(program.command("import [sources...]"));
  describeCalibrate(program.command("calibrate [folder]"), exitWith);
  program.commandsGroup("Prepare this machine, and help:");
  inRepository(program.command("setup"))
    .description("install what building needs: a Python environment with cargo-lambda and zig")
    .action(async () => await (await import("./commands/setup.ts")).setup());
  inRepository(program.command("doctor"))
    .description("check what this machine has and lacks for Kelvin, and how to get it")
    .option("--json", "print it as JSON")
    .addHelpText("after", doctorHelp)
    .action(async (words) => exitWith((await import("./commands/doctor.ts")).doctor(words)));
  describeComplete(program);
  return program;
}

/** Adds the last command: it completes those that are described by then. */
function describeComplete(program: Command): void {
  completeCommands(program);
  program.commands
    .find((command) => command.name() === "complete")
    ?.description("print the script by which a shell completes commands and options")
    .addHelpText("after", completeHelp);
}

function describeLocal(command: Command): void {
  withTrafficOptions(withRunOptions(command, "quick"))
    .description("run experiments on this machine, without an AWS account")
    .option("--out <folder>", "where to write the run's files (default: runs/<runId>)")
    .addOption(
      new Option("--resume <folder>", "continue an interrupted run with its own plan").conflicts([
        "untilPrecision",
        "maxSamples",
        "maxMinutes",
      ]),
    )
    .option("--plain-http", "serve DynamoDB and S3 without TLS")
    .option(
      "--network <ms>",
      "network delay per request to DynamoDB or S3: delay or delay,jitter; 0 is bare loopback",
      network,
    )
    .option("--idle <ms>", idleText, wholeNumber("idle", 0, longestIdleMs))
    .option("--wait-for-quiet", "wait until nothing else uses the machine, for 10 minutes at most")
    .option("--instructions", "also count instructions, under valgrind, after the timed part")
    .option("--verbose", verboseText)
    .option("--json", "print the manifest as JSON instead of tables")
    .addHelpText("after", localHelp)
    .action(async (words) => exitWith(await (await import("./commands/local.ts")).local(words)));
}

function describeMeasure(command: Command): void {
  const repeated = (text: string, before: readonly string[] = []) => [...before, text];
  command
    .description(
      "measure your own functions on this machine, or deployed ones on AWS by their ARNs",
    )
    .optionsGroup("The functions:")
    .option("--functions <file>", "a functions file, instead of artefacts and the options below")
    .option("--save <file>", "write what is measured as a functions file")
    .option("--runtime <name>", "provided.al2023, python3.N or nodejsN.x (default: as found)")
    .option("--handler <name>", "as Lambda's configuration has it (default: as found)")
    .option("--env <name=value>", "an environment variable; may be repeated", repeated)
    .option("--layer <zip or folder>", "a layer, shown at /opt; may be repeated", repeated)
    .option(
      "--timeout <s>",
      "their timeout in seconds (default: 30)",
      wholeNumber("timeout", 1, 900),
    )
    .option("--python <command>", "what runs Python handlers (default: the runtime's version)")
    .option("--node <command>", "what runs Node.js handlers (default: the runtime's version)")
    .option("--any-version", "run on another version if the runtime's is not installed")
    .optionsGroup("Their events and answers:")
    .option(
      "--event <[name=]json>",
      "a JSON file, or JSON; may be repeated; after sqs: and the like, the body",
      repeated,
    )
    .option("--expect <[name=]json>", "what a right answer contains", repeated)
    .option("--expect-status <[name=]code>", "the statusCode of a right answer", repeated)
    .optionsGroup("The services that they call:")
    .option("--service <list>", "which of them to emulate: dynamodb, s3", listed)
    .option("--table <json>", "a table, as aws dynamodb create-table takes it", repeated)
    .option("--bucket <name>", "a bucket of S3; may be repeated", repeated)
    .option(
      "--network <ms>",
      "what a request takes on its way to them: delay, or delay,jitter; 0 is loopback",
      network,
    )
    .optionsGroup("A gate:")
    .addOption(
      new Option(
        "--fail-on <verdict>",
        "a gate: slower than the first (1), or not-proven to be no slower (6)",
      ).choices(failOnWords),
    )
    .option("--limit <limit>", "such as 'cold.p95 < 800 ms'; may be repeated", limits)
    .option(
      "--margin <share>",
      "the smallest difference that matters (default: 5%)",
      percent("margin"),
    )
    .option(
      "--alpha <share>",
      "share of runs that may call a false difference (default: 5%)",
      percent("alpha"),
    )
    .optionsGroup("The run and its report:")
    .option("--out <folder>", "where to write the run's files (default: runs/<runId>)")
    .option("--resume <folder>", "continue an interrupted run with its own plan")
    .option(
      "--markdown <file>",
      "also write the comparisons for a pull request, in Markdown; - prints them",
    )
    .option("--json", "print the manifest as JSON instead of tables")
    .addHelpText("after", measureHelp);
  withTrafficOptions(command);
  withArnOptions(command.optionsGroup("With the ARN of a deployed function:"));
  withSizeOptions(command.optionsGroup("How much to measure:"), "quick", autoMemory)
    .option("--idle <ms>", idleText, wholeNumber("idle", 0, longestIdleMs))
    .option("--wait-for-quiet", "wait until nothing else uses the machine, for 10 minutes at most")
    .option("--verbose", verboseText)
    .action(async (artefacts, words) =>
      exitWith(await (await import("./commands/measure.ts")).measure(artefacts, words)),
    );
}

function describePlan(command: Command): void {
  withRunOptions(command, "standard")
    .description("print the matrix, duration and cost of a run on AWS, without an account")
    .addOption(
      new Option("--architectures <list>", "arm64, x86_64 or both")
        .argParser(listed)
        .default(["arm64"], "arm64"),
    )
    .addOption(
      new Option("--functions <file>", "plan the functions of a functions file instead").conflicts([
        ...["experiment", "variants", "memory", "architectures"],
      ]),
    )
    .option("--region <name>", "region whose prices to use", "us-east-1")
    .option(
      "--lanes <n>",
      "how many cells to measure at the same time (default: all of a block)",
      wholeNumber("lanes"),
    )
    .option("--json", "print the plan and its estimate as JSON")
    .addHelpText("after", planHelp)
    .action(async (words) => exitWith(await (await import("./commands/plan.ts")).plan(words)));
}

function describeDeploy(command: Command): void {
  command
    .description("check that the account is bootstrapped for the CDK, then run cdk deploy")
    .option("--functions <file>", "deploy copies of the functions of a functions file")
    .option("--stack <name>", "the stack's name", stackName, usualStackName)
    .allowUnknownOption()
    .addHelpText("after", deployHelp)
    .action(async (words, options) =>
      exitWith(await (await import("./commands/deploy.ts")).deploy(words, options)),
    );
}

function describeDestroy(command: Command): void {
  command
    .description("remove the stack with all that is in it, by cdk destroy")
    .option("--stack <name>", "the stack's name", stackName, usualStackName)
    .allowUnknownOption()
    .addHelpText("after", destroyHelp)
    .action(async (words, options) =>
      exitWith(await (await import("./commands/destroy.ts")).destroy(words, options)),
    );
}

function describeFetch(command: Command): void {
  command
    .description("download a run from the results bucket; resumes where it was interrupted")
    .option("--bucket <name>", "the results bucket (an output of the stack)")
    .option("--run <runId>", "which run (default: the latest)")
    .option("--out <folder>", "where to write the files (default: runs/<runId>)")
    .option("--json", "print what was fetched as JSON")
    .addHelpText("after", fetchHelp)
    .action(async (address, words) =>
      exitWith(await (await import("./commands/fetch.ts")).fetch(address, words)),
    );
}

function describeAdopt(command: Command): void {
  command
    .description("write a functions file from a deployed function, without changing or invoking it")
    .option(
      "--out <file>",
      "where the functions file goes, with the zip beside it",
      "functions.json",
    )
    .option("--event <file>", "a JSON file that the function is called with (default: {})")
    .option("--copy-secrets", "copy environment variables that look like secrets, too")
    .addHelpText("after", adoptHelp)
    .action(async (arn, words) =>
      exitWith(await (await import("./commands/adopt.ts")).adopt(arn, words)),
    );
}

function describePrices(command: Command): void {
  command
    .description("write a region's prices of today, from AWS's Price List API, as a price file")
    .option("--region <name>", "whose prices (default: the region that deploy would take)")
    .option("--out <file>", "where the price file goes", "prices.json")
    .option("--profile <name>", "the profile whose credentials to use (default: AWS_PROFILE)")
    .addHelpText("after", pricesHelp)
    .action(async (words) => exitWith(await (await import("./commands/prices.ts")).prices(words)));
}

function describeImport(command: Command): void {
  command
    .description("turn logs, a log group, Logs Insights or Power Tuning output into a run")
    .option("--log-group <name>", "read this log group of the account instead of files")
    .option(
      "--since <time>",
      "how far back: 30m, 12h, 7d, or 2026-01-05T10:00Z (default: 1d)",
      since,
    )
    .option("--variant <name>", "name of the function (default: from the source)")
    .option("--operation <name>", "name of the operation (default: invoke)")
    .option("--runtime <name>", "for example python3.13 (default: from the source)")
    .option("--architecture <name>", "arm64 or x86_64; no source tells")
    .option("--memory <mb>", "memory size, if no source tells", wholeNumber("memory"))
    .option(
      "--region <name>",
      "region of the log group and of the prices (default: from the source)",
    )
    .addOption(
      new Option("--from <format>", "format of the sources (default: detected)").choices([
        "report",
        "events",
        "insights",
        "power-tuning",
      ]),
    )
    .option("--out <folder>", "where to write the run's files (default: runs/<runId>)")
    .option("--prices <file>", "price table to use instead of the built-in one")
    .option("--json", "print the manifest as JSON instead of tables")
    .addHelpText("after", importHelp)
    .action(async (sources, words) =>
      exitWith(await (await import("./commands/import.ts")).importRun(sources, words)),
    );
}

function describeReport(command: Command): void {
  withTrafficOptions(command)
    .description("verify a run's samples and render its report again, without an account")
    .option("--prices <file>", "price table to use instead of the built-in one")
    .addOption(
      new Option(
        "--split <what>",
        "also split every series by the CPU model of its environments",
      ).choices(["cpu"]),
    )
    .option("--limit <limit>", "judge these instead of the run's own; may be repeated", limits)
    .option(
      "--markdown <file>",
      "also write the comparisons for a pull request, in Markdown; - prints them",
    )
    .option("--json", "print the manifest as JSON instead of tables")
    .addHelpText("after", reportHelp)
    .action(async (folder, words) =>
      exitWith(await (await import("./commands/report.ts")).report(folder, words)),
    );
}

function describeExport(command: Command): void {
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
    .action(async (folder, words) =>
      exitWith(await (await import("./commands/export.ts")).exportRun(folder, words)),
    );
}

function describeCompare(command: Command): void {
  command
    .description("compare a later run with an earlier one, series by series; a gate for CI")
    .addOption(
      new Option("--margin <share>", "the smallest relative difference that matters")
        .argParser(percent("margin"))
        .default(0.05, "5%"),
    )
    .addOption(
      new Option(
        "--fail-on <verdict>",
        "what is slower (1), or also not-proven to be no slower (6)",
      )
        .choices(failOnWords)
        .default("slower"),
    )
    .option("--json", "print the comparison as JSON")
    .option("--html <file>", "also write the comparison as an HTML page")
    .option("--markdown <file>", "also write it for a pull request, in Markdown; - prints it")
    .addHelpText("after", compareHelp)
    .action(async (before, after, words) =>
      exitWith(await (await import("./commands/compare.ts")).compare(before, after, words)),
    );
}

/** Marks a command that needs the functions' sources and build tools, which an installed package lacks. */
function inRepository(command: Command): Command {
  return command.hook("preAction", () => {
    if (isRepository) return;
    throw new InvalidInput(
      command.name(),
      "an installed package",
      `Kelvin's repository, whose functions it builds: clone it, then run npm ci and npm run kelvin -- ${command.name()}`,
    );
  });
}

/** Commander has already printed its message: --help succeeds, and unknown words are invalid input. */
function exitAfterParsing({ exitCode }: CommanderError): never {
  process.exit(exitCode === 0 ? exitCodes.complete : exitCodes.badInput);
}

function exitWith(code: number): void {
  process.exitCode = code;
}

/** Adds the options for what to run, and how much of it. */
function withRunOptions(command: Command, preset: string): Command {
  const chosen = command.option(
    "--experiment <list>",
    "which experiment: one, several with commas, or all",
    "dynamodb",
  );
  return withSizeOptions(chosen, preset).option(
    "--variants <list>",
    "variants, for example rust,python",
    listed,
  );
}

interface MemoryOption {
  readonly description: string;
  readonly parse: (text: string) => readonly number[] | "auto";
}

const listedMemory: MemoryOption = {
  description: "memory sizes in MB, for example 128,512",
  parse: givenSizes,
};
const autoMemory: MemoryOption = {
  description: "memory sizes in MB, for example 128,512; auto finds the best of six",
  parse: sizesOrAuto,
};

/** Adds the options for how much is measured. */
function withSizeOptions(
  command: Command,
  preset: string,
  memory: MemoryOption = listedMemory,
): Command {
  return command
    .addOption(
      new Option("--preset <name>", "how many environments and calls to measure")
        .choices(["quick", "standard"])
        .default(preset),
    )
    .option("--memory <list>", memory.description, memory.parse)
    .option("--cold <n>", "new execution environments per cell", wholeNumber("cold", 1, 1000))
    .option(
      "--warm <n>",
      "warm calls per operation and cell, over all its environments",
      wholeNumber("warm"),
    )
    .option(
      "--until-precision <share>",
      "add blocks until every ratio is known to this precision, for example 5%",
      percent("until-precision"),
    )
    .option(
      "--max-samples <n>",
      "budget of --until-precision (default: ten times the preset's samples)",
      wholeNumber("max-samples"),
    )
    .option(
      "--max-minutes <n>",
      "budget of --until-precision in minutes (default: 120)",
      decimalNumber("max-minutes"),
    )
    .option(
      "--seed <n>",
      "seed of the order of trials (default: random, and recorded)",
      wholeNumber("seed", 0, 4_294_967_295),
    )
    .option("--prices <file>", "price table to use instead of the built-in one");
}

const verboseText = "also tell details such as ids of cells and how CPU time is shared";
const idleText = `idle time before each call but the first, and up to ${idleSpreadMs} ms more (default: ${localIdleMs})`;
