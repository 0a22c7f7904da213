import { performance } from "node:perf_hooks";
import { LambdaClient, type LambdaClientConfig } from "@aws-sdk/client-lambda";
import type { ForcedCold } from "../contract/types/contract.ts";

/**
 * The client of measured calls: one attempt, so that no throttling or service error is hidden by a
 * second call (https://docs.aws.amazon.com/sdkref/latest/guide/feature-retry-behavior.html).
 */
export function measuringLambdaClient(config: LambdaClientConfig = {}): LambdaClient {
  return new LambdaClient({ ...config, maxAttempts: 1 });
}

/**
 * The client of the control plane: standard retries with backoff, throttling included. It counts
 * what the retries would hide.
 */
export class ControlLambdaClient extends LambdaClient {
  #throttledCalls = 0;
  #waitedMs = 0;

  constructor(config: LambdaClientConfig = {}) {
    super({ ...config, maxAttempts: 8, retryMode: "standard" });
    // Behind the retries, which have priority in this step: it sees every attempt.
    this.middlewareStack.add((next) => this.#counting(next), {
      name: "countThrottling",
      step: "finalizeRequest",
      priority: "low",
    });
  }

  /** Since the client was made. */
  get throttling(): ForcedCold {
    return { throttledCalls: this.#throttledCalls, waitedMs: this.#waitedMs };
  }

  /** One is made for each call, and runs once for each of its attempts. */
  #counting<Args, Result>(next: (args: Args) => Promise<Result>): (args: Args) => Promise<Result> {
    let throttledAtMs: number | undefined;
    return async (args) => {
      if (throttledAtMs !== undefined) this.#waitedMs += performance.now() - throttledAtMs;
      throttledAtMs = undefined;
      try {
        return await next(args);
      } catch (error) {
        if (isThrottling(error)) {
          this.#throttledCalls += 1;
          throttledAtMs = performance.now();
        }
        throw error;
      }
    };
  }
}

export function controlLambdaClient(config: LambdaClientConfig = {}): ControlLambdaClient {
  return new ControlLambdaClient(config);
}

/** TooManyRequestsException comes with 429; what the API's gateway refuses, as ThrottlingException. */
function isThrottling(error: unknown): boolean {
  const { name, $metadata } = error as {
    name?: string;
    $metadata?: { readonly httpStatusCode?: number };
  };
  return $metadata?.httpStatusCode === 429 || name?.startsWith("Throttling") === true;
}
