import { setTimeout as delay } from "node:timers/promises";
import {
  DescribeExecutionCommand,
  ListStateMachinesCommand,
  SFNClient,
  StartExecutionCommand,
  StopExecutionCommand,
} from "@aws-sdk/client-sfn";
import { defined } from "../../../lib/contract/defined.ts";
import type { EmulatedAccount } from "../../support/emulated-account.ts";

export interface EndedExecution {
  readonly status: string;
  /** Parsed; absent when it failed. */
  readonly output?: { readonly runId: string; readonly files: Readonly<Record<string, string>> };
  readonly error?: string;
  readonly cause?: string;
}

/** Starts the account's only state machine, as a person does in the console, and waits for the end. */
export async function runStateMachine(
  account: EmulatedAccount,
  input: unknown,
): Promise<EndedExecution> {
  return await endOfExecution(account, await startExecution(account, input));
}

/** Starts the account's only state machine; returns the execution's ARN. */
export async function startExecution({ client }: EmulatedAccount, input: unknown): Promise<string> {
  const sfn = new SFNClient(client);
  const { stateMachines } = await sfn.send(new ListStateMachinesCommand({}));
  const stateMachineArn = stateMachines?.[0]?.stateMachineArn;
  const command = new StartExecutionCommand({ stateMachineArn, input: JSON.stringify(input) });
  return (await sfn.send(command)).executionArn ?? "";
}

/** Stops it, as a person does in the console. */
export async function stopExecution(
  { client }: EmulatedAccount,
  executionArn: string,
): Promise<void> {
  await new SFNClient(client).send(new StopExecutionCommand({ executionArn }));
}

export async function endOfExecution(
  { client }: EmulatedAccount,
  executionArn: string,
): Promise<EndedExecution> {
  const sfn = new SFNClient(client);
  // An input that is refused ends at once, a run after minutes.
  for (let waitMs = 50; ; waitMs = Math.min(500, 1.2 * waitMs)) {
    const { status, output, error, cause } = await sfn.send(
      new DescribeExecutionCommand({ executionArn }),
    );
    if (status === undefined || status === "RUNNING") {
      await delay(waitMs);
      continue;
    }
    return {
      status,
      ...(output !== undefined && { output: JSON.parse(output) }),
      ...defined({ error, cause }),
    };
  }
}
