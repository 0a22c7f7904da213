import { performance } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";
import { InvokeCommand, type InvokeCommandOutput, type LambdaClient } from "@aws-sdk/client-lambda";
import { defined } from "../contract/defined.ts";
import { describeError } from "../contract/errors.ts";
import { parseJson } from "../contract/lines.ts";
import type { Cell, ForcedCold, FunctionResult } from "../contract/types/contract.ts";
import { contractProblem } from "../contract/validate.ts";
import { type CallSpacing, lambdaCallSpacingMs, spacingBefore } from "../plan/trial-calls.ts";
import { TrialFailed } from "../sampler/sample-trial.ts";
import type {
  AnsweredInvocation,
  Invocation,
  LateEnvironments,
  LateTelemetry,
  Target,
} from "../sampler/target.ts";
import { failedInitsBefore, readReport } from "../sampler/telemetry.ts";
import { withDeletedByHand } from "./deleted-by-hand.ts";
import type { FunctionEnvironments } from "./function-environment.ts";
import type { LogTelemetry } from "./log-telemetry.ts";

/** Changing this environment variable makes a function cold. */
export const nonceVariable = "KELVIN_NONCE";

export interface LambdaTargetOptions {
  /** Client for the measured calls. It must not retry: see measuringLambdaClient. */
  readonly measuring: LambdaClient;
  readonly environments: FunctionEnvironments;
  readonly logs: LogTelemetry;
  /** Returns the name of a cell's deployed function. */
  readonly functionName: (cell: Cell) => string;
  /** Returns a new value on each call. */
  readonly nonce: () => string;
  /** Time limit of a measured call: the function's timeout plus the network round trip. */
  readonly invokeLimitMs: number;
  /**
   * Minimum time between the starts of two calls.
   * @default the spacing that Lambda requires
   */
  readonly spacing?: Partial<CallSpacing>;
  /**
   * Delay before the first update of the function, while other drivers update theirs.
   * @default 0
   */
  readonly updateDelayMs?: number;
  /** Called after each call of the function, measured or not. */
  readonly onCall?: ((cell: Cell, call: Invocation) => void) | undefined;
  readonly now?: () => Date;
  /** Monotonic. */
  readonly clockMs?: () => number;
  readonly sleep?: (ms: number) => Promise<void>;
}

export class LambdaTarget implements Target {
  readonly kind = "aws";
  readonly #options: LambdaTargetOptions;
  readonly #now: () => Date;
  readonly #clockMs: () => number;
  readonly #sleep: (ms: number) => Promise<void>;
  /** Start of the last call. Initially now, because another driver may have called until then. */
  #calledMs: number;
  #updateDelayMs: number;

  constructor(options: LambdaTargetOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => new Date());
    this.#clockMs = options.clockMs ?? (() => performance.now());
    this.#sleep = options.sleep ?? (async (ms) => await delay(ms));
    this.#calledMs = this.#clockMs();
    this.#updateDelayMs = options.updateDelayMs ?? 0;
  }

  /** Changes an environment variable, so that the next invocation gets a new execution environment. */
  async forceCold(cell: Cell): Promise<ForcedCold> {
    const { environments, functionName, nonce } = this.#options;
    const name = functionName(cell);
    if (this.#updateDelayMs > 0) await this.#sleep(this.#updateDelayMs);
    this.#updateDelayMs = 0;
    const before = environments.throttling;
    let runtimeVersionArn: string | undefined;
    try {
      const variables = await environments.read(name);
      await environments.replace(name, { ...variables, [nonceVariable]: nonce() });
      runtimeVersionArn = await environments.untilUpdated(name);
    } catch (error) {
      throw coldNotForced(error, throttlingSince(before, environments.throttling));
    }
    return {
      ...throttlingSince(before, environments.throttling),
      ...defined({ runtimeVersionArn }),
    };
  }

  /**
   * Invokes the function once the spacing since the last call has passed. That wait is not part of any measured time.
   * https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html
   */
  async invoke(cell: Cell, event: unknown, operation?: string): Promise<Invocation> {
    const call = await this.#call(cell, event, operation);
    this.#options.onCall?.(cell, call);
    return call;
  }

  async #call(cell: Cell, event: unknown, operation?: string): Promise<Invocation> {
    const { measuring, functionName, invokeLimitMs } = this.#options;
    const command = new InvokeCommand({
      FunctionName: functionName(cell),
      InvocationType: "RequestResponse",
      LogType: "Tail",
      Payload: Buffer.from(JSON.stringify(event)),
    });
    await this.#untilCallable(operation);
    const startedAt = this.#now().toISOString();
    const startedMs = this.#clockMs();
    this.#calledMs = startedMs;
    try {
      const abortSignal = AbortSignal.timeout(invokeLimitMs);
      const response = await measuring.send(command, { abortSignal });
      const clientLatencyMs = this.#clockMs() - startedMs;
      return { startedAt, clientLatencyMs, ...readInvocation(response) };
    } catch (error) {
      const problem = withDeletedByHand(error, { kind: "function", name: functionName(cell) });
      return { startedAt, ...readRequestId(error), error: describeError(problem) };
    }
  }

  /** Reads the CPU model with a `describe` call, which is spaced like the others and is not measured. */
  async cpuModel(cell: Cell, bootId: string): Promise<string | undefined> {
    const { payload } = await this.invoke(cell, { operation: "describe" });
    if (contractProblem("result", payload) !== undefined) return undefined;
    const result = payload as FunctionResult;
    return result.bootId === bootId ? result.cpuModel : undefined;
  }

  /** Loops because a timer may fire slightly early. */
  async #untilCallable(operation: string | undefined): Promise<void> {
    const spacing = { callSpacingMs: lambdaCallSpacingMs, ...this.#options.spacing };
    const callableMs = this.#calledMs + spacingBefore(spacing, operation);
    for (;;) {
      const waitMs = callableMs - this.#clockMs();
      if (waitMs <= 0) return;
      await this.#sleep(waitMs);
    }
  }

  async lateTelemetry(
    cell: Cell,
    invocations: readonly AnsweredInvocation[],
    mayWait: boolean,
  ): Promise<LateTelemetry> {
    const { logs, functionName } = this.#options;
    return await logs.find(functionName(cell), invocations, mayWait);
  }

  async lateEnvironments(
    cell: Cell,
    invocations: readonly AnsweredInvocation[],
    mayWait: boolean,
  ): Promise<LateEnvironments> {
    const { logs, functionName } = this.#options;
    return await logs.findEnvironments(functionName(cell), invocations, mayWait);
  }
}

function throttlingSince(before: ForcedCold, now: ForcedCold): ForcedCold {
  return {
    throttledCalls: now.throttledCalls - before.throttledCalls,
    waitedMs: now.waitedMs - before.waitedMs,
  };
}

/** Adds the throttling to the failure's message, because no sample records it. */
function coldNotForced(error: unknown, { throttledCalls, waitedMs }: ForcedCold): unknown {
  if (throttledCalls === 0) return error;
  const { type, message } = describeError(error);
  const waited = `${throttledCalls} calls throttled, ${Math.round(waitedMs)} ms waited`;
  return new TrialFailed(type, `${message} (${waited})`);
}

function readRequestId(error: unknown): { requestId?: string } {
  const requestId = (error as { $metadata?: { requestId?: string } }).$metadata?.requestId;
  return requestId === undefined ? {} : { requestId };
}

/** Reads an Invoke response: the result or the error, and the REPORT line. */
function readInvocation(response: InvokeCommandOutput): Omit<Invocation, "startedAt"> {
  const requestId = response.$metadata.requestId;
  const log = Buffer.from(response.LogResult ?? "", "base64").toString("utf8");
  const { telemetry, refused } = requestId === undefined ? {} : readReport(log, requestId);
  const failedInits = failedInitsBefore(log, requestId ?? "");
  const hasNoReport = telemetry === undefined && refused === undefined;
  const { FunctionError } = response;
  const answer = readAnswer(response.Payload);
  return {
    ...defined({ requestId, telemetry, telemetryRefused: refused }),
    ...(failedInits.length > 0 && { failedInits }),
    ...(hasNoReport && log !== "" && { logTruncated: true }),
    ...(hasNoReport && requestId !== undefined && { telemetryAwaited: true }),
    ...(FunctionError === undefined
      ? answer
      : { error: readFunctionError(FunctionError, answer.payload) }),
  };
}

/** Returns the function's return value, or its text if that is not JSON. */
function readAnswer(bytes: Uint8Array | undefined): Pick<Invocation, "payload"> {
  const text = Buffer.from(bytes ?? []).toString("utf8");
  return { payload: parseJson(text, text) };
}

/** Reads Lambda's error object. errorType and errorMessage may each be absent. */
function readFunctionError(
  functionError: string,
  payload: unknown,
): { readonly type: string; readonly message: string } {
  const isObject = typeof payload === "object" && payload !== null;
  const { errorType, errorMessage } = (isObject ? payload : {}) as Record<string, unknown>;
  return {
    type: typeof errorType === "string" ? errorType : functionError,
    message: typeof errorMessage === "string" ? errorMessage : JSON.stringify(payload),
  };
}

interface Restored {
  /** Functions from which the nonce was removed. */
  readonly restored: readonly string[];
  readonly failed: readonly { readonly functionName: string; readonly message: string }[];
}

/** Removes the nonce from every function that has it. Can be repeated; a failure does not stop the others. */
export async function restoreFunctions(
  environments: FunctionEnvironments,
  functionNames: readonly string[],
): Promise<Restored> {
  const restored: string[] = [];
  const failed: { functionName: string; message: string }[] = [];
  for (const functionName of functionNames) {
    try {
      const { [nonceVariable]: nonce, ...variables } = await environments.read(functionName);
      if (nonce === undefined) continue;
      await environments.replace(functionName, variables);
      restored.push(functionName);
    } catch (error) {
      failed.push({ functionName, message: describeError(error).message });
    }
  }
  return { restored, failed };
}
