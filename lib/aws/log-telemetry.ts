import { setTimeout as delay } from "node:timers/promises";
import {
  type CloudWatchLogsClient,
  paginateFilterLogEvents,
} from "@aws-sdk/client-cloudwatch-logs";
import { GetFunctionCommand, type LambdaClient } from "@aws-sdk/client-lambda";
import { describeError } from "../contract/errors.ts";
import type { Telemetry } from "../contract/types/contract.ts";
import type { AnsweredInvocation, LateTelemetry } from "../protocol/target.ts";
import { parseReport } from "../telemetry/parse-report.ts";

/** How long logs are waited for. */
export interface LogWait {
  /** Before each look but the first. */
  readonly delaysMs: readonly number[];
  /** All looks and waits together take no longer. */
  readonly limitMs: number;
}

/** Lambda's logs are there some seconds after the call. */
export const usualLogWait: LogWait = { delaysMs: [1000, 2000, 4000, 8000], limitMs: 30_000 };

/** A filter pattern may have 1,024 characters; a request id and what stands around it have 58. */
const idsPerPattern = 16;
/** The clocks of the driver and of Lambda's hosts may differ by this much. */
const clockDifferenceMs = 60_000;
/** https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html */
const longestInvocationMs = 15 * 60_000;

export interface LogTelemetryOptions {
  readonly logs: CloudWatchLogsClient;
  /** Asked for the function's log group. */
  readonly control: LambdaClient;
  /** Absent: for half a minute at most. */
  readonly logWait?: LogWait;
}

/** The telemetry of invocations whose log tail came without it, from CloudWatch Logs. */
export class LogTelemetry {
  readonly #logs: CloudWatchLogsClient;
  readonly #control: LambdaClient;
  readonly #wait: LogWait;

  constructor({ logs, control, logWait = usualLogWait }: LogTelemetryOptions) {
    this.#logs = logs;
    this.#control = control;
    this.#wait = logWait;
  }

  /**
   * Never throws: what cannot be had is missing, with the reason.
   * @param mayWait false: one look at what is there now.
   */
  async find(
    functionName: string,
    invocations: readonly AnsweredInvocation[],
    mayWait: boolean,
  ): Promise<LateTelemetry> {
    const found = new Map<string, Telemetry>();
    const delaysMs = [0, ...(mayWait ? this.#wait.delaysMs : [])];
    const signal = AbortSignal.timeout(this.#wait.limitMs);
    try {
      const logGroupName = await this.#logGroupOf(functionName, signal);
      for (const delayMs of delaysMs) {
        await delay(delayMs, undefined, { signal });
        const missing = invocations.filter(({ requestId }) => !found.has(requestId));
        await this.#look(logGroupName, missing, found, signal);
        if (found.size === invocations.length) return { byRequestId: found };
      }
      const looks = delaysMs.length === 1 ? "one look" : `${delaysMs.length} looks`;
      return { byRequestId: found, missing: `not in ${logGroupName} at ${looks}` };
    } catch (error) {
      const { type, message } = describeError(error);
      return { byRequestId: found, missing: `the log could not be read: ${type}: ${message}` };
    }
  }

  async #logGroupOf(functionName: string, abortSignal: AbortSignal): Promise<string> {
    const command = new GetFunctionCommand({ FunctionName: functionName });
    const { Configuration } = await this.#control.send(command, { abortSignal });
    const logGroup = Configuration?.LoggingConfig?.LogGroup;
    if (logGroup === undefined)
      throw new Error(`GetFunction names no log group of ${functionName}`);
    return logGroup;
  }

  /** https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_FilterLogEvents.html */
  async #look(
    logGroupName: string,
    invocations: readonly AnsweredInvocation[],
    found: Map<string, Telemetry>,
    abortSignal: AbortSignal,
  ): Promise<void> {
    for (let first = 0; first < invocations.length; first += idsPerPattern) {
      const some = invocations.slice(first, first + idsPerPattern);
      const request = { logGroupName, ...windowOf(some), filterPattern: patternOf(some) };
      const pages = paginateFilterLogEvents({ client: this.#logs }, request, { abortSignal });
      let log = "";
      for await (const { events = [] } of pages) {
        log += events.map(({ message = "" }) => `${message}\n`).join("");
      }
      for (const { requestId } of some) {
        const telemetry = parseReport(log, requestId);
        if (telemetry !== undefined) found.set(requestId, telemetry);
      }
    }
  }
}

/** Any of the REPORT lines: a term in quotation marks is taken as it stands, and `?` is "or". */
function patternOf(invocations: readonly AnsweredInvocation[]): string {
  return invocations.map(({ requestId }) => `?"REPORT RequestId: ${requestId}"`).join(" ");
}

function windowOf(invocations: readonly AnsweredInvocation[]) {
  const startsMs = invocations.map(({ startedAt }) => Date.parse(startedAt));
  return {
    startTime: Math.min(...startsMs) - clockDifferenceMs,
    endTime: Math.max(...startsMs) + longestInvocationMs + clockDifferenceMs,
  };
}
