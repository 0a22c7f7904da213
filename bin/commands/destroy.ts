import { type AccountClients, accountClients } from "../../lib/aws/deployed-stack.ts";
import { stopExecution } from "../../lib/aws/run-execution.ts";
import { describeError, InvalidInput } from "../../lib/contract/errors.ts";
import { Progress } from "../progress.ts";
import { followRun, untilCallsEnded } from "../run/follow-run.ts";
import { optionValue, runCdk } from "../run/run-cdk.ts";
import { type FoundStack, lookAtStack, underWay } from "../run/stack-guard.ts";
import { stackName } from "../run/stack-name.ts";

interface DestroyOptions {
  /** @default "Kelvin" */
  readonly stack?: string;
}

/** The command's dependencies; tests pass their own. */
interface DestroySurroundings {
  readonly clients: AccountClients;
  readonly cdk: typeof runCdk;
  readonly isTerminal: boolean;
}

/**
 * `kelvin destroy`: passes the words on to `cdk destroy` with an empty app, so functions file and artefacts may be
 * gone. Returns the exit code. Throws InvalidInput without a terminal or during a run, unless --force is given, which
 * stops the run.
 */
export async function destroy(
  args: readonly string[],
  { stack }: DestroyOptions,
  given?: DestroySurroundings,
): Promise<number> {
  const name = stackName(stack, args);
  const isForced = args.some((word) => ["--force", "-f", "--yes", "-y"].includes(word));
  const isTerminal = given?.isTerminal ?? process.stdin.isTTY === true;
  if (!isForced && !isTerminal) {
    const allowed =
      "--force where there is no terminal at which to ask whether to destroy the stack";
    throw new InvalidInput("--force", undefined, allowed);
  }
  const clients = given?.clients ?? (await accountClients(optionValue("--profile", args)));
  const progress = new Progress();
  const found = await lookAtStack(clients, name, progress);
  if (found?.running !== undefined) {
    if (!isForced) throw underWay("destroy", found);
    await endRun(clients, found.stack, found.running, progress);
  }
  const code = await (given?.cdk ?? runCdk)("empty-app", [
    ...["destroy", ...args, "-c", `stack=${name}`],
  ]);
  if (code === 0) sayWhatIsKept(found, progress);
  return code;
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
