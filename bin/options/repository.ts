import type { Command } from "commander";
import { InvalidInput } from "../../lib/contract/errors.ts";
import { isRepository } from "../../lib/toolchain/project-paths.ts";
import { exitCodesHelp } from "../exit-codes.ts";
import { exitWith } from "./shared-options.ts";

/** Marks a command that needs the functions' sources and build tools, which an installed package lacks. */
export function inRepository(command: Command): Command {
  return command.hook("preAction", () => {
    if (isRepository) return;
    throw new InvalidInput(
      command.name(),
      "an installed package",
      `Kelvin's repository, whose functions it builds: clone it, then run npm ci and npm run kelvin -- ${command.name()}`,
    );
  });
}

/** Describes `kelvin setup`. */
export function describeSetup(command: Command): void {
  inRepository(command)
    .description("install what building needs: a Python environment with cargo-lambda and zig")
    .action(async () => await (await import("../commands/setup.ts")).setup());
}

/** Text after the options in `kelvin doctor --help`. */
const doctorHelp = `
Installs nothing, builds nothing and does not contact AWS. kelvin deploy checks the credentials
itself.

${exitCodesHelp}`;

/** Describes `kelvin doctor`. */
export function describeDoctor(command: Command): void {
  inRepository(command)
    .description("check what this machine has and lacks for Kelvin, and how to get it")
    .option("--json", "print it as JSON")
    .addHelpText("after", doctorHelp)
    .action(async (options) => exitWith((await import("../commands/doctor.ts")).doctor(options)));
}
