import type { Command } from "commander";
import { exitWith, sharedOptions } from "./shared-options.ts";

/** Text after the options in `kelvin deploy --help`. */
const deployHelp = `
What it does
  Checks for the CDK's bootstrap, which \`npx cdk bootstrap\` creates once per account and region, and
  says what to run if there is none: cdk deploy would only notice after building the Rust functions.
  Another qualifier than the usual one is found if it is the only one, and chosen with --qualifier.
  Then runs cdk deploy with the same options; \`cdk deploy --help\` lists them.
  With --functions, what is deployed are copies of your functions, each at every memory size of its
  own matrix. The file is written by kelvin measure --save or kelvin adopt. Your own functions are
  neither changed nor invoked. An installed package deploys these only: Kelvin's own experiments are
  built in its repository.
  While a run is under way on the stack, nothing is deployed: it would fail the run (--force deploys
  all the same). Functions and tables that were deleted by hand are named; --revert-drift creates them
  anew, where cdk deploy alone finds no changes.

Examples
  kelvin deploy                                   the default matrix of dynamodb
  kelvin deploy -c experiments=dynamodb,compute -c memory=128,1769
  kelvin deploy --functions functions.json        copies of your own functions
  kelvin deploy --functions functions.json -c keepResults=true
  kelvin deploy --profile sandbox --require-approval never

Exit codes
  those of cdk deploy   2 bad input: no such functions file, no credentials, no bootstrap, or
                          a run under way; nothing was built
`;

/** Describes `kelvin deploy`. */
export function describeDeploy(command: Command): void {
  command
    .description("check that the account is bootstrapped for the CDK, then run cdk deploy")
    .option("--functions <file>", "deploy copies of the functions of a functions file")
    .addOption(sharedOptions.stack())
    .addOption(sharedOptions.qualifier())
    .addOption(sharedOptions.toolkitStack())
    .allowUnknownOption()
    .addHelpText("after", deployHelp)
    .action(async (args, options) =>
      exitWith(await (await import("../commands/deploy.ts")).deploy(args, options)),
    );
}
