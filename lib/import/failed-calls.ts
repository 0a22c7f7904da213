import { defined } from "../contract/defined.ts";
import { parseJson } from "../contract/lines.ts";
import type { FailedInit } from "../contract/types/contract.ts";
import { parseInitReport, withoutRepeats } from "../sampler/telemetry.ts";
import type { StartedCall } from "./function-facts.ts";
import type { ImportedInvocation } from "./source.ts";

/** A failure reported by a line: that of the invocation it names, or of the one in progress in its stream. */
interface ReportedFailure {
  readonly type: string;
  readonly requestId?: string;
  /** True if a handler may have logged it: the runtime of Node.js writes the same record. */
  readonly isUnsure?: true;
}

/** What Python's runtime prints of an exception: its class, and not the logger of `[ERROR] app.orders: not found`. */
const pythonError = /^\[ERROR\] ((?:\w+\.)*(?:[A-Z]\w*|\w*error|timeout))(?::|\s*$)/;
/** A line with a level, as handlers log: `[ERROR]\t2026-01-05T10:00:00.123Z\t...`, `ERROR:root:not found`. */
const loggedLine = /\b(?:DEBUG|INFO|WARN|WARNING|ERROR|CRITICAL|FATAL)\b/;

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

/**
 * Returns the failure in a record of the JSON format. What Python's runtime writes has no message; what a handler logs
 * has one, and so has what the runtime of Node.js writes.
 * https://github.com/aws/aws-lambda-python-runtime-interface-client/blob/main/awslambdaric/bootstrap.py
 * https://github.com/aws/aws-lambda-nodejs-runtime-interface-client/blob/main/src/LogPatch.js
 */
function failureInJson(text: string): ReportedFailure | undefined {
  if (!text.includes('"stackTrace"')) return undefined;
  const fields = Object(parseJson(text)) as { readonly [field: string]: unknown };
  const { message, errorType, requestId } = fields;
  if ((fields.level ?? fields.log_level) !== "ERROR") return undefined;
  const { errorType: logged } = Object(message) as { readonly errorType?: unknown };
  if (typeof logged === "string") return { type: logged, isUnsure: true };
  if (message !== undefined || typeof errorType !== "string") return undefined;
  const isNamed = typeof requestId === "string" && requestId !== "";
  return { type: errorType, ...(isNamed && { requestId }) };
}

/** A failure of an invocation, and whether only the place of its line among others tells which one. */
interface FoundFailure extends Pick<ReportedFailure, "type"> {
  readonly isByPlace: boolean;
}

/**
 * Finds invocations that failed according to lines other than their REPORT, which does not mark every failure, and
 * those that ran Init again after it had failed.
 */
export class FailedCalls {
  /** Requests that started and have no report yet, by stream. */
  readonly #open = new Map<string, Set<string>>();
  /** The last invocation of each request: a retry has the same id. */
  readonly #reported = new Map<string, ImportedInvocation>();
  /** Failure by request that has no report yet. */
  readonly #pending = new Map<string, FoundFailure>();
  /** Failure by stream, for a request that the log has not named yet; calls in a stream run one at a time. */
  readonly #nextIn = new Map<string, FoundFailure>();
  readonly #found = new Map<ImportedInvocation, FoundFailure>();
  /** Number of Inits that failed, and of those whose place tells which invocation ran Init again. */
  readonly #inits = { all: 0, followed: 0 };
  /** Inits that failed in a stream before its next invocation: their report has no request id. */
  readonly #initsIn = new Map<string, FailedInit[]>();
  /** Inits that failed before a request that has no report yet. */
  readonly #initsOf = new Map<string, FailedInit[]>();
  readonly #initsBefore = new Map<ImportedInvocation, FailedInit[]>();
  /** True if the stream's last line has a level: a traceback below it belongs to it. */
  readonly #logged = new Map<string, boolean>();
  /** Lines with a failure of an unknown invocation, or of one that only their place tells, or with what may be one. */
  readonly #lines = { unknown: [] as number[], byPlace: [] as number[], unsure: [] as number[] };

  addStart({ requestId }: StartedCall, stream = ""): void {
    this.#openIn(stream).add(requestId);
    const inits = this.#initsIn.get(stream);
    if (inits !== undefined) this.#initsOf.set(requestId, inits);
    this.#initsIn.delete(stream);
  }

  /** Adds any line other than a REPORT. */
  add(line: number, text: string, stream = ""): void {
    const failure = reportedFailure(text);
    const isHandled = failure?.type === "Traceback" && this.#logged.get(stream) === true;
    if (failure?.isUnsure) this.#lines.unsure.push(line);
    else if (failure !== undefined && !isHandled) this.#addFailure(line, failure, stream);
    this.#logged.set(stream, loggedLine.test(text));
    this.#addInit(text, stream);
  }

  addReport(invocation: ImportedInvocation): void {
    const { requestId, stream = "" } = invocation;
    if (requestId === undefined) return;
    this.#openIn(stream).delete(requestId);
    this.#reported.set(requestId, invocation);
    const inits = this.#initsOf.get(requestId) ?? this.#initsIn.get(stream);
    this.#initsOf.delete(requestId);
    this.#initsIn.delete(stream);
    const hasOwnInit = invocation.telemetry.initDurationMs !== undefined;
    if (inits !== undefined && !hasOwnInit) {
      this.#initsBefore.set(invocation, inits);
      this.#inits.followed += inits.length;
    }
    const pending = this.#pending.get(requestId) ?? this.#nextIn.get(stream);
    this.#pending.delete(requestId);
    this.#nextIn.delete(stream);
    if (pending !== undefined) this.#found.set(invocation, pending);
  }

  /** Returns the invocations, with the failure type of those that failed, and those that ran Init marked. */
  marked(invocations: readonly ImportedInvocation[]): readonly ImportedInvocation[] {
    if (this.#found.size + this.#initsBefore.size === 0) return invocations;
    const isNewestFirst = this.#isNewestFirst();
    return invocations.map((invocation) => {
      const { type, isByPlace = false } = this.#found.get(invocation) ?? {};
      const failedInits = isNewestFirst ? undefined : this.#initsBefore.get(invocation);
      const failure = isByPlace && isNewestFirst ? undefined : type;
      return { ...invocation, ...defined({ failure, failedInits }) };
    });
  }

  warnings(name: string): readonly string[] {
    const isNewestFirst = this.#isNewestFirst();
    const { unknown, byPlace, unsure } = this.#lines;
    const setAside = isNewestFirst ? 0 : this.#inits.followed;
    return [
      ...linesText(name, "failure", isNewestFirst ? [...unknown, ...byPlace] : unknown),
      ...linesText(name, "error", unsure),
      ...failedInitsText(name, setAside, "set aside"),
      ...failedInitsText(name, this.#inits.all - setAside, "counted as warm"),
    ];
  }

  /**
   * Lambda runs Init again within the environment's next invocation, whose report then has no Init Duration. Without
   * a stream's name, no call must be in progress: it would be of another environment.
   */
  #addInit(text: string, stream: string): void {
    const { failed, isWithinInvocation } = parseInitReport(text) ?? {};
    if (failed === undefined) return;
    const before = this.#initsIn.get(stream) ?? [];
    const inits = withoutRepeats([...before, failed]);
    this.#inits.all += inits.length - before.length;
    const isOfNext = stream !== "" || this.#openIn(stream).size === 0;
    if (isOfNext && (before.length > 0 || isWithinInvocation !== true)) {
      this.#initsIn.set(stream, inits);
    }
  }

  /** Returns whether most calls start after their report: the place of a line then tells nothing of its call. */
  #isNewestFirst(): boolean {
    const open = [...this.#open.values()].flatMap((ids) => [...ids]);
    return 2 * open.filter((id) => this.#reported.has(id)).length > this.#reported.size;
  }

  #addFailure(line: number, { type, requestId }: ReportedFailure, stream: string): void {
    const open = this.#openIn(stream);
    const id = requestId ?? (open.size === 1 ? [...open][0] : undefined);
    const failure = { type, isByPlace: requestId === undefined };
    if (id === undefined && (stream === "" || open.size > 0)) {
      this.#lines.unknown.push(line);
      return;
    }
    if (failure.isByPlace) this.#lines.byPlace.push(line);
    const reported = this.#reported.get(id ?? "");
    const isOpen = [...this.#open.values()].some((ids) => ids.has(id ?? ""));
    if (id === undefined) setOnce(this.#nextIn, stream, failure);
    else if (reported === undefined || isOpen) setOnce(this.#pending, id, failure);
    else setOnce(this.#found, reported, failure);
  }

  #openIn(stream: string): Set<string> {
    const open = this.#open.get(stream) ?? new Set();
    this.#open.set(stream, open);
    return open;
  }
}

function setOnce<Key, Value>(map: Map<Key, Value>, key: Key, value: Value): void {
  if (!map.has(key)) map.set(key, value);
}

/** Returns what is not known of the failures in some lines, of which it names the first. */
function linesText(
  name: string,
  what: "failure" | "error",
  lines: readonly number[],
): readonly string[] {
  if (lines.length === 0) return [];
  const one = what === "error" ? "an error" : "a failure";
  const some = lines.length === 1 ? one : `the first of ${lines.length} ${what}s`;
  const doubt =
    what === "error"
      ? "that the handler logged or the runtime of Node.js reported, which this format does not tell apart: its invocation counts as its report says"
      : "of which the log does not tell the invocation; it may count as one that succeeded";
  return [`${name} line ${lines.toSorted((a, b) => a - b)[0]}: ${some} ${doubt}`];
}

function failedInitsText(name: string, n: number, what: string): readonly string[] {
  if (n === 0) return [];
  return [
    `${name}: ${n === 1 ? "1 Init" : `${n} Inits`} failed or timed out (INIT_REPORT); Lambda runs Init again within the next invocation, which then reports no Init Duration and is ${what}`,
  ];
}
