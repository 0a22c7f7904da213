import { callerPlace } from "../../lib/aws/account-access.ts";
import { lookForStack, type StackPlace, usualQualifier } from "../../lib/aws/bootstrap-stack.ts";
import {
  type AccountClients,
  accountClients,
  commandOn,
  listStacks,
} from "../../lib/aws/deployed-stack.ts";
import { stopExecution } from "../../lib/aws/run-execution.ts";
import { deleteUploads } from "../../lib/aws/stack-uploads.ts";
import { describeError, InvalidInput } from "../../lib/contract/errors.ts";
import { Progress } from "../progress.ts";
import { followRun, untilCallsEnded } from "../run/follow-run.ts";
import { bootstrapArguments, optionValue, runCdk } from "../run/run-cdk.ts";
import { type FoundStack, lookAtStack, underWay } from "../run/stack-guard.ts";
import { stackName } from "../run/stack-name.ts";

interface DestroyOptions {
  /** @default "Kelvin" */
  readonly stack?: string;
  /** @default that of the stack */
  readonly qualifier?: string;
}

/** The command's dependencies; tests pass their own. */
interface DestroySurroundings {
  readonly clients: AccountClients;
  readonly cdk: typeof runCdk;
  readonly isTerminal: boolean;
}

/**
 * `kelvin destroy`: passes the words on to `cdk destroy` with an empty app, so functions file and artefacts may be
 * gone, then deletes what the CDK uploaded for the stack. Returns the exit code. Throws InvalidInput if there is no
 * such stack, and without a terminal or during a run, unless --force is given, which stops the run.
 */
export async function destroy(
  args: readonly string[],
  { stack, qualifier: chosen }: DestroyOptions,
  given?: DestroySurroundings,
): Promise<number> {
  const name = stackName(stack, args);
  const isForced = args.some((word) => ["--force", "-f", "--yes", "-y"].includes(word));
  requireAnswer(isForced || (given?.isTerminal ?? process.stdin.isTTY === true));
  const clients = given?.clients ?? (await accountClients(optionValue("--profile", args)));
  const progress = new Progress();
  const found = await lookAtStack(clients, name, progress);
  if (found?.running !== undefined) {
    if (!isForced) throw underWay("destroy", found);
    await endRun(clients, found.stack, found.running, progress);
  }
  const before = await lookForStack(clients.cloudFormation, name);
  const qualifier = chosen ?? before.qualifier ?? usualQualifier;
  const place = { name, ...(await callerPlace(clients.sts)), qualifier };
  if (before.isThere !== false) {
    const words = ["destroy", ...args, "-c", `stack=${name}`, ...bootstrapArguments(place)];
    const code = await (given?.cdk ?? runCdk)("empty-app", words);
    // The CDK ends with 0, too, if its question is answered with no.
    const { isThere } = await lookForStack(clients.cloudFormation, name);
    if (code !== 0 || isThere === true) return code;
    if (isThere === undefined && !isForced) {
      const unknown = `whether ${name} is gone is unknown, as cloudformation:DescribeStacks is denied`;
      const remedy = `once it is, ${commandOn("destroy", place)} --force deletes what the CDK uploaded for it`;
      progress.say(`${unknown}; ${remedy}`);
      return code;
    }
  }
  const deleted = await deleteUploads(place, clients);
  if (before.isThere === false && deleted === 0) throw await noStack(place, clients);
  if (before.isThere === false) progress.say(`what the CDK had uploaded for ${name} is deleted`);
  sayWhatIsKept(found, progress);
  return 0;
}

/** Throws InvalidInput if the CDK could not ask whether to destroy the stack. */
function requireAnswer(hasAnswer: boolean): void {
  if (hasAnswer) return;
  const allowed = "--force where there is no terminal at which to ask whether to destroy the stack";
  throw new InvalidInput("--force", undefined, allowed);
}

async function noStack(
  { name, region, account }: StackPlace,
  { cloudFormation }: AccountClients,
): Promise<InvalidInput> {
  const names = await listStacks(cloudFormation).catch(() => undefined);
  const others = names?.length === 0 ? "none whose name begins with Kelvin" : names?.join(", ");
  const allowed = others ?? "unknown, as cloudformation:ListStacks is denied";
  const message = `no stack ${name} in ${region} of ${account}; there: ${allowed}`;
  return new InvalidInput("stack", name, allowed, message);
}

/** Stops the run, and waits for its calls. What cannot be read of it, as when its bucket is gone, is no reason to stay. */
async function endRun(
  clients: AccountClients,
  stack: FoundStack["stack"],
  execution: string,
  progress: Progress,
): Promise<void> {
  progress.say(`stopping the run ${execution}`);
  await stopExecution(clients.stepFunctions, execution);
  const { signal } = new AbortController();
  try {
    const ended = await followRun({ clients, stack, execution, progress, signal });
    if (ended !== undefined) await untilCallsEnded(ended, stack, { clients, progress });
  } catch (error) {
    progress.say(`could not wait for the run's calls: ${describeError(error).message}`);
  }
}

/** Prints where the results that outlive the stack are, and how to delete them. */
function sayWhatIsKept(found: FoundStack | undefined, progress: Progress): void {
  const { bucket, deleteResults } = found?.stack ?? {};
  if (deleteResults === undefined) return;
  progress.say(`the results are kept in s3://${bucket}; kelvin fetch s3://${bucket} brings them`);
  progress.say(`to delete them: ${deleteResults}`);
}
