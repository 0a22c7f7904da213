import { InvokeCommand, LambdaClient } from "@aws-sdk/client-lambda";
import {
  DescribeStateMachineCommand,
  ListStateMachinesCommand,
  SFNClient,
} from "@aws-sdk/client-sfn";
import type { Deployment } from "../../../lib/plan/deployment.ts";
import type { EmulatedAccount } from "../../support/emulated-account.ts";

/** What the deployed state machine knows: its handlers by the names of their states, and the matrix. */
export interface DeployedHandlers {
  readonly functions: ReadonlyMap<string, string>;
  readonly deployment: Deployment;
}

interface State {
  readonly Arguments?: {
    readonly FunctionName: string;
    readonly Payload: { readonly deployment: Deployment };
  };
  readonly ItemProcessor?: { readonly States: Readonly<Record<string, State>> };
}

export async function deployedHandlers({ client }: EmulatedAccount): Promise<DeployedHandlers> {
  const sfn = new SFNClient(client);
  const { stateMachines } = await sfn.send(new ListStateMachinesCommand({}));
  const stateMachineArn = stateMachines?.[0]?.stateMachineArn;
  const { definition } = await sfn.send(new DescribeStateMachineCommand({ stateMachineArn }));
  const { States } = JSON.parse(definition ?? "{}") as { States: Readonly<Record<string, State>> };
  const deployment = States.Plan?.Arguments?.Payload.deployment;
  if (deployment === undefined) throw new Error("the state machine has no state Plan");
  return { functions: new Map(handlersOf(States)), deployment };
}

function handlersOf(states: Readonly<Record<string, State>>): [string, string][] {
  return Object.entries(states).flatMap(([name, { Arguments, ItemProcessor }]) => [
    ...(Arguments === undefined ? [] : [[name, Arguments.FunctionName] as [string, string]]),
    ...handlersOf(ItemProcessor?.States ?? {}),
  ]);
}

/** Invokes a function; throws when it fails. */
export async function invoked(
  { client }: EmulatedAccount,
  functionName: string | undefined,
  event: object,
): Promise<unknown> {
  const response = await new LambdaClient(client).send(
    new InvokeCommand({ FunctionName: functionName, Payload: JSON.stringify(event) }),
  );
  const text = Buffer.from(response.Payload ?? []).toString("utf8");
  if (response.FunctionError !== undefined) throw new Error(`${functionName}: ${text}`);
  return JSON.parse(text);
}
