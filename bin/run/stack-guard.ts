import { isAccessDenied } from "../../lib/aws/bootstrap-stack.ts";
import {
  type AccountClients,
  commandOn,
  type DeployedStack,
  findStack,
} from "../../lib/aws/deployed-stack.ts";
import { runningExecution } from "../../lib/aws/run-execution.ts";
import { describeError, InvalidInput } from "../../lib/contract/errors.ts";
import type { Progress } from "../progress.ts";

/** The stack that a command is about to change. */
export interface FoundStack {
  readonly stack: DeployedStack;
  /** ARN of the execution that is running. */
  readonly running?: string;
}

/**
 * Returns the stack to change and the run in progress on it; undefined if there is no such stack, or if
 * the caller may not look, which is reported.
 */
export async function lookAtStack(
  { cloudFormation, stepFunctions }: AccountClients,
  name: string,
  progress: Progress,
): Promise<FoundStack | undefined> {
  try {
    const stack = await findStack(cloudFormation, name);
    if (stack === undefined) return undefined;
    const running = await runningExecution(stepFunctions, stack.stateMachineArn);
    return { stack, ...(running !== undefined && { running: running.arn }) };
  } catch (error) {
    // A state machine that was deleted by hand has no run either.
    if ((error as Error).name === "StateMachineDoesNotExist") return undefined;
    if (!isAccessDenied(error)) throw error;
    progress.say(`could not check whether a run is under way: ${describeError(error).message}`);
    return undefined;
  }
}

/** Consequences for a run in progress, as text for the user. */
const consequences = {
  deploy: "a deploy changes the functions under the run, which fails",
  destroy:
    "a destroy takes the functions and the bucket from the run, and may end in DELETE_FAILED",
} as const;

/** Returns the error for changing a stack during a run. */
export function underWay(command: keyof typeof consequences, { stack, running }: FoundStack) {
  const consequence = consequences[command];
  const allowed = `none: ${consequence}; ${commandOn("run", stack)} --attach follows it to its end, and Ctrl-C there stops it; or --force`;
  return new InvalidInput("a run under way", running, allowed);
}
