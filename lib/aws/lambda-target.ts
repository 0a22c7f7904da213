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
import { readReport } from "../sampler/telemetry.ts";
import { withDeletedByHand } from "./deleted-by-hand.ts";
import type { FunctionEnvironments } from "./function-environment.ts";
import type { LogTelemetry } from "./log-telemetry.ts";

/** The environment variable whose change makes a function cold. */
export const nonceVariable = "KELVIN_NONCE";

export interface LambdaTargetOptions {
  /** Makes the measured calls; must not retry (measuringLambdaClient). */
  readonly measuring: LambdaClient;
  readonly environments: FunctionEnvironments;
  readonly logs: LogTelemetry;
  /** The deployed function of a cell. */
  readonly functionName: (cell: Cell) => string;
  /** A new value at each call. */
  readonly nonce: () => string;
  /** A measured call is given up after this long: the function's timeout, and the way there and back. */
  readonly invokeLimitMs: number;
  /**
   * Minimum spacing between the starts of calls.
   * @default as Lambda asks for
   */
  readonly spacing?: Partial<CallSpacing>;
  /**
   * Waited before the function is changed for the first time, while other drivers change theirs.
   * @default 0
   */
  readonly updateDelayMs?: number;
  readonly now?: () => Date;
  /** Monotonic. */
  readonly clockMs?: () => number;
  readonly sleep?: (ms: number) => Promise<void>;
}

/** Functions on AWS Lambda. */
export class LambdaTarget implements Target {
  readonly kind = "aws";
  readonly #options: LambdaTargetOptions;
  readonly #now: () => Date;
  readonly #clockMs: () => number;
  readonly #sleep: (ms: number) => Promise<void>;
  /** When the last call began; at first now, for another driver may have called until then. */
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

  /** Changes a variable of the function's environment: the next invocation then meets a new one. */
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
   * Begins no sooner than the environment may be called again; that wait is in none of the times.
   * https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html
   */
  async invoke(cell: Cell, event: unknown, operation?: string): Promise<Invocation> {
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
      const named = withDeletedByHand(error, { kind: "function", name: functionName(cell) });
      return { startedAt, ...readRequestId(error), error: describeError(named) };
    }
  }

  /** Reads the CPU model by a call that is spaced like the others; its operation is none that a function measures. */
  async cpuModel(cell: Cell, bootId: string): Promise<string | undefined> {
    const { payload } = await this.invoke(cell, { operation: "describe" });
    if (contractProblem("result", payload) !== undefined) return undefined;
    const result = payload as FunctionResult;
    return result.bootId === bootId ? result.cpuModel : undefined;
  }

  /** A timer may end a little before its time: what is left of it is waited for again. */
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

/** No sample can tell of the throttling then: the failure's message does. */
function coldNotForced(error: unknown, { throttledCalls, waitedMs }: ForcedCold): unknown {
  if (throttledCalls === 0) return error;
  const { type, message } = describeError(error);
  const told = `${throttledCalls} calls throttled, ${Math.round(waitedMs)} ms waited`;
  return new TrialFailed(type, `${message} (${told})`);
}

function readRequestId(error: unknown): { requestId?: string } {
  const requestId = (error as { $metadata?: { requestId?: string } }).$metadata?.requestId;
  return requestId === undefined ? {} : { requestId };
}

/** Reads the invocation from an Invoke response: its result or its error, and its REPORT. */
function readInvocation(response: InvokeCommandOutput): Omit<Invocation, "startedAt"> {
  const requestId = response.$metadata.requestId;
  const log = Buffer.from(response.LogResult ?? "", "base64").toString("utf8");
  const { telemetry, refused } = requestId === undefined ? {} : readReport(log, requestId);
  const hasNoReport = telemetry === undefined && refused === undefined;
  const { FunctionError } = response;
  const answer = readAnswer(response.Payload);
  return {
    ...defined({ requestId, telemetry, telemetryRefused: refused }),
    ...(hasNoReport && log !== "" && { logTruncated: true }),
    ...(hasNoReport && requestId !== undefined && { telemetryAwaited: true }),
    ...(FunctionError === undefined
      ? answer
      : { error: readFunctionError(FunctionError, answer.payload) }),
  };
}

/** The function's return value; its text if that is not JSON. */
function readAnswer(bytes: Uint8Array | undefined): Pick<Invocation, "payload"> {
  const text = Buffer.from(bytes ?? []).toString("utf8");
  return { payload: parseJson(text, text) };
}

/** Lambda's form of a function's error: errorType and errorMessage, either of which may be absent. */
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
  /** Functions that had the nonce and no longer have it. */
  readonly restored: readonly string[];
  readonly failed: readonly { readonly functionName: string; readonly message: string }[];
}

/** Takes the nonce out of every function that has it. Can be done again; one that fails stops no other. */
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
