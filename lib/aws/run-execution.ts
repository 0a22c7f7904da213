import { randomBytes } from "node:crypto";
import type { S3Client } from "@aws-sdk/client-s3";
import {
  DescribeExecutionCommand,
  ExecutionDoesNotExist,
  ListExecutionsCommand,
  type SFNClient,
  StartExecutionCommand,
  StopExecutionCommand,
} from "@aws-sdk/client-sfn";
import { defined } from "../contract/defined.ts";
import { describeError, InvalidInput } from "../contract/errors.ts";
import { newRunId } from "../plan/run-id.ts";
import { credentialsProblem, isNetworkError } from "./credentials-problem.ts";
import { RunLock } from "./run-lock.ts";

/** An execution of the state machine and its current state. */
export interface RunExecution {
  readonly arn: string;
  /** RUNNING, SUCCEEDED, FAILED, TIMED_OUT or ABORTED. */
  readonly status: string;
  readonly startedAt: Date;
  /** Absent while it is running. */
  readonly stoppedAt?: Date;
  /** Error of a failed execution. */
  readonly error?: string;
  readonly cause?: string;
  /** JSON. Present if the execution succeeded. */
  readonly output?: string;
}

/**
 * Starts the state machine and returns the execution's ARN. The execution has a name, so that a retried call returns
 * the execution that the first one started.
 * https://docs.aws.amazon.com/step-functions/latest/apireference/API_StartExecution.html
 */
export async function startExecution(
  client: SFNClient,
  stateMachineArn: string,
  input: object,
): Promise<string> {
  const name = newRunId(new Date().toISOString(), randomBytes(6).toString("hex"));
  const command = new StartExecutionCommand({
    stateMachineArn,
    name,
    input: JSON.stringify(input),
  });
  const { executionArn } = await client.send(command);
  if (executionArn === undefined) throw new Error("StartExecution returned no execution");
  return executionArn;
}

/** https://docs.aws.amazon.com/step-functions/latest/apireference/API_DescribeExecution.html */
export async function describeExecution(client: SFNClient, arn: string): Promise<RunExecution> {
  const answer = await client.send(new DescribeExecutionCommand({ executionArn: arn }));
  const { status = "RUNNING", startDate = new Date(), stopDate, error, cause, output } = answer;
  const ending = defined({ stoppedAt: stopDate, error, cause, output });
  return { arn, status, startedAt: startDate, ...ending };
}

/** Returns the execution's status; undefined if Step Functions does not know it. Throws if that cannot be found out. */
export async function executionStatus(client: SFNClient, arn: string): Promise<string | undefined> {
  try {
    return (await describeExecution(client, arn)).status;
  } catch (error) {
    if (error instanceof ExecutionDoesNotExist) return undefined;
    throw new Error(`cannot find out whether ${arn} is running: ${describeError(error).message}`);
  }
}

/**
 * Returns the time between two looks of a driver at its execution, ms. The lanes together look 5 times a second;
 * the smallest quota of DescribeExecution refills with 10 a second.
 * https://docs.aws.amazon.com/step-functions/latest/dg/service-quotas.html#service-limits-api-action-throttling-general
 */
export function executionLookMs(lanes: number): number {
  return Math.max(5_000, 1000 * (lanes / 5));
}

/** https://docs.aws.amazon.com/step-functions/latest/apireference/API_StopExecution.html */
export async function stopExecution(client: SFNClient, arn: string): Promise<void> {
  const cause = "stopped by the person who followed it";
  await client.send(new StopExecutionCommand({ executionArn: arn, error: "Stopped", cause }));
}

/**
 * Returns the state machine's running execution; if there are several, which cannot last, the latest. The child
 * executions of a distributed Map are not listed here.
 * https://docs.aws.amazon.com/step-functions/latest/apireference/API_ListExecutions.html
 */
export async function runningExecution(
  client: SFNClient,
  stateMachineArn: string,
): Promise<Pick<RunExecution, "arn" | "startedAt"> | undefined> {
  const query = { stateMachineArn, statusFilter: "RUNNING", maxResults: 1 } as const;
  const { executions = [] } = await client.send(new ListExecutionsCommand(query));
  const [{ executionArn: arn, startDate: startedAt = new Date() } = {}] = executions;
  return arn === undefined ? undefined : { arn, startedAt };
}

/**
 * Returns the id of the execution's run. It is read from the bucket's lock, or, if a later run has taken that, from
 * the execution's output or cause. Undefined if none of them has it.
 */
export async function runIdOf(
  s3: S3Client,
  bucket: string,
  { arn, output = "", cause = "" }: Pick<RunExecution, "arn" | "output" | "cause">,
): Promise<string | undefined> {
  const holder = (await new RunLock(s3, bucket).read())?.holder;
  if (holder?.execution === arn) return holder.runId;
  return /\/runs\/(\d{8}T\d{4}Z-[0-9a-f]+)\//.exec(output + cause)?.[1];
}

/** Returns an error that explains why a Step Functions request failed and what to do about it. */
export function stepFunctionsProblem(error: unknown): unknown {
  const { name, message } = Object(error) as Error;
  switch (name) {
    case "ExecutionDoesNotExist":
    case "InvalidArn":
      return new InvalidInput("attach", message, "the ARN of an execution of the stack's runs");
    case "StateMachineDoesNotExist":
      return new Error(
        `the stack's state machine was deleted by hand (${message}); deploy the stack again after you destroyed it`,
      );
    case "AccessDeniedException":
      return new Error(
        `Step Functions denied access: ${message}; docs/deploying.md lists what the command calls`,
      );
    default:
      return credentialsProblem(error, "Step Functions") ?? error;
  }
}

/** Returns whether a retry may succeed, after a lost connection or from a busy service. */
export function isPassing(error: unknown): boolean {
  const { $fault, $retryable } = Object(error) as {
    readonly $fault?: string;
    readonly $retryable?: object;
  };
  return $fault === "server" || $retryable !== undefined || isNetworkError(error);
}
