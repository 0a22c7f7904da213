import { createHash } from "node:crypto";
import { join, resolve } from "node:path";
import type { LambdaClient } from "@aws-sdk/client-lambda";
import type { PricingClient } from "@aws-sdk/client-pricing";
import { describeStack, requireBootstrap } from "../../lib/aws/bootstrap-stack.ts";
import { type AccountClients, requireStack } from "../../lib/aws/deployed-stack.ts";
import {
  describeExecution,
  startExecution,
  stepFunctionsProblem,
  stopExecution,
} from "../../lib/aws/run-execution.ts";
import { InvalidInput } from "../../lib/contract/errors.ts";
import type { ConsoleInput } from "../../lib/contract/types/contract.ts";
import { usualStackName } from "../../lib/plan/deployment.ts";
import { type Ask, isYes } from "../ask.ts";
import { exitCodes } from "../exit-codes.ts";
import type { Progress } from "../progress.ts";
import type { CostOptions } from "./cost-basis.ts";
import { type FinishedRun, finishRun } from "./finish-run.ts";
import { type EndedExecution, type FollowOptions, followRun } from "./follow-run.ts";
import type { FunctionArn } from "./measured-copies.ts";
import type { runCdk } from "./run-cdk.ts";
import { interruption } from "./until-ended.ts";

/** The dependencies of `kelvin measure ARN`; tests pass their own. */
export interface DeployedSurroundings {
  readonly ask: Ask;
  /** Whether there is somebody to ask. */
  readonly isTerminal: boolean;
  readonly cdk: typeof runCdk;
  readonly lambda: (arn: string) => LambdaClient;
  readonly clients: () => Promise<AccountClients>;
  readonly pricing: PricingClient;
  readonly pollMs?: NonNullable<FollowOptions["pollMs"]>;
}

interface PlaceOptions extends Pick<DeployedSurroundings, "ask" | "cdk"> {
  readonly clients: AccountClients;
  readonly progress: Progress;
}

/**
 * Returns the name of the stack for the functions. Throws InvalidInput if the stack already exists, or if the
 * account is not bootstrapped and the user does not agree to bootstrap it.
 */
export async function requirePlace(
  arns: readonly FunctionArn[],
  options: PlaceOptions,
): Promise<string> {
  const { clients, progress } = options;
  const unchecked = await requireBootstrap(clients.cloudFormation).catch(
    async (error: unknown) => await bootstrap(arns, options, error),
  );
  if (unchecked !== undefined) progress.say(unchecked);
  const name = stackNameOf(arns);
  const found = await describeStack(clients.cloudFormation, name);
  if (found === undefined || found.StackStatus === "DELETE_COMPLETE") return name;
  const allowed = `none: an earlier measurement of the same functions is under way, or kept it; kelvin run --stack ${name} measures the copies again, kelvin destroy --stack ${name} --force deletes it`;
  throw new InvalidInput("the measurement's stack", `${name} (${found.StackStatus})`, allowed);
}

/** Returns the same name for the same functions, so that the stack left by a killed command is found. */
function stackNameOf(arns: readonly FunctionArn[]): string {
  const all = arns.map(({ arn }) => arn).join(" ");
  const hash = createHash("sha256").update(all).digest("hex").slice(0, 8);
  const name = (arns[0]?.name ?? "").replaceAll(/[^A-Za-z0-9]+/g, "-").slice(0, 40);
  return `${usualStackName}-${name}-${hash}`.replaceAll(/-+/g, "-");
}

/** Bootstraps the account and region if the user agrees. */
async function bootstrap(
  arns: readonly FunctionArn[],
  { ask, cdk, progress }: PlaceOptions,
  error: unknown,
): Promise<undefined> {
  const [{ account, region }] = arns as [FunctionArn, ...FunctionArn[]];
  const isMissing = error instanceof InvalidInput && error.field.startsWith("the stack ");
  if (!isMissing) throw error;
  progress.say(error.message);
  const place = `aws://${account}/${region}`;
  const resources = "the stack CDKToolkit, with a bucket for code and roles, which stays";
  if (!isYes(await ask(`Run cdk bootstrap ${place} now? It creates ${resources}. [y/N] `)))
    throw error;
  const log = cdkOutput(progress, `bootstrapping ${place}`);
  if ((await cdk("empty-app", ["bootstrap", place], log.options)) === 0) return undefined;
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
  /** The stack's name. */
  readonly stack: string;
  /** The functions file. */
  readonly functions: string;
  /** A folder that is removed afterwards. */
  readonly folder: string;
  readonly input: ConsoleInput;
  readonly chosen: CostOptions & {
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
  const end = `kelvin destroy --stack ${stack} --force deletes it`;
  const afterwards =
    chosen.keep === true ? `the stack ${stack} stays` : "then the stack is deleted";
  const interrupted = interruption(
    progress,
    `stopping: what was measured is fetched, ${afterwards} (press again to end at once; ${end})`,
  );
  try {
    return await deployAndRun(options, interrupted.signal);
  } finally {
    await (chosen.keep === true ? sayKept(options) : destroyStack(options)).finally(() =>
      interrupted.release(),
    );
  }
}

async function deployAndRun(
  options: MeasurementOptions,
  signal: AbortSignal,
): Promise<FinishedRun> {
  const { clients, cdk, stack: name, functions, folder, input, chosen, progress } = options;
  const { prices } = chosen;
  const priced = prices === undefined ? [] : [`prices=${resolve(prices)}`];
  const context = [`functions=${functions}`, `stack=${name}`, ...priced].flatMap((each) => [
    ...["-c", each],
  ]);
  const output = ["--output", join(folder, "cdk.out")];
  const log = cdkOutput(progress, `deploying ${name}`, signal);
  const args = ["deploy", "--require-approval", "never", ...output, ...context];
  const deployed = await cdk("app", args, log.options);
  progress.end();
  if (signal.aborted) return { code: exitCodes.interrupted };
  if (deployed !== 0) {
    log.sayAll();
    return { code: exitCodes.failed };
  }
  const stack = await requireStack(clients.cloudFormation, name);
  const { stepFunctions } = clients;
  const execution = await startExecution(stepFunctions, stack.stateMachineArn, input);
  progress.say(execution);
  const followed = await followRun({ ...options, stack, execution, signal });
  const ended = followed ?? (await stopRun(options, stack.bucket, execution));
  const finished = await finishRun(ended, stack, chosen, { clients, progress });
  return signal.aborted ? { ...finished, code: exitCodes.interrupted } : finished;
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
  progress.say(
    `the stack ${stack} is kept: kelvin run --stack ${stack} measures the copies again, kelvin destroy --stack ${stack} deletes it`,
  );
}

/** Destroys the stack. Ctrl-C does not reach the CDK's command, so a deletion that has started is finished. */
async function destroyStack({ cdk, stack, progress }: MeasurementOptions): Promise<void> {
  const log = cdkOutput(progress, `deleting ${stack}`);
  const args = ["destroy", "--force", "-c", `stack=${stack}`];
  const code = await cdk("empty-app", args, log.options);
  progress.end();
  if (code === 0) return;
  log.sayAll();
  throw new Error(
    `the stack ${stack} could not be deleted: kelvin destroy --stack ${stack} --force tries again`,
  );
}
