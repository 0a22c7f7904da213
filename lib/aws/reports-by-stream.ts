import type { CalledEnvironment } from "../sampler/target.ts";
import { parseReportLine } from "../sampler/telemetry.ts";

/** An event of a log group, as FilterLogEvents gives it. */
interface LogEvent {
  readonly message?: string | undefined;
  readonly logStreamName?: string | undefined;
}

/**
 * Which log stream each invocation wrote its REPORT to, and as which of that stream's: "A single execution
 * environment writes to the same log stream during its lifetime", and a new one generates a new stream.
 * https://docs.aws.amazon.com/lambda/latest/operatorguide/log-structure.html
 *
 * Of a log group that several functions write to, a stream's name has the function's in it, so that no two of
 * them share one. https://docs.aws.amazon.com/lambda/latest/dg/monitoring-cloudwatchlogs-loggroups.html
 */
export class ReportsByStream {
  /** Request ids of a stream, in the order of its REPORTs. */
  readonly #positions = new Map<string, Map<string, number>>();
  /** Streams by request id; undefined of one that is in two. */
  readonly #streams = new Map<string, string | undefined>();

  /** In the order of time, as CloudWatch Logs gives the events. */
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
export function firstLine(message: string): string {
  return message.split("\n", 1)[0] ?? "";
}
