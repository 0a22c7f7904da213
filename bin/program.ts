import completeCommands from "@bomb.sh/tab/commander";
import { Command, type CommanderError } from "commander";
import packageJson from "../package.json" with { type: "json" };
import { exitCodes } from "./exit-codes.ts";
import { completeHelp, kelvinHelp } from "./help.ts";
import { describeAdopt } from "./options/adopt.ts";
import { describeCompare } from "./options/compare.ts";
import { describeDeploy } from "./options/deploy.ts";
import { describeDestroy } from "./options/destroy.ts";
import { describeExport } from "./options/export.ts";
import { describeFetch } from "./options/fetch.ts";
import { describeImport } from "./options/import.ts";
import { describeLocal } from "./options/local.ts";
import { describeMeasure } from "./options/measure.ts";
import { describePlan } from "./options/plan.ts";
import { describePrices } from "./options/prices.ts";
import { describeReport } from "./options/report.ts";
import { describeDoctor, describeSetup } from "./options/repository.ts";
import { describeRun } from "./options/run.ts";
import { printable } from "./progress.ts";

/** The commands by their usage, in the groups and the order of the help. */
const commandGroups: Record<string, Record<string, (command: Command) => void>> = {
  "Measure on this machine:": { "measure [artefacts...]": describeMeasure, local: describeLocal },
  "Measure on AWS:": {
    plan: describePlan,
    "adopt <function>": describeAdopt,
    "deploy [options-of-cdk...]": describeDeploy,
    run: describeRun,
    "fetch [address]": describeFetch,
    "destroy [options-of-cdk...]": describeDestroy,
    prices: describePrices,
  },
  "Read and compare runs:": {
    "report <folder>": describeReport,
    "compare <before> <after>": describeCompare,
    "export <folder>": describeExport,
    "import [sources...]": describeImport,
  },
  "Prepare this machine, and help:": { setup: describeSetup, doctor: describeDoctor },
};

/** Returns the command line. Commands are imported when called: --help needs none of them. */
export function kelvinProgram(): Command {
  const program = new Command("kelvin")
    .description("Cold and warm benchmarks of AWS Lambda functions, on AWS and on one machine")
    .version(packageJson.version)
    .addHelpText("after", kelvinHelp)
    .showHelpAfterError("(--help lists the commands and options)")
    .configureOutput({
      writeOut: (text) => process.stdout.write(printable(text)),
      writeErr: (text) => process.stderr.write(printable(text)),
    })
    .exitOverride(exitAfterParsing);
  for (const [group, commands] of Object.entries(commandGroups)) {
    program.commandsGroup(group);
    for (const [usage, describe] of Object.entries(commands)) describe(program.command(usage));
  }
  program.helpCommand(
    "help [command]",
    "print this list, or the options and examples of a command",
  );
  describeComplete(program);
  return program;
}

/** Adds `complete`. It comes last because it completes only the commands described before it. */
function describeComplete(program: Command): void {
  completeCommands(program);
  program.commands
    .find((command) => command.name() === "complete")
    ?.description("print the script by which a shell completes commands and options")
    .addHelpText("after", completeHelp);
}

/** Commander has already printed its message: --help succeeds, and unknown words are invalid input. */
function exitAfterParsing({ exitCode }: CommanderError): never {
  process.exit(exitCode === 0 ? exitCodes.complete : exitCodes.badInput);
}
