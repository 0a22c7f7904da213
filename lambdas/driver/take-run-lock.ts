import { DescribeExecutionCommand, ExecutionDoesNotExist } from "@aws-sdk/client-sfn";
import type { RunHolder, RunLock } from "../../lib/aws/run-lock.ts";
import { describeError, InvalidInput } from "../../lib/contract/errors.ts";
import type { DriverPorts } from "./ports.ts";

/** Those who take over at once see each other after one round; more is no accident. */
const rounds = 5;
/**
 * DescribeExecution is eventually consistent: an execution this young that it does not know has only
 * just been started. https://docs.aws.amazon.com/step-functions/latest/apireference/API_DescribeExecution.html
 */
const knownAfterMs = 10 * 60_000;

/** The run that had the lock before, and how its execution ended. */
export interface EarlierRun extends RunHolder {
  readonly ending: string;
}

/**
 * Makes the run the only one that measures on the stack. Throws InvalidInput while the execution of
 * another is running; takes over from one that has ended, was stopped, is forgotten or whose state machine
 * was replaced, and returns it.
 */
export async function takeRunLock(
  lock: RunLock,
  holder: RunHolder,
  ports: Pick<DriverPorts, "stepFunctions">,
): Promise<EarlierRun | undefined> {
  for (let round = 1; round <= rounds; round += 1) {
    if (await lock.take(holder)) return undefined;
    const held = await lock.read();
    // Deleted by hand in between: there is nothing to take over.
    if (held === undefined) continue;
    // The state Plan was tried again: the lock is ours already, and names the run that is to be.
    const isOurs = held.holder.execution === holder.execution;
    const ending = isOurs ? "RUNNING" : await describeEnding(held.holder, holder, lock, ports);
    if (!isOurs && ending === "RUNNING") throw refusal(held.holder);
    if (await lock.take(holder, held)) return isOurs ? undefined : { ...held.holder, ending };
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
  try {
    const command = new DescribeExecutionCommand({ executionArn: execution });
    return (await stepFunctions.send(command)).status ?? "RUNNING";
  } catch (error) {
    const { message } = describeError(error);
    if (!(error instanceof ExecutionDoesNotExist)) {
      const what = `cannot find out whether ${execution} is running: ${message}`;
      throw new Error(`${what}; when it has ended, delete ${lock.uri} and start again`);
    }
    return Date.parse(ours.since) - Date.parse(since) < knownAfterMs ? "RUNNING" : "GONE";
  }
}

/**
 * A stack has one state machine: where the lock names another, CloudFormation has replaced that one, and
 * deletes it. Its executions end at their next transition, and its drivers at their next look at the lock;
 * the new role may not ask about them. arn:aws:states:REGION:ACCOUNT:execution:STATE MACHINE:EXECUTION,
 * https://docs.aws.amazon.com/step-functions/latest/apireference/API_DeleteStateMachine.html
 */
function readStateMachine(execution: string): string {
  return execution.split(":").slice(0, 7).join(":");
}

function refusal({ execution, since }: RunHolder): InvalidInput {
  const allowed = `one run at a time on a stack, and this one has been running since ${since}`;
  return new InvalidInput("execution", execution, `${allowed}; wait for it to end, or stop it`);
}
