import type { ImportedInvocation } from "./source.ts";

/** A failure reported by a line: that of the invocation it names, or of the one in progress in its stream. */
interface ReportedFailure {
  readonly type: string;
  readonly requestId?: string;
}

const pythonError = /^\[ERROR\] ([\w.]+)(?::|\s*$)/;
/** A line that a handler logged with a level, which is not a failure: `[ERROR]\t2026-01-05T10:00:00.123Z\t...`. */
const loggedLine = /^\[[A-Z]+\]\t/;

/**
 * reportedFailure parses the lines by which Lambda and its runtimes report that an invocation failed.
 * https://docs.aws.amazon.com/lambda/latest/dg/python-exceptions.html
 * https://docs.aws.amazon.com/lambda/latest/dg/nodejs-exceptions.html
 * https://docs.aws.amazon.com/lambda/latest/dg/troubleshooting-invocation.html
 */
function reportedFailure(text: string): ReportedFailure | undefined {
  const [, timedOut] = /^(?:\S+Z\s+)?(\S+) Task timed out after [\d.]+ seconds/.exec(text) ?? [];
  if (timedOut !== undefined) return { type: "timeout", requestId: timedOut };
  const [, exited, why = ""] =
    /^RequestId: (\S+) (?:Error: )?((?:Runtime exited|Process exited).*)$/.exec(text) ?? [];
  if (exited !== undefined) return { type: why.split(":")[0] ?? why, requestId: exited };
  const [, ofNode, details = ""] =
    /^(?:\S+Z\t)?(\S+)\tERROR\t(?:Invoke Error|Uncaught Exception|Unhandled Promise Rejection)\s*(.*)$/.exec(
      text,
    ) ?? [];
  if (ofNode !== undefined) {
    const type = /"errorType":\s*"([^"]+)"/.exec(details)?.[1] ?? "Invoke Error";
    return { type, ...(ofNode !== "undefined" && { requestId: ofNode }) };
  }
  const [, ofPython] = pythonError.exec(text) ?? [];
  if (ofPython !== undefined) return { type: ofPython };
  return text.startsWith("Traceback (most recent call last):") ? { type: "Traceback" } : undefined;
}

/** Finds invocations that failed according to lines other than their REPORT, which does not mark every failure. */
export class FailedCalls {
  /** Requests that started and have no report yet, by stream. */
  readonly #open = new Map<string, Set<string>>();
  /** The last invocation of each request: a retry has the same id. */
  readonly #reported = new Map<string, ImportedInvocation>();
  /** Failure type by request that has no report yet. */
  readonly #pending = new Map<string, string>();
  /** Failure type by stream, for a request that the log has not named yet; calls in a stream run one at a time. */
  readonly #nextIn = new Map<string, string>();
  readonly #types = new Map<ImportedInvocation, string>();
  /** True if the stream's last line was logged by a handler: a traceback below it is the handler's too. */
  readonly #logged = new Map<string, boolean>();
  /** The first line with a failure of an unknown invocation, and the number of such failures. */
  #unknown: { readonly line: number; count: number } | undefined;

  /** Adds any line other than a REPORT. */
  add(line: number, text: string, stream = ""): void {
    const [, started] = /^START RequestId: (\S+)/.exec(text) ?? [];
    if (started !== undefined) this.#openIn(stream).add(started);
    const failure = reportedFailure(text);
    const isHandled = failure?.type === "Traceback" && this.#logged.get(stream) === true;
    if (failure !== undefined && !isHandled) this.#addFailure(line, failure, stream);
    this.#logged.set(stream, loggedLine.test(text) || pythonError.test(text));
  }

  addReport(invocation: ImportedInvocation): void {
    const { requestId, stream = "" } = invocation;
    if (requestId === undefined) return;
    this.#openIn(stream).delete(requestId);
    this.#reported.set(requestId, invocation);
    const pending = this.#pending.get(requestId) ?? this.#nextIn.get(stream);
    this.#pending.delete(requestId);
    this.#nextIn.delete(stream);
    if (pending !== undefined) this.#types.set(invocation, pending);
  }

  /** Returns the invocations, with the failure type of those that failed. */
  marked(invocations: readonly ImportedInvocation[]): readonly ImportedInvocation[] {
    if (this.#types.size === 0) return invocations;
    return invocations.map((invocation) => {
      const failure = this.#types.get(invocation);
      return failure === undefined ? invocation : { ...invocation, failure };
    });
  }

  warnings(name: string): readonly string[] {
    if (this.#unknown === undefined) return [];
    const { line, count } = this.#unknown;
    return [
      `${name} line ${line}: ${count === 1 ? "a failure" : `the first of ${count} failures`} of which the log does not tell the invocation; it may count as one that succeeded`,
    ];
  }

  #addFailure(line: number, { type, requestId }: ReportedFailure, stream: string): void {
    const open = this.#openIn(stream);
    const id = requestId ?? (open.size === 1 ? [...open][0] : undefined);
    if (id === undefined && stream !== "" && open.size === 0) {
      this.#nextIn.set(stream, this.#nextIn.get(stream) ?? type);
      return;
    }
    if (id === undefined) {
      this.#unknown = { line: this.#unknown?.line ?? line, count: (this.#unknown?.count ?? 0) + 1 };
      return;
    }
    const reported = this.#reported.get(id);
    const isOpen = [...this.#open.values()].some((ids) => ids.has(id));
    if (reported === undefined || isOpen) {
      this.#pending.set(id, this.#pending.get(id) ?? type);
    } else this.#types.set(reported, this.#types.get(reported) ?? type);
  }

  #openIn(stream: string): Set<string> {
    const open = this.#open.get(stream) ?? new Set();
    this.#open.set(stream, open);
    return open;
  }
}
