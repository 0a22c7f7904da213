import { CloudWatchLogsClient } from "@aws-sdk/client-cloudwatch-logs";
import { controlLambdaClient, measuringLambdaClient } from "../../../lib/aws/clients.ts";
import { FunctionEnvironments, type UpdateWait } from "../../../lib/aws/function-environment.ts";
import { LambdaTarget, type LambdaTargetOptions } from "../../../lib/aws/lambda-target.ts";
import { LogTelemetry, type LogWait } from "../../../lib/aws/log-telemetry.ts";
import type { Cell } from "../../../lib/contract/types/contract.ts";
import { shortLogWait, shortWait } from "./driver-ports.ts";
import { FakeLambda, type FakeLambdaOptions } from "./fake-lambda.ts";
import { configFor } from "./http.ts";

export const cell: Cell = {
  id: "rust-arm64-128",
  variant: "rust",
  runtime: "provided.al2023",
  architecture: "arm64",
  memoryMb: 128,
};

export interface FakeTargetOptions
  extends FakeLambdaOptions,
    Pick<LambdaTargetOptions, "spacing" | "updateDelayMs"> {
  readonly logWait?: LogWait;
  readonly updateWait?: UpdateWait;
  /** @default the fake's clock advances */
  readonly sleep?: (ms: number) => Promise<void>;
}

/** Returns a target over in-memory Lambda and logs, with one function, f. */
export function targetOn(options: FakeTargetOptions = {}) {
  const lambda = new FakeLambda({ f: { TABLE_NAME: "t" } }, options);
  const control = controlLambdaClient(configFor(lambda));
  const environments = new FunctionEnvironments(control, options.updateWait ?? shortWait);
  const logs = new CloudWatchLogsClient(configFor(lambda.logs));
  let nonces = 0;
  const target = new LambdaTarget({
    measuring: measuringLambdaClient(configFor(lambda)),
    environments,
    logs: new LogTelemetry({ logs, control, logWait: options.logWait ?? shortLogWait }),
    functionName: () => "f",
    nonce: () => `nonce-${++nonces}`,
    invokeLimitMs: 5000,
    ...(options.spacing !== undefined && { spacing: options.spacing }),
    ...(options.updateDelayMs !== undefined && { updateDelayMs: options.updateDelayMs }),
    now: () => new Date(lambda.logs.nowMs),
    clockMs: () => lambda.clock.ms,
    sleep:
      options.sleep ??
      (async (ms) => {
        lambda.clock.ms += ms;
      }),
  });
  return { lambda, target, environments };
}

/** Returns how often a request was made, among those that the fake records. */
export function count(lambda: FakeLambda, request: string): number {
  return lambda.requests.filter((made) => made === request).length;
}
