import { CloudWatchLogsClient, paginateFilterLogEvents } from "@aws-sdk/client-cloudwatch-logs";
import {
  GetFunctionConfigurationCommand,
  LambdaClient,
  UpdateFunctionConfigurationCommand,
  waitUntilFunctionUpdatedV2,
} from "@aws-sdk/client-lambda";
import type { EmulatedAccount } from "../../support/emulated-account.ts";
import { functionNames, logGroupNames } from "./inventory.ts";

/** Invocations that the measured functions of an experiment have logged so far. */
export async function loggedInvocations(
  { client }: EmulatedAccount,
  experiment: string,
): Promise<number> {
  const groups = await logGroupNames(client);
  const logGroupName = groups.find((name) => name.startsWith(`Kelvin-${experiment}`));
  const pages = paginateFilterLogEvents(
    { client: new CloudWatchLogsClient(client) },
    { logGroupName: logGroupName ?? "", filterPattern: "REPORT" },
  );
  let count = 0;
  for await (const { events } of pages) {
    count += events?.filter(({ message }) => message?.startsWith("REPORT ")).length ?? 0;
  }
  return count;
}

/** The environment variables of each function of the stack, by its name. */
export async function variablesOfFunctions({
  client,
}: EmulatedAccount): Promise<ReadonlyMap<string, Readonly<Record<string, string>>>> {
  const lambda = new LambdaClient(client);
  const names = await functionNames(client);
  const configurations = names.map(async (FunctionName) => {
    const command = new GetFunctionConfigurationCommand({ FunctionName });
    const { Environment } = await lambda.send(command);
    return [FunctionName, Environment?.Variables ?? {}] as const;
  });
  return new Map(await Promise.all(configurations));
}

/** Changes how long a function may take, and waits until that holds. */
export async function setTimeoutOf(
  account: EmulatedAccount,
  FunctionName: string,
  seconds: number,
): Promise<void> {
  const client = new LambdaClient(account.client);
  const change = { FunctionName, Timeout: seconds };
  await client.send(new UpdateFunctionConfigurationCommand(change));
  await waitUntilFunctionUpdatedV2({ client, maxWaitTime: 60 }, { FunctionName });
}
