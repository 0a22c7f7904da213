import { setTimeout as delay } from "node:timers/promises";
import {
  type CloudWatchLogsClient,
  paginateFilterLogEvents,
} from "@aws-sdk/client-cloudwatch-logs";
import { GetFunctionCommand, type LambdaClient } from "@aws-sdk/client-lambda";
import { describeError } from "../contract/errors.ts";
import type { AnsweredInvocation, LateTelemetry } from "../sampler/target.ts";
import { type FoundReport, readReport } from "../sampler/telemetry.ts";

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

interface LogTelemetryOptions {
  readonly logs: CloudWatchLogsClient;
  /** Asked for the function's log group. */
  readonly control: LambdaClient;
  /** Absent: for half a minute at most. */
  readonly logWait?: LogWait;
}

/** A report that the log has, and how many looks found it as it is. */
interface Sighting {
  readonly report: FoundReport;
  readonly looks: number;
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
   * Never throws: what cannot be had is missing, with the reason. A report counts when the next look still
   * finds no other beside it: Lambda's own comes after whatever a function may have written in its form.
   * @param mayWait false: one look at what is there now.
   */
  async find(
    functionName: string,
    invocations: readonly AnsweredInvocation[],
    mayWait: boolean,
  ): Promise<LateTelemetry> {
    const sightings = new Map<string, Sighting>();
    const delaysMs = [0, ...(mayWait ? this.#wait.delaysMs : [])];
    const signal = AbortSignal.timeout(this.#wait.limitMs);
    try {
      const logGroupName = await this.#logGroupOf(functionName, signal);
      for (const delayMs of delaysMs) {
        const open = invocations.filter(({ requestId }) => !isSettled(sightings.get(requestId)));
        if (open.length === 0) break;
        await delay(delayMs, undefined, { signal });
        await this.#look(logGroupName, open, sightings, signal);
      }
      if (sightings.size === invocations.length) return lateTelemetry(sightings);
      const looks = delaysMs.length === 1 ? "one look" : `${delaysMs.length} looks`;
      return { ...lateTelemetry(sightings), missing: `not in ${logGroupName} at ${looks}` };
    } catch (error) {
      const { type, message } = describeError(error);
      const missing = `the log could not be read: ${type}: ${message}`;
      return { ...lateTelemetry(sightings), missing };
    }
  }

  async #logGroupOf(functionName: string, abortSignal: AbortSignal): Promise<string> {
    const command = new GetFunctionCommand({ FunctionName: functionName });
    const { Configuration } = await this.#control.send(command, { abortSignal });
    const logGroup = Configuration?.LoggingConfig?.LogGroup;
    if (logGroup === undefined)
      throw new Error(`GetFunction returned no log group for ${functionName}`);
    return logGroup;
  }

  /** https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_FilterLogEvents.html */
  async #look(
    logGroupName: string,
    invocations: readonly AnsweredInvocation[],
    sightings: Map<string, Sighting>,
    abortSignal: AbortSignal,
  ): Promise<void> {
    for (let first = 0; first < invocations.length; first += idsPerPattern) {
      const some = invocations.slice(first, first + idsPerPattern);
      const request = { logGroupName, ...searchWindow(some), filterPattern: filterPattern(some) };
      const pages = paginateFilterLogEvents({ client: this.#logs }, request, { abortSignal });
      let log = "";
      for await (const { events = [] } of pages) {
        // Lambda's REPORT begins an event; what comes further down in one is the function's.
        log += events.map(({ message = "" }) => `${message.split("\n", 1)[0]}\n`).join("");
      }
      for (const { requestId } of some) {
        const report = readReport(log, requestId);
        const { looks = 0 } = sightings.get(requestId) ?? {};
        if (report.telemetry !== undefined || report.refused !== undefined)
          sightings.set(requestId, { report, looks: looks + 1 });
      }
    }
  }
}

function isSettled(sighting: Sighting | undefined): boolean {
  return sighting !== undefined && (sighting.report.refused !== undefined || sighting.looks > 1);
}

function lateTelemetry(sightings: ReadonlyMap<string, Sighting>): LateTelemetry {
  const reports = [...sightings].map(([id, { report }]) => [id, report] as const);
  return {
    byRequestId: new Map(
      reports.flatMap(([id, { telemetry }]) => (telemetry === undefined ? [] : [[id, telemetry]])),
    ),
    refused: new Map(
      reports.flatMap(([id, { refused }]) => (refused === undefined ? [] : [[id, refused]])),
    ),
  };
}

/** Any of the REPORT lines: a term in quotation marks is taken as it stands, and `?` is "or". */
function filterPattern(invocations: readonly AnsweredInvocation[]): string {
  return invocations.map(({ requestId }) => `?"REPORT RequestId: ${requestId}"`).join(" ");
}

function searchWindow(invocations: readonly AnsweredInvocation[]) {
  const startsMs = invocations.map(({ startedAt }) => Date.parse(startedAt));
  return {
    startTime: Math.min(...startsMs) - clockDifferenceMs,
    endTime: Math.max(...startsMs) + longestInvocationMs + clockDifferenceMs,
  };
}
