import { resolve } from "node:path";
import { accountAccess } from "../../lib/aws/account-access.ts";
import { bootstrapClient, requireBootstrap } from "../../lib/aws/bootstrap-stack.ts";
import { InvalidInput } from "../../lib/contract/errors.ts";
import { readFunctionsFile } from "../../lib/functions/functions-file.ts";
import { needsRepository } from "../../lib/infra/stack-context.ts";
import { isRepository } from "../../lib/toolchain/project-paths.ts";
import { pricesToDeploy } from "./deploy-prices.ts";
import { optionValue, runCdk } from "./run-cdk.ts";

interface DeployOptions {
  /** A functions file, whose functions are deployed instead of the experiments. */
  readonly functions?: string;
}

/**
 * `kelvin deploy`: sees that the CDK's bootstrap is there, and hands the words to `cdk deploy`. The CDK itself
 * finds out only when it uploads, after the functions were built. Returns the exit code.
 * Throws InvalidInput where a deploy could not succeed.
 */
export async function deploy(
  words: readonly string[],
  { functions }: DeployOptions = {},
): Promise<number> {
  if (functions === undefined && !isRepository) {
    throw new InvalidInput("--functions", undefined, `a functions file; ${needsRepository}`);
  }
  // What is wrong in it is known before the account is asked for anything.
  if (functions !== undefined) readFunctionsFile(functions);
  const client = await bootstrapClient(optionValue("--profile", words));
  const unchecked = await requireBootstrap(client, optionValue("--toolkit-stack-name", words));
  if (unchecked !== undefined) process.stderr.write(`${unchecked}\n`);
  const context = functions === undefined ? [] : ["-c", `functions=${resolve(functions)}`];
  const access = await accountAccess({ profile: optionValue("--profile", words) });
  const prices = await pricesToDeploy(access, (line) => process.stderr.write(`${line}\n`));
  try {
    return await runCdk("app", ["deploy", ...words, ...context, ...prices.context]);
  } finally {
    prices.release();
  }
}
