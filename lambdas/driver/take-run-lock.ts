import { executionStatus } from "../../lib/aws/run-execution.ts";
import type { RunHolder, RunLock } from "../../lib/aws/run-lock.ts";
import { describeError, InvalidInput } from "../../lib/contract/errors.ts";
import type { DriverPorts } from "./ports.ts";

/** Runs that compete for the lock see each other after one round. More rounds mean another problem. */
const rounds = 5;
/**
 * DescribeExecution is eventually consistent: an unknown execution younger than this may have just started.
 * https://docs.aws.amazon.com/step-functions/latest/apireference/API_DescribeExecution.html
 */
const knownAfterMs = 10 * 60_000;

/** The run that held the lock before, and how its execution ended. */
export interface EarlierRun extends RunHolder {
  readonly ending: string;
}

/**
 * Takes the lock of the stack for the run. Throws InvalidInput while another run's execution is running. Otherwise it
 * replaces that run, and returns it: it has ended, was stopped, no longer exists, or belongs to a state machine that
 * was replaced.
 */
export async function takeRunLock(
  lock: RunLock,
  holder: RunHolder,
  ports: Pick<DriverPorts, "stepFunctions">,
): Promise<EarlierRun | undefined> {
  for (let round = 1; round <= rounds; round += 1) {
    if (await lock.take(holder)) return undefined;
    const current = await lock.read();
    // The lock was deleted in the meantime, so the next round can take it.
    if (current === undefined) continue;
    // A retry of the state Plan: the lock is already ours, and gets the id of the new attempt's run.
    const isOurs = current.holder.execution === holder.execution;
    const ending = isOurs ? "RUNNING" : await describeEnding(current.holder, holder, lock, ports);
    if (!isOurs && ending === "RUNNING") throw refusal(current.holder);
    if (await lock.take(holder, current)) return isOurs ? undefined : { ...current.holder, ending };
  }
  throw new Error(
    `${lock.uri}: other executions are taking it at the same time; start this one again`,
  );
}

async function describeEnding(
  { execution, since }: RunHolder,
  ours: RunHolder,
  lock: RunLock,
  { stepFunctions }: Pick<DriverPorts, "stepFunctions">,
): Promise<string> {
  if (readStateMachine(execution) !== readStateMachine(ours.execution)) return "REPLACED";
  const status = await executionStatus(stepFunctions, execution).catch((error: unknown) => {
    const { message } = describeError(error);
    throw new Error(`${message}; when it has ended, delete ${lock.uri} and start again`);
  });
  const isYoung = Date.parse(ours.since) - Date.parse(since) < knownAfterMs;
  return status ?? (isYoung ? "RUNNING" : "GONE");
}

/**
 * Returns the ARN prefix that identifies the state machine: arn:aws:states:REGION:ACCOUNT:execution:STATE MACHINE. A
 * stack has one, so if the lock names another, CloudFormation has replaced that one and deletes it. Its executions
 * end at their next transition, and its drivers at their next check of the lock. The new role may not describe them.
 * https://docs.aws.amazon.com/step-functions/latest/apireference/API_DeleteStateMachine.html
 */
function readStateMachine(execution: string): string {
  return execution.split(":").slice(0, 7).join(":");
}

function refusal({ execution, since }: RunHolder): InvalidInput {
  const allowed = `one run at a time on a stack, and this one has been running since ${since}`;
  return new InvalidInput("execution", execution, `${allowed}; wait for it to end, or stop it`);
}
