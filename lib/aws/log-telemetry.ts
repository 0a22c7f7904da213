import { setTimeout as delay } from "node:timers/promises";
import {
  type CloudWatchLogsClient,
  paginateFilterLogEvents,
} from "@aws-sdk/client-cloudwatch-logs";
import { GetFunctionCommand, type LambdaClient } from "@aws-sdk/client-lambda";
import { defined } from "../contract/defined.ts";
import { describeError } from "../contract/errors.ts";
import type { FailedInit } from "../contract/types/contract.ts";
import type {
  AnsweredInvocation,
  CalledEnvironment,
  LateEnvironments,
  LateTelemetry,
} from "../sampler/target.ts";
import {
  type FoundReport,
  parseInitReport,
  parseReportLine,
  readReport,
  withoutRepeats,
} from "../sampler/telemetry.ts";

/** Time limits on waiting for logs. */
export interface LogWait {
  /** Waits between polls. */
  readonly delaysMs: readonly number[];
  /** Time limit of all polls and waits together. */
  readonly limitMs: number;
}

/** Logs appear some seconds after the call. */
export const usualLogWait: LogWait = { delaysMs: [1000, 2000, 4000, 8000], limitMs: 30_000 };

/** A filter pattern is limited to 1,024 characters; a request id takes 58 with its surroundings. */
const idsPerPattern = 16;
/** Maximum assumed difference between the clocks of the driver and of Lambda's hosts. */
const clockDifferenceMs = 60_000;
/** https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html */
const longestInvocationMs = 15 * 60_000;

interface LogTelemetryOptions {
  readonly logs: CloudWatchLogsClient;
  /** Used to find the function's log group. */
  readonly control: LambdaClient;
  /** @default at most 30 s */
  readonly logWait?: LogWait;
}

/** A report found in the log, and the number of polls that found it. */
interface Sighting {
  readonly report: FoundReport;
  readonly looks: number;
}

/** REPORT lines and environments of invocations, as one poll found them. */
interface Look {
  readonly log: string;
  readonly environments: ReadonlyMap<string, CalledEnvironment>;
}

/**
 * Reads from CloudWatch Logs the telemetry of invocations whose log tail lacked it, and the environments of
 * invocations whose function does not report them.
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
   * Never throws: the result's `missing` gives the reason if something was not found. A report counts only after a
   * second poll finds no other one for the same request: Lambda writes its own after anything that a function may
   * have written in the same form.
   * @param mayWait If false, polls once.
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
   * Finds the log stream of each invocation, and late telemetry as `find` does. Each poll is one query for every
   * REPORT and INIT_REPORT in the window; the other ones in a stream are calls by others. Polling stops when every REPORT is found.
   * The first poll comes after a wait, unless it is the only one, because an immediate one would find nothing.
   *
   * FilterLogEvents allows 25 requests per second in us-east-1, 5 in some regions and 10 in the others
   * (https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/cloudwatch_limits_cwl.html). A trial makes at most four
   * requests in 15 s, and as many again for each further page (1 MB, 10,000 events, or empty). Searching by request
   * id, 16 per pattern, would take 30 requests per poll for 480 calls.
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
    const filterPattern = '?"REPORT RequestId:" ?"INIT_REPORT"';
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

/** Returns a pattern for any of the REPORT lines: a quoted term is matched literally, and `?` means "or". */
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

/** A log event as FilterLogEvents returns it. */
interface LogEvent {
  readonly message?: string | undefined;
  readonly logStreamName?: string | undefined;
}

/**
 * Records the log stream that contains each invocation's REPORT, and its position there: "A single execution
 * environment writes to the same log stream during its lifetime", and a new one creates a new stream.
 * https://docs.aws.amazon.com/lambda/latest/operatorguide/log-structure.html
 *
 * If several functions share a log group, a stream's name contains the function's name, so no two functions share a
 * stream.
 * https://docs.aws.amazon.com/lambda/latest/dg/monitoring-cloudwatchlogs-loggroups.html
 */
export class ReportsByStream {
  /** Per stream: each request id and the position of its REPORT. */
  readonly #positions = new Map<string, Map<string, number>>();
  /** Inits that failed before a stream's first REPORT. */
  readonly #failedInits = new Map<string, FailedInit[]>();
  /** Stream by request id; undefined if the id occurs in two streams. */
  readonly #streams = new Map<string, string | undefined>();

  /**
   * Adds an event. Events must come in order of time, as CloudWatch Logs returns them. An INIT_REPORT has no request
   * id: it is of the stream's first call, and one that comes later is the function's own text.
   */
  add({ message = "", logStreamName }: LogEvent): void {
    if (logStreamName === undefined) return;
    const { failed } = parseInitReport(firstLine(message)) ?? {};
    const inits = this.#failedInits.get(logStreamName) ?? [];
    if (failed !== undefined && !this.#positions.has(logStreamName)) {
      this.#failedInits.set(logStreamName, withoutRepeats([...inits, failed]));
    }
    const requestId = parseReportLine(firstLine(message))?.requestId;
    if (requestId === undefined) return;
    const known = this.#positions.get(logStreamName) ?? new Map<string, number>();
    this.#positions.set(logStreamName, known);
    if (!known.has(requestId)) known.set(requestId, known.size);
    const isInAnother =
      this.#streams.has(requestId) && this.#streams.get(requestId) !== logStreamName;
    this.#streams.set(requestId, isInAnother ? undefined : logStreamName);
  }

  /** Returns undefined without a REPORT, or with one in two streams: Lambda writes only one. */
  environmentOf(requestId: string): CalledEnvironment | undefined {
    const id = this.#streams.get(requestId);
    const invocation = id === undefined ? undefined : this.#positions.get(id)?.get(requestId);
    if (id === undefined || invocation === undefined) return undefined;
    const failedInits = invocation === 0 ? this.#failedInits.get(id) : undefined;
    return { id, invocation, ...defined({ failedInits }) };
  }
}

/** Returns the first line of an event. Lambda's REPORT is always the first; later lines are the function's. */
function firstLine(message: string): string {
  return message.split("\n", 1)[0] ?? "";
}
