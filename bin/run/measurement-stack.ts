import { createHash } from "node:crypto";
import { join, resolve } from "node:path";
import type { PricingClient } from "@aws-sdk/client-pricing";
import {
  describeStack,
  findBootstrap,
  NotBootstrapped,
  type StackPlace,
} from "../../lib/aws/bootstrap-stack.ts";
import type { ControlLambdaClient } from "../../lib/aws/clients.ts";
import { type AccountClients, commandOn, requireStack } from "../../lib/aws/deployed-stack.ts";
import { replaceValues } from "../../lib/aws/function-environment.ts";
import { listResources } from "../../lib/aws/missing-resources.ts";
import { trustRemedy } from "../../lib/aws/role-trust.ts";
import {
  describeExecution,
  startExecution,
  stepFunctionsProblem,
  stopExecution,
} from "../../lib/aws/run-execution.ts";
import { deleteUploads } from "../../lib/aws/stack-uploads.ts";
import { describeError, InvalidInput } from "../../lib/contract/errors.ts";
import type { ConsoleInput } from "../../lib/contract/types/contract.ts";
import { usualStackName } from "../../lib/plan/deployment.ts";
import { type Ask, isYes } from "../ask.ts";
import { exitCodes } from "../exit-codes.ts";
import type { Progress } from "../progress.ts";
import type { CostOptions } from "./cost-basis.ts";
import { type FinishedRun, finishRun } from "./finish-run.ts";
import { type EndedExecution, type FollowOptions, followRun } from "./follow-run.ts";
import type { Copies, FunctionArn } from "./measured-copies.ts";
import { type BootstrapOptions, bootstrapArguments, type runCdk } from "./run-cdk.ts";
import { interruption } from "./until-ended.ts";

/** The dependencies of `kelvin measure ARN`; tests pass their own. */
export interface DeployedSurroundings {
  readonly ask: Ask;
  /** Whether there is somebody to ask. */
  readonly isTerminal: boolean;
  readonly cdk: typeof runCdk;
  readonly lambda: (arn: string) => ControlLambdaClient;
  readonly clients: () => Promise<AccountClients>;
  readonly pricing: PricingClient;
  readonly pollMs?: NonNullable<FollowOptions["pollMs"]>;
}

interface PlaceOptions extends Pick<DeployedSurroundings, "ask" | "cdk"> {
  readonly clients: AccountClients;
  readonly progress: Progress;
  readonly chosen: BootstrapOptions;
}

/**
 * Returns the stack for the functions. Throws InvalidInput if the stack already exists, or if the
 * account is not bootstrapped and the user does not agree to bootstrap it.
 */
export async function requirePlace(
  arns: readonly FunctionArn[],
  options: PlaceOptions,
): Promise<StackPlace> {
  const { clients, progress, chosen } = options;
  const find = () => findBootstrap(clients, chosen.qualifier, (line) => progress.say(line));
  const bootstrap = await find().catch(async (error: unknown) => {
    await createBootstrap(arns, options, error);
    return await find();
  });
  const stack = { name: stackNameOf(arns), ...bootstrap };
  const found = await describeStack(clients.cloudFormation, stack.name);
  if (found === undefined) return stack;
  const allowed = `none: an earlier measurement of the same functions is under way, or kept it; ${nextCommands(stack)}`;
  throw new InvalidInput(
    "the measurement's stack",
    `${stack.name} (${found.StackStatus})`,
    allowed,
  );
}

/** Returns the same name for the same functions, so that the stack left by a killed command is found. */
function stackNameOf(arns: readonly FunctionArn[]): string {
  const all = arns.map(({ arn }) => arn).join(" ");
  const hash = createHash("sha256").update(all).digest("hex").slice(0, 8);
  const name = (arns[0]?.name ?? "").replaceAll(/[^A-Za-z0-9]+/g, "-").slice(0, 40);
  return `${usualStackName}-${name}-${hash}`.replaceAll(/-+/g, "-");
}

function nextCommands(stack: StackPlace): string {
  return `${commandOn("run", stack)} measures the copies again, ${commandOn("destroy", stack)} --force deletes it`;
}

/**
 * Bootstraps the account and region if they are not and the user agrees. What a bootstrap grants:
 * https://docs.aws.amazon.com/cdk/v2/guide/bootstrapping-customizing.html
 */
async function createBootstrap(
  arns: readonly FunctionArn[],
  { ask, cdk, progress, chosen }: PlaceOptions,
  error: unknown,
): Promise<void> {
  const [{ account, region }] = arns as [FunctionArn, ...FunctionArn[]];
  if (!(error instanceof NotBootstrapped)) throw error;
  progress.say(error.message);
  const place = `aws://${account}/${region}`;
  const { toolkitStack = "CDKToolkit" } = chosen;
  const resources = `the stack ${toolkitStack}, which stays: a bucket and a repository for code, and roles that the account's principals may assume, through which CloudFormation deploys with the policy AdministratorAccess`;
  if (!isYes(await ask(`Run cdk bootstrap ${place} now? It creates ${resources}. [y/N] `)))
    throw error;
  const log = cdkOutput(progress, `bootstrapping ${place}`);
  const words = ["bootstrap", place, ...bootstrapArguments(chosen)];
  if ((await cdk("empty-app", words, log.options)) === 0) return;
  log.sayAll();
  throw new Error(`cdk bootstrap ${place} failed`);
}

/** Shows the CDK's progress in one line, and keeps its whole output in case it fails. */
function cdkOutput(progress: Progress, action: string, signal = new AbortController().signal) {
  progress.say(action);
  const lines: string[] = [];
  const onLine = (line: string) => {
    lines.push(line);
    progress.show(`${action}: ${line.trim()}`);
  };
  const sayAll = () => {
    for (const line of lines) progress.say(line);
  };
  return { options: { signal, onLine }, sayAll };
}

interface MeasurementOptions extends PlaceOptions {
  readonly pollMs?: NonNullable<FollowOptions["pollMs"]>;
  readonly stack: StackPlace;
  readonly copies: Copies;
  readonly lambda: ControlLambdaClient;
  /** A folder that is removed afterwards. */
  readonly folder: string;
  readonly input: ConsoleInput;
  readonly chosen: CostOptions &
    BootstrapOptions & {
      /** CDK context of the roles, as words of the CDK's command. */
      readonly context?: readonly string[];
      readonly out?: string;
      readonly json?: true;
      readonly markdown?: string;
      readonly keep?: true;
    };
}

/**
 * Deploys the stack, measures, fetches the run, prints the findings, and destroys the stack even after an error,
 * unless --keep is given. Ctrl-C stops the run and leaves nothing in the account.
 */
export async function measureInStack(options: MeasurementOptions): Promise<FinishedRun> {
  const { progress, stack, chosen } = options;
  const end = `${commandOn("destroy", stack)} --force deletes it`;
  const afterwards =
    chosen.keep === true ? `the stack ${stack.name} stays` : "then the stack is deleted";
  const interrupted = interruption(
    progress,
    `stopping: what was measured is fetched, ${afterwards} (press again to end at once; ${end})`,
  );
  let earlier: unknown;
  try {
    return await deployAndRun(options, interrupted.signal);
  } catch (error) {
    earlier = error;
    throw error;
  } finally {
    await (chosen.keep === true ? sayKept(options) : destroyStack(options))
      .catch((error: unknown) => {
        if (earlier === undefined) throw error;
        progress.say(describeError(error).message);
      })
      .finally(() => interrupted.release());
  }
}

async function deployAndRun(
  options: MeasurementOptions,
  signal: AbortSignal,
): Promise<FinishedRun> {
  const code = await deployCopies(options, signal);
  if (code !== undefined) return { code };
  const { clients, input, chosen, progress } = options;
  const stack = await requireStack(clients.cloudFormation, options.stack.name);
  const { stepFunctions } = clients;
  const execution = await startExecution(stepFunctions, stack.stateMachineArn, input);
  progress.say(execution);
  const followed = await followRun({ ...options, stack, execution, signal });
  const ended = followed ?? (await stopRun(options, stack.bucket, execution));
  const finished = await finishRun(ended, stack, chosen, { clients, progress });
  return signal.aborted ? { ...finished, code: exitCodes.interrupted } : finished;
}

/** Deploys the copies and gives them their secrets. Returns the exit code of a failure or of Ctrl-C. */
async function deployCopies(
  { clients, cdk, stack, copies, lambda, folder, chosen, progress }: MeasurementOptions,
  signal: AbortSignal,
): Promise<number | undefined> {
  const { name, qualifier } = stack;
  const { prices, toolkitStack, context = [] } = chosen;
  const priced = prices === undefined ? [] : ["-c", `prices=${resolve(prices)}`];
  const log = cdkOutput(progress, `deploying ${name}`, signal);
  const deployed = await cdk(
    "app",
    [
      ...["deploy", "--require-approval", "never", "--output", join(folder, "cdk.out")],
      ...["-c", `functions=${copies.path}`, "-c", `stack=${name}`, ...priced, ...context],
      ...bootstrapArguments({ qualifier, toolkitStack }),
    ],
    log.options,
  );
  progress.end();
  if (!signal.aborted && deployed !== 0) {
    log.sayAll();
    for (const line of await trustRemedy(clients.cloudFormation, name)) progress.say(line);
    return exitCodes.failed;
  }
  if (!signal.aborted && copies.secrets.size > 0) {
    const resources = await listResources(clients.cloudFormation, name);
    const functions = resources.filter(({ kind }) => kind === "function");
    await replaceValues(
      lambda,
      functions.map((one) => one.name),
      copies.secrets,
    );
  }
  return signal.aborted ? exitCodes.interrupted : undefined;
}

/** Stops the run and waits until it has ended. */
async function stopRun(
  { clients, progress, pollMs }: MeasurementOptions,
  bucket: string,
  execution: string,
): Promise<EndedExecution> {
  try {
    await stopExecution(clients.stepFunctions, execution);
    const { signal } = new AbortController();
    const following = { clients, stack: { bucket }, execution, progress, signal };
    const ended = await followRun({ ...following, ...(pollMs !== undefined && { pollMs }) });
    return ended ?? { execution: await describeExecution(clients.stepFunctions, execution) };
  } catch (error) {
    throw stepFunctionsProblem(error);
  }
}

async function sayKept({ stack, progress }: MeasurementOptions): Promise<void> {
  progress.say(`the stack ${stack.name} is kept: ${nextCommands(stack)}`);
}

/**
 * Destroys the stack, and deletes what was uploaded for it. Ctrl-C does not reach the CDK's command, so a deletion that
 * has started is finished.
 */
async function destroyStack(options: MeasurementOptions): Promise<void> {
  const { cdk, stack, progress, clients } = options;
  const log = cdkOutput(progress, `deleting ${stack.name}`);
  const args = ["destroy", "--force", "-c", `stack=${stack.name}`, ...bootstrapArguments(stack)];
  const code = await cdk("empty-app", args, log.options);
  if (code === 0) await deleteUploads(stack, clients);
  progress.end();
  if (code === 0) return;
  log.sayAll();
  throw new Error(
    `the stack ${stack.name} could not be deleted: ${commandOn("destroy", stack)} --force tries again`,
  );
}
