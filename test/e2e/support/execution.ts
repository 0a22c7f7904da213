import { setTimeout as delay } from "node:timers/promises";
import {
  DescribeExecutionCommand,
  ListStateMachinesCommand,
  SFNClient,
  StartExecutionCommand,
} from "@aws-sdk/client-sfn";
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
  const client = new SFNClient(account.client);
  const { stateMachines } = await client.send(new ListStateMachinesCommand({}));
  const started = await client.send(
    new StartExecutionCommand({
      stateMachineArn: stateMachines?.[0]?.stateMachineArn,
      input: JSON.stringify(input),
    }),
  );
  for (;;) {
    const { status, output, error, cause } = await client.send(
      new DescribeExecutionCommand({ executionArn: started.executionArn }),
    );
    if (status === undefined || status === "RUNNING") {
      await delay(500);
      continue;
    }
    return {
      status,
      ...(output !== undefined && { output: JSON.parse(output) }),
      ...(error !== undefined && { error }),
      ...(cause !== undefined && { cause }),
    };
  }
}
