import { parseJson } from "../contract/lines.ts";
import type { StartedCall } from "./function-facts.ts";
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
  if (text.startsWith("{")) return failureInJson(text);
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

type Fields = Readonly<Record<string, unknown>>;

/** Returns the fields of an error in the JSON format; undefined for any other line. */
function loggedError(text: string): Fields | undefined {
  if (!text.startsWith("{") || !text.includes('"stackTrace"')) return undefined;
  const fields = Object(parseJson(text)) as Fields;
  return (fields.level ?? fields.log_level) === "ERROR" ? fields : undefined;
}

/**
 * Returns the failure in a record that Python's runtime writes in the JSON format. It has no message, which what a
 * handler logs has.
 * https://github.com/aws/aws-lambda-python-runtime-interface-client/blob/main/awslambdaric/bootstrap.py
 */
function failureInJson(text: string): ReportedFailure | undefined {
  const { message, errorType, requestId } = loggedError(text) ?? {};
  if (message !== undefined || typeof errorType !== "string") return undefined;
  const isNamed = typeof requestId === "string" && requestId !== "";
  return { type: errorType, ...(isNamed && { requestId }) };
}

/**
 * Returns whether a line is an error in the JSON format that the runtime of Node.js may have written, or a handler:
 * their records are the same.
 * https://github.com/aws/aws-lambda-nodejs-runtime-interface-client/blob/main/src/LogPatch.js
 */
function isErrorOfEither(text: string): boolean {
  const { message } = loggedError(text) ?? {};
  return typeof Object(message).errorType === "string";
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
  #unknown: { readonly line: number; readonly count: number } | undefined;
  /** The first error that may or may not be a failure, and the number of such errors. */
  #unsure: { readonly line: number; readonly count: number } | undefined;

  addStart({ requestId }: StartedCall, stream = ""): void {
    this.#openIn(stream).add(requestId);
  }

  /** Adds any line other than a REPORT. */
  add(line: number, text: string, stream = ""): void {
    const failure = reportedFailure(text);
    const isHandled = failure?.type === "Traceback" && this.#logged.get(stream) === true;
    if (failure !== undefined && !isHandled) this.#addFailure(line, failure, stream);
    if (failure === undefined && isErrorOfEither(text)) this.#unsure = oneMore(this.#unsure, line);
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
    const [unknown, unsure] = [this.#unknown, this.#unsure];
    return [
      ...(unknown === undefined
        ? []
        : [
            `${name} line ${unknown.line}: ${unknown.count === 1 ? "a failure" : `the first of ${unknown.count} failures`} of which the log does not tell the invocation; it may count as one that succeeded`,
          ]),
      ...(unsure === undefined
        ? []
        : [
            `${name} line ${unsure.line}: ${unsure.count === 1 ? "an error" : `the first of ${unsure.count} errors`} that the handler logged or the runtime of Node.js reported, which this format does not tell apart: its invocation counts as its report says`,
          ]),
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
      this.#unknown = oneMore(this.#unknown, line);
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

function oneMore(
  found: { readonly line: number; readonly count: number } | undefined,
  line: number,
) {
  return { line: found?.line ?? line, count: (found?.count ?? 0) + 1 };
}
