import { LambdaClient, type LambdaClientConfig } from "@aws-sdk/client-lambda";

/**
 * The client of measured calls: one attempt, so that no throttling or service error is hidden by a
 * second call (https://docs.aws.amazon.com/sdkref/latest/guide/feature-retry-behavior.html).
 */
export function measuringLambdaClient(config: LambdaClientConfig = {}): LambdaClient {
  return new LambdaClient({ ...config, maxAttempts: 1 });
}

/** The client of the control plane: standard retries with backoff, throttling included. */
export function controlLambdaClient(config: LambdaClientConfig = {}): LambdaClient {
  return new LambdaClient({ ...config, maxAttempts: 8, retryMode: "standard" });
}
