import type { Command } from "commander";
import { exitWith, sharedOptions } from "./shared-options.ts";

/** Text after the options in `kelvin destroy --help`. */
const destroyHelp = `
What it does
  Runs cdk destroy on the stack Kelvin, with the same options; \`cdk destroy --help\` lists them. Needs
  nothing of what was deployed: no functions file, no artefacts and no Rust. Results are deleted with
  the stack, unless it was deployed with -c keepResults=true: then it says where they are. What the CDK
  uploaded for the stack is deleted too, after cdk destroy as well; the bootstrap stays. While a run is
  under way on the stack, nothing is destroyed; with --force, the run is stopped first, and nothing is
  asked. Without a terminal, --force is needed.

Examples
  kelvin destroy                                  asks first
  kelvin destroy --profile sandbox --force

Exit codes
  those of cdk destroy   2 bad input: no such stack, a run under way, or nobody to ask; nothing was
                           destroyed
                         5 the stack is destroyed, but what was uploaded for it is not deleted
`;

/** Describes `kelvin destroy`. */
export function describeDestroy(command: Command): void {
  command
    .description("remove the stack with all that is in it, by cdk destroy")
    .addOption(sharedOptions.stack())
    .addOption(sharedOptions.qualifier())
    .allowUnknownOption()
    .addHelpText("after", destroyHelp)
    .action(async (args, options) =>
      exitWith(await (await import("../commands/destroy.ts")).destroy(args, options)),
    );
}
