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

/** A failure of an invocation that a line names, or that only the line's place among others tells. */
interface FoundFailure {
  readonly type: string;
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
  /** Inits that failed, and those of them whose place tells which invocation ran Init again. */
  readonly #inits = { all: 0, followed: 0 };
  /** Inits that failed in a stream before its next invocation: their report has no request id. */
  readonly #initsIn = new Map<string, FailedInit[]>();
  /** Inits that failed before a request that has no report yet. */
  readonly #initsOf = new Map<string, FailedInit[]>();
  readonly #initsBefore = new Map<ImportedInvocation, FailedInit[]>();
  /** True if the stream's last line has a level: a traceback below it belongs to it. */
  readonly #logged = new Map<string, boolean>();
  /** The first line with a failure of an unknown invocation, and the number of such failures. */
  #unknown: Counted | undefined;
  /** The first line with a failure that only its place tells of which invocation it is, and the number of such. */
  #byPlace: Counted | undefined;
  /** The first error that may or may not be a failure, and the number of such errors. */
  #unsure: Counted | undefined;

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
    if (failure !== undefined && !isHandled) this.#addFailure(line, failure, stream);
    if (failure === undefined && isErrorOfEither(text)) this.#unsure = oneMore(this.#unsure, line);
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
      const found = this.#found.get(invocation);
      const hasFailed = found !== undefined && !(found.isByPlace && isNewestFirst);
      const failedInits = isNewestFirst ? undefined : this.#initsBefore.get(invocation);
      if (!hasFailed && failedInits === undefined) return invocation;
      return {
        ...invocation,
        ...(hasFailed && { failure: found.type }),
        ...defined({ failedInits }),
      };
    });
  }

  warnings(name: string): readonly string[] {
    const isNewestFirst = this.#isNewestFirst();
    const unknown = isNewestFirst ? added(this.#unknown, this.#byPlace) : this.#unknown;
    const unsure = this.#unsure;
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
      ...failedInitsTexts(name, this.#inits.all, isNewestFirst ? 0 : this.#inits.followed),
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
      this.#unknown = oneMore(this.#unknown, line);
      return;
    }
    if (failure.isByPlace) this.#byPlace = oneMore(this.#byPlace, line);
    if (id === undefined) {
      this.#nextIn.set(stream, this.#nextIn.get(stream) ?? failure);
      return;
    }
    const reported = this.#reported.get(id);
    const isOpen = [...this.#open.values()].some((ids) => ids.has(id));
    if (reported === undefined || isOpen) {
      this.#pending.set(id, this.#pending.get(id) ?? failure);
    } else this.#found.set(reported, this.#found.get(reported) ?? failure);
  }

  #openIn(stream: string): Set<string> {
    const open = this.#open.get(stream) ?? new Set();
    this.#open.set(stream, open);
    return open;
  }
}

function failedInitsTexts(name: string, all: number, setAside: number): readonly string[] {
  const inits = (n: number) =>
    `${name}: ${n === 1 ? "1 Init" : `${n} Inits`} failed or timed out (INIT_REPORT); Lambda runs Init again within the next invocation, which then reports no Init Duration and is`;
  const others = all - setAside;
  return [
    ...(setAside === 0 ? [] : [`${inits(setAside)} set aside`]),
    ...(others === 0 ? [] : [`${inits(others)} counted as warm`]),
  ];
}

/** A number of lines, and the first of them. */
interface Counted {
  readonly line: number;
  readonly count: number;
}

function oneMore(found: Counted | undefined, line: number): Counted {
  return { line: found?.line ?? line, count: (found?.count ?? 0) + 1 };
}

function added(one: Counted | undefined, other: Counted | undefined): Counted | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return { line: Math.min(one.line, other.line), count: one.count + other.count };
}
