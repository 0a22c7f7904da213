import { performance } from "node:perf_hooks";
import { LambdaClient, type LambdaClientConfig } from "@aws-sdk/client-lambda";
import type { ForcedCold } from "../contract/types/contract.ts";

/**
 * Returns the client for measured calls. It makes one attempt, so that no retry hides throttling or a service error.
 * https://docs.aws.amazon.com/sdkref/latest/guide/feature-retry-behavior.html
 */
export function measuringLambdaClient(config: LambdaClientConfig = {}): LambdaClient {
  return new LambdaClient({ ...config, maxAttempts: 1 });
}

/** The control plane's client. It retries with backoff, and counts the throttled calls that retries hide. */
export class ControlLambdaClient extends LambdaClient {
  #throttledCalls = 0;
  #waitedMs = 0;

  constructor(config: LambdaClientConfig = {}) {
    super({ ...config, maxAttempts: 8, retryMode: "standard" });
    // Low priority runs after the retry middleware of this step, so it sees every attempt.
    this.middlewareStack.add((next) => this.#counting(next), {
      name: "countThrottling",
      step: "finalizeRequest",
      priority: "low",
    });
  }

  /** Throttled calls and waiting time since the client was created. */
  get throttling(): ForcedCold {
    return { throttledCalls: this.#throttledCalls, waitedMs: this.#waitedMs };
  }

  /** Wraps one call. The returned function runs once per attempt. */
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

/** Lambda answers TooManyRequestsException with status 429; the API's gateway answers ThrottlingException. */
function isThrottling(error: unknown): boolean {
  const { name, $metadata } = error as {
    name?: string;
    $metadata?: { readonly httpStatusCode?: number };
  };
  return $metadata?.httpStatusCode === 429 || name?.startsWith("Throttling") === true;
}
