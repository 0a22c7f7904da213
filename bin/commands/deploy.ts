import { resolve } from "node:path";
import { accountAccess } from "../../lib/aws/account-access.ts";
import { findBootstrap } from "../../lib/aws/bootstrap-stack.ts";
import { type AccountClients, accountClients } from "../../lib/aws/deployed-stack.ts";
import { requireWholeStack, resourceClients } from "../../lib/aws/missing-resources.ts";
import { pricingClient } from "../../lib/aws/price-list.ts";
import { trustRemedy } from "../../lib/aws/role-trust.ts";
import { InvalidInput } from "../../lib/contract/errors.ts";
import { readFunctionsFile } from "../../lib/functions/functions-file.ts";
import { needsRepository, parsePricesPath } from "../../lib/infra/stack-context.ts";
import { isRepository } from "../../lib/toolchain/project-paths.ts";
import { Progress } from "../progress.ts";
import { describeClearSecrets } from "../run/clear-secrets.ts";
import { describeFirstDeploy, readDeployed } from "../run/deploy-choice.ts";
import { pricesToDeploy } from "../run/deployed-prices.ts";
import {
  type BootstrapOptions,
  bootstrapArguments,
  optionValue,
  qualifierKey,
  runCdk,
} from "../run/run-cdk.ts";
import { lookAtStack, underWay } from "../run/stack-guard.ts";
import { readContext, stackName } from "../run/stack-name.ts";

interface DeployOptions extends BootstrapOptions {
  /** A functions file whose functions are deployed instead of the experiments. */
  readonly functions?: string;
  /** @default "Kelvin" */
  readonly stack?: string;
}

/**
 * `kelvin deploy`: checks that the account is bootstrapped, then passes the arguments to `cdk deploy`, which would
 * notice only after building the functions. Returns the exit code. Throws InvalidInput if a deploy could not succeed.
 */
export async function deploy(
  args: readonly string[],
  { functions, stack: ofOption, qualifier, toolkitStack }: DeployOptions = {},
): Promise<number> {
  if (functions === undefined && !isRepository) {
    throw new InvalidInput("--functions", undefined, `a functions file; ${needsRepository}`);
  }
  // Input errors are reported before anything is asked of the account.
  const stack = stackName(ofOption, args);
  const deployed = await readDeployed(args, functions);
  const clients = await accountClients(optionValue("--profile", args));
  const progress = new Progress();
  const named = qualifier ?? new Map(readContext(args)).get(qualifierKey);
  const bootstrap = await findBootstrap(clients, named, (line) => progress.say(line));
  if (functions !== undefined) {
    for (const line of describeClearSecrets(readFunctionsFile(functions))) progress.say(line);
  }
  const isFirst = await requireDeployable(clients, stack, args, progress);
  if (isFirst) for (const line of describeFirstDeploy(deployed)) progress.say(line);
  const own = functions === undefined ? [] : ["-c", `functions=${resolve(functions)}`];
  const used = bootstrapArguments({ ...bootstrap, toolkitStack });
  const words = [...args, ...own, "-c", `stack=${stack}`, ...used];
  const exitCode = await deployWithPrices(words, progress);
  if (exitCode === 0) return exitCode;
  for (const line of await trustRemedy(clients.cloudFormation, stack)) progress.say(line);
  return exitCode;
}

/** Passes the words on to the CDK, with a price file for the region if its prices can be read. */
async function deployWithPrices(args: readonly string[], progress: Progress): Promise<number> {
  const access = await accountAccess({ profile: optionValue("--profile", args) });
  const given = parsePricesPath(new Map(readContext(args)).get("prices"));
  const { region } = access;
  const { path } = await pricesToDeploy(given, region, progress, pricingClient(access));
  const context = path === undefined ? [] : ["-c", `prices=${path}`];
  return await runCdk("app", ["deploy", ...args, ...context]);
}

/**
 * Returns whether the stack does not exist yet. Throws InvalidInput if it exists and a deploy would make its run
 * fail, or would not restore what was deleted by hand.
 */
async function requireDeployable(
  clients: AccountClients,
  name: string,
  args: readonly string[],
  progress: Progress,
): Promise<boolean> {
  const found = await lookAtStack(clients, name, progress);
  if (found === undefined) return true;
  const isForced = args.includes("--force") || args.includes("-f");
  if (found.running !== undefined) {
    if (!isForced) throw underWay("deploy", found);
    progress.say(`a run is under way (${found.running}), and this deploy may fail it`);
  }
  if (args.includes("--revert-drift")) return false;
  const { stack } = found;
  const unchecked = await requireWholeStack(stack.name, resourceClients(clients.cloudFormation));
  if (unchecked !== undefined) progress.say(unchecked);
  return false;
}
