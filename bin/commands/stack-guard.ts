import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { LambdaClient } from "@aws-sdk/client-lambda";
import { deletedByHandText } from "../../lib/aws/deleted-by-hand.ts";
import {
  type AccountClients,
  type DeployedStack,
  findStack,
} from "../../lib/aws/deployed-stack.ts";
import { missingResources } from "../../lib/aws/missing-resources.ts";
import { runningExecution } from "../../lib/aws/run-execution.ts";
import { describeError, InvalidInput } from "../../lib/contract/errors.ts";
import { usualStackName } from "../../lib/plan/deployment.ts";
import type { Progress } from "../progress.ts";

/** What a command that changes a stack finds before it begins. */
export interface FoundStack {
  readonly stack: DeployedStack;
  /** ARN of the execution that is running. */
  readonly running?: string;
}

/**
 * Returns the stack that is to be changed and the run under way on it; undefined where there is no such stack,
 * and where the caller may not look, which is said.
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
    if (!isDenied(error)) throw error;
    progress.say(`could not check whether a run is under way: ${describeError(error).message}`);
    return undefined;
  }
}

function isDenied(error: unknown): boolean {
  return /^AccessDenied/.test((error as Error).name);
}

/** What would become of a run under way, for the reader. */
const consequences = {
  deploy: "a deploy changes the functions under the run, which fails",
  destroy:
    "a destroy takes the functions and the bucket from the run, and may end in DELETE_FAILED",
} as const;

/** Refuses to change a stack under a run. */
export function underWay(command: keyof typeof consequences, { stack, running }: FoundStack) {
  const consequence = consequences[command];
  const allowed = `none: ${consequence}; ${runCommandOf(stack.name)} --attach follows it to its end, and Ctrl-C there stops it; or --force`;
  return new InvalidInput("a run under way", running, allowed);
}

/** How a run of the stack is started or followed. */
export function runCommandOf(stack: string): string {
  return stack === usualStackName ? "kelvin run" : `kelvin run --stack ${stack}`;
}

interface WholeStack {
  readonly clients: Pick<AccountClients, "cloudFormation">;
  readonly stack: Pick<DeployedStack, "name" | "region">;
  readonly progress: Progress;
}

/** Throws InvalidInput where functions or tables of the stack were deleted by hand, with the remedy. */
export async function requireWhole({ clients, stack, progress }: WholeStack): Promise<void> {
  const { cloudFormation } = clients;
  const { region, credentials } = cloudFormation.config;
  const config = { region, credentials };
  const [lambda, dynamodb] = [new LambdaClient(config), new DynamoDBClient(config)];
  const missing = await missingResources({ cloudFormation, lambda, dynamodb }, stack.name).catch(
    (error: unknown) => {
      if (!isDenied(error)) throw error;
      progress.say(`could not check what was deleted by hand: ${describeError(error).message}`);
      return [];
    },
  );
  if (missing.length === 0) return;
  throw new InvalidInput("the stack", stack.name, `a whole one: ${deletedByHandText(missing)}`);
}
