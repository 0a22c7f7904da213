import { setTimeout as delay } from "node:timers/promises";
import {
  type CloudWatchLogsClient,
  paginateFilterLogEvents,
} from "@aws-sdk/client-cloudwatch-logs";
import { GetFunctionCommand, type LambdaClient } from "@aws-sdk/client-lambda";
import { describeError } from "../contract/errors.ts";
import type {
  AnsweredInvocation,
  CalledEnvironment,
  LateEnvironments,
  LateTelemetry,
} from "../sampler/target.ts";
import { type FoundReport, parseReportLine, readReport } from "../sampler/telemetry.ts";

/** Time limits on waiting for logs. */
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

/** Log and environments of invocations, as one look found them. */
interface Look {
  readonly log: string;
  readonly environments: ReadonlyMap<string, CalledEnvironment>;
}

/**
 * LogTelemetry reads from CloudWatch Logs the telemetry of invocations whose log tail came without it, and the
 * environments of those whose function does not report them.
 */
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
      const missing = notFound(logGroupName, delaysMs.length);
      return { ...lateTelemetry(sightings), missing };
    } catch (error) {
      return { ...lateTelemetry(sightings), missing: unreadable(error) };
    }
  }

  /**
   * The log streams of a trial's invocations, and late telemetry as `find` has it. One query a look, for
   * every REPORT of the time: a stream's other ones were somebody else's calls. Looks end when each
   * invocation's REPORT was found; none is made at once, unless it is the only one, for that finds nothing.
   *
   * FilterLogEvents may be asked 25 times a second in us-east-1, 5 times in some regions and 10 times in the
   * others (https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/cloudwatch_limits_cwl.html). A trial
   * asks at most four times in 15 s, and as often again for each further page (of 1 MB or 10,000 events, or
   * an empty one). By request ids, 16 a pattern, 480 calls would take 30 requests a look.
   */
  async findEnvironments(
    functionName: string,
    invocations: readonly AnsweredInvocation[],
    mayWait: boolean,
  ): Promise<LateEnvironments> {
    const sightings = new Map<string, Sighting>();
    const delaysMs = mayWait ? this.#wait.delaysMs : [0];
    const signal = AbortSignal.timeout(this.#wait.limitMs);
    const awaited = invocations.filter(({ telemetryAwaited }) => telemetryAwaited === true);
    let environments: Look["environments"] = new Map();
    const isWhole = () =>
      invocations.every(({ requestId }) => environments.has(requestId)) &&
      awaited.every(({ requestId }) => isSettled(sightings.get(requestId)));
    try {
      const logGroupName = await this.#logGroupOf(functionName, signal);
      for (const delayMs of delaysMs) {
        await delay(delayMs, undefined, { signal });
        const look = await this.#lookAtAll(logGroupName, invocations, signal);
        environments = look.environments;
        sight(awaited, look.log, sightings);
        if (isWhole()) break;
      }
      const found = { ...lateTelemetry(sightings), environments };
      return isWhole() ? found : { ...found, missing: notFound(logGroupName, delaysMs.length) };
    } catch (error) {
      const missing = unreadable(error);
      return { ...lateTelemetry(sightings), environments, missing };
    }
  }

  async #lookAtAll(
    logGroupName: string,
    invocations: readonly AnsweredInvocation[],
    abortSignal: AbortSignal,
  ): Promise<Look> {
    const reports = new ReportsByStream();
    const ids = new Set(invocations.map(({ requestId }) => requestId));
    const lines: string[] = [];
    const filterPattern = '"REPORT RequestId:"';
    const request = { logGroupName, ...searchWindow(invocations), filterPattern };
    const pages = paginateFilterLogEvents({ client: this.#logs }, request, { abortSignal });
    for await (const { events = [] } of pages) {
      for (const event of events) {
        reports.add(event);
        const line = firstLine(event.message ?? "");
        const [, requestId = ""] = /^REPORT RequestId: (\S+)/.exec(line) ?? [];
        if (ids.has(requestId)) lines.push(line);
      }
    }
    const environments = new Map<string, CalledEnvironment>();
    for (const requestId of ids) {
      const environment = reports.environmentOf(requestId);
      if (environment !== undefined) environments.set(requestId, environment);
    }
    return { log: lines.join("\n"), environments };
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
        log += events.map(({ message = "" }) => `${firstLine(message)}\n`).join("");
      }
      sight(some, log, sightings);
    }
  }
}

function sight(
  invocations: readonly AnsweredInvocation[],
  log: string,
  sightings: Map<string, Sighting>,
): void {
  for (const { requestId } of invocations) {
    const report = readReport(log, requestId);
    const { looks = 0 } = sightings.get(requestId) ?? {};
    if (report.telemetry !== undefined || report.refused !== undefined)
      sightings.set(requestId, { report, looks: looks + 1 });
  }
}

function notFound(logGroupName: string, looks: number): string {
  return `not in ${logGroupName} at ${looks === 1 ? "one look" : `${looks} looks`}`;
}

function unreadable(error: unknown): string {
  const { type, message } = describeError(error);
  return `the log could not be read: ${type}: ${message}`;
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

/** An event of a log group, as FilterLogEvents gives it. */
interface LogEvent {
  readonly message?: string | undefined;
  readonly logStreamName?: string | undefined;
}

/**
 * ReportsByStream records the log stream that contains each invocation's REPORT, and its position there: "A single
 * execution environment writes to the same log stream during its lifetime", and a new one generates a new stream.
 * https://docs.aws.amazon.com/lambda/latest/operatorguide/log-structure.html
 *
 * If several functions write to one log group, a stream's name contains the function's, so that no two functions
 * share a stream. https://docs.aws.amazon.com/lambda/latest/dg/monitoring-cloudwatchlogs-loggroups.html
 */
export class ReportsByStream {
  /** Request ids of a stream, in the order of its REPORTs. */
  readonly #positions = new Map<string, Map<string, number>>();
  /** Streams by request id; undefined of one that is in two. */
  readonly #streams = new Map<string, string | undefined>();

  /** Adds an event; events must come in order of time, as CloudWatch Logs gives them. */
  add({ message = "", logStreamName }: LogEvent): void {
    const requestId = parseReportLine(firstLine(message))?.requestId;
    if (requestId === undefined || logStreamName === undefined) return;
    const known = this.#positions.get(logStreamName) ?? new Map<string, number>();
    this.#positions.set(logStreamName, known);
    if (!known.has(requestId)) known.set(requestId, known.size);
    const isInAnother =
      this.#streams.has(requestId) && this.#streams.get(requestId) !== logStreamName;
    this.#streams.set(requestId, isInAnother ? undefined : logStreamName);
  }

  /** Undefined without a REPORT, and with one in two streams: Lambda writes one, and not both are its. */
  environmentOf(requestId: string): CalledEnvironment | undefined {
    const id = this.#streams.get(requestId);
    const invocation = id === undefined ? undefined : this.#positions.get(id)?.get(requestId);
    return id === undefined || invocation === undefined ? undefined : { id, invocation };
  }
}

/** Lambda's REPORT begins an event; what comes further down in one is the function's. */
function firstLine(message: string): string {
  return message.split("\n", 1)[0] ?? "";
}
