import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { PricingClient } from "@aws-sdk/client-pricing";
import { type AccountAccess, accountAccess } from "../../lib/aws/account-access.ts";
import { requireBootstrap } from "../../lib/aws/bootstrap-stack.ts";
import { type AccountClients, accountClients } from "../../lib/aws/deployed-stack.ts";
import { requireWholeStack, resourceClients } from "../../lib/aws/missing-resources.ts";
import { fetchPrices, pricingClient } from "../../lib/aws/price-list.ts";
import { describeError, InvalidInput } from "../../lib/contract/errors.ts";
import { isWhollyPriced } from "../../lib/cost/prices.ts";
import { readFunctionsFile } from "../../lib/functions/functions-file.ts";
import { openFunctionsForAws } from "../../lib/functions/functions-for-aws.ts";
import type { KelvinStackProps } from "../../lib/infra/kelvin-stack.ts";
import {
  needsRepository,
  parseStackProps,
  requireKnownContext,
} from "../../lib/infra/stack-context.ts";
import { usualStackName } from "../../lib/plan/deployment.ts";
import { findVariant } from "../../lib/plan/matrix.ts";
import { plural } from "../../lib/report/document/format.ts";
import { forecastBuild, listCargoBuilds } from "../../lib/toolchain/build-local.ts";
import { isRepository } from "../../lib/toolchain/project-paths.ts";
import { forecastText, Progress } from "../progress.ts";
import { describeClearSecrets } from "../run/clear-secrets.ts";
import { optionValue, runCdk } from "../run/run-cdk.ts";
import { lookAtStack, underWay } from "../run/stack-guard.ts";

interface DeployOptions {
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
  { functions, stack = usualStackName }: DeployOptions = {},
): Promise<number> {
  if (functions === undefined && !isRepository) {
    throw new InvalidInput("--functions", undefined, `a functions file; ${needsRepository}`);
  }
  // Input errors are reported before anything is asked of the account.
  const deployed = await readDeployed(args, functions);
  const clients = await accountClients(optionValue("--profile", args));
  const toolkit = optionValue("--toolkit-stack-name", args);
  const unchecked = await requireBootstrap(clients.cloudFormation, toolkit);
  const progress = new Progress();
  if (unchecked !== undefined) progress.say(unchecked);
  if (functions !== undefined) {
    for (const line of describeClearSecrets(readFunctionsFile(functions))) progress.say(line);
  }
  const isFirst = await requireDeployable(clients, stack, args, progress);
  if (isFirst) for (const line of describeFirstDeploy(deployed)) progress.say(line);
  const context = functions === undefined ? [] : ["-c", `functions=${resolve(functions)}`];
  const exitCode = await deployWithPrices([...args, ...context, "-c", `stack=${stack}`], progress);
  if (isFirst && exitCode !== 0) progress.say(trustRemedy);
  return exitCode;
}

/** Passes the words on to the CDK, with a price file for the region if its prices can be read. */
async function deployWithPrices(args: readonly string[], progress: Progress): Promise<number> {
  const access = await accountAccess({ profile: optionValue("--profile", args) });
  const prices = await pricesToDeploy(access, (line) => progress.say(line));
  try {
    return await runCdk("app", ["deploy", ...args, ...prices.context]);
  } finally {
    prices.release();
  }
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

interface DeployedPrices {
  /** The CDK options for the context key that names the price file. */
  readonly context: readonly string[];
  readonly release: () => void;
}

/**
 * Returns the prices to deploy a state machine with: none if Kelvin's own table covers the region, otherwise those of
 * the Price List API. If the API gives none, a message says why and the deploy goes on without prices.
 * @param client a fake in tests
 */
export async function pricesToDeploy(
  access: AccountAccess,
  say: (line: string) => void,
  client: PricingClient = pricingClient(access),
): Promise<DeployedPrices> {
  const none = { context: [], release: () => {} };
  const { region } = access;
  if (isWhollyPriced(region)) return none;
  try {
    const today = new Date().toISOString().slice(0, 10);
    const { table } = await fetchPrices(client, region, today);
    const folder = mkdtempSync(join(tmpdir(), "kelvin-prices-"));
    const path = join(folder, "prices.json");
    writeFileSync(path, JSON.stringify(table));
    say(`prices of ${region}: from the Price List API`);
    return {
      context: ["-c", `prices=${path}`],
      release: () => rmSync(folder, { recursive: true, force: true }),
    };
  } catch (error) {
    const { message } = describeError(error);
    say(
      `prices of ${region} are not all known, and the Price List API gave none (${message}): runs ` +
        "refuse maxCostUsd; pricing:GetProducts allows the question",
    );
    return none;
  }
}

/**
 * Parses the words of `kelvin deploy` and its functions file before the CDK starts, which would report the same
 * mistakes seconds later, as a failure of its app. Throws InvalidInput if they cannot be deployed.
 */
export async function readDeployed(
  args: readonly string[],
  functionsPath: string | undefined,
): Promise<KelvinStackProps> {
  const context = readContext(args);
  requireKnownContext([...context.keys()]);
  const functions =
    functionsPath === undefined ? undefined : await openFunctionsForAws(functionsPath);
  return parseStackProps((name) => context.get(name), functions);
}

/** Returns the context set by `-c name=value` and `--context name=value`. */
function readContext(args: readonly string[]): ReadonlyMap<string, string> {
  const pairs = args.flatMap((word, index) => {
    if (["-c", "--context"].includes(args[index - 1] ?? "")) return [word];
    return word.startsWith("--context=") ? [word.slice("--context=".length)] : [];
  });
  return new Map(
    pairs.map((pair) => {
      const [name = "", value = ""] = pair.split(/=(.*)/s);
      return [name, value] as const;
    }),
  );
}

/** Describes what a first deploy creates, what it builds before that, and how long the build takes. */
export function describeFirstDeploy({ experiments }: KelvinStackProps): readonly string[] {
  const functions = experiments.reduce((sum, { cells }) => sum + cells.length, 0);
  const ids = experiments.map(({ experiment }) => experiment.id).join(", ");
  const variants = experiments.flatMap(({ experiment, cells }) =>
    [...new Set(cells.map(({ variant }) => variant))].map((id) => findVariant(experiment, id)),
  );
  const cores = availableParallelism();
  const builds = listCargoBuilds(variants);
  const build = forecastText(forecastBuild(builds, { cores, isBuilt: () => false }), cores);
  return [
    `the first deploy of ${plural(functions, "measured function")} (${ids})`,
    ...(build === undefined ? ["nothing is compiled: the code is uploaded as it is"] : [build]),
  ];
}

/** The remedy for a first deploy that failed because a service could not assume a role. */
const trustRemedy =
  "if a service could not assume a role of the stack, deploy with -c trustConditions=none: it leaves aws:SourceAccount out of the roles' trust";
