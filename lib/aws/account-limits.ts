import { GetAccountSettingsCommand, type LambdaClient } from "@aws-sdk/client-lambda";

export interface AccountLimits {
  /** Executions of all functions at once that no reservation has taken. */
  readonly unreservedConcurrency: number;
}

/**
 * What the account allows in this region; new accounts start with 10.
 * https://docs.aws.amazon.com/lambda/latest/api/API_AccountLimit.html
 */
export async function accountLimits(client: LambdaClient): Promise<AccountLimits> {
  const { AccountLimit } = await client.send(new GetAccountSettingsCommand({}));
  const unreserved = AccountLimit?.UnreservedConcurrentExecutions;
  const concurrency = unreserved ?? AccountLimit?.ConcurrentExecutions;
  if (concurrency === undefined) throw new Error("GetAccountSettings gave no concurrency limit");
  return { unreservedConcurrency: concurrency };
}
