import { defined } from "../contract/defined.ts";
import { contractProblem } from "../contract/validate.ts";
import { parseInitReport } from "../sampler/telemetry.ts";
import { FailedCalls } from "./failed-calls.ts";
import { Facts, type StartedCall, startedCall } from "./function-facts.ts";
import { isEmulated, type ReadReport, readReport, whyNoReport } from "./report-line.ts";
import { ReportsPerStart } from "./reports-per-start.ts";
import {
  copied,
  type FunctionFacts,
  type ImportedInvocation,
  type ReadSource,
  reasons,
  requireRoom,
  type SourceFormat,
  Tally,
} from "./source.ts";

export interface LogEntry {
  /** Text without the prefix that a tool printed. */
  readonly text: string;
  /** Time printed next to the text, as text or in ms since 1970. */
  readonly time?: string | number;
  /** Name of the log stream, if the source contains it. */
  readonly stream?: string;
  /** Name of the function, if the source has it next to the entry. */
  readonly functionName?: string;
  /** True for a table cell: fields of its event may be in other rows. */
  readonly isCell?: true;
  /** True if a later line of the event's message starts like a report. */
  readonly hasLaterReport?: true;
}

/** Most unreadable reports that are listed individually. */
const mostNamed = 5;

/**
 * Collects Lambda's reports, as text or JSON, from a log that may have any other lines too. The two log formats:
 * https://docs.aws.amazon.com/lambda/latest/dg/monitoring-cloudwatchlogs-logformat.html
 */
export class LogEntries {
  readonly #name: string;
  readonly #format: SourceFormat;
  readonly #invocations: ImportedInvocation[] = [];
  readonly #notTaken = new Tally();
  readonly #facts = new Facts();
  readonly #failed = new FailedCalls();
  readonly #starts = new ReportsPerStart();
  readonly #warnings: string[] = [];
  /** Parsed streams by name; thousands of invocations share one. */
  readonly #streams = new Map<string, ReturnType<typeof parseStream>>();
  #unknownTimes = 0;
  #read = 0;

  constructor(name: string, format: SourceFormat) {
    this.#name = name;
    this.#format = format;
  }

  get invocations(): number {
    return this.#invocations.length;
  }

  /** Returns the number of log streams that reports came from. */
  get streams(): number {
    return this.#streams.size;
  }

  /**
   * @param line its number in the source, from 1. Throws InvalidInput only if the source has more reports than a run
   * may have.
   */
  add(line: number, entry: LogEntry): void {
    this.#read += 1;
    if (!this.#addReport(line, entry)) this.#addOther(line, entry);
  }

  addTooLong(): void {
    this.#read += 1;
    this.#notTaken.add(reasons.longLine);
  }

  end(known: Partial<FunctionFacts> = {}): ReadSource {
    const found = this.#facts.all();
    const both = (fact: keyof FunctionFacts) => [
      ...new Set([...(known[fact] ?? []), ...found[fact]]),
    ];
    return {
      name: this.#name,
      format: this.#format,
      read: this.#read,
      invocations: this.#soundInvocations(),
      averages: [],
      notTaken: this.#notTaken.counts,
      functionNames: both("functionNames"),
      regions: both("regions"),
      runtimeVersions: both("runtimeVersions"),
      warnings: [
        ...this.#warnings,
        ...this.#failed.warnings(this.#name),
        ...this.#facts.warnings(this.#name),
        ...emulatorTexts(this.#name, this.#invocations),
      ],
    };
  }

  /** Returns the invocations without those whose reports contradict each other, which it lists. */
  #soundInvocations(): readonly ImportedInvocation[] {
    const all = this.#failed.marked(this.#invocations);
    const sound = this.#starts.withoutContradictions(this.#name, all);
    this.#notTaken.add(reasons.unreadable, sound.leftOut);
    this.#warnings.push(...sound.warnings);
    return sound.invocations;
  }

  #addReport(line: number, { text, time, stream, functionName }: LogEntry): boolean {
    const report = readReport(text);
    if (report === undefined) return false;
    if (report.kind === "without-duration") this.#notTaken.add(reasons.withoutDuration);
    else if (report.kind === "unreadable") this.#addUnreadable(line, report.why);
    else {
      const problem = contractProblem("telemetry", report.telemetry);
      if (problem === undefined) {
        const found: ImportedInvocation = {
          ...describe(line, report, time),
          ...this.#functionOf(functionName, stream),
          ...(isEmulated(text) && { isEmulated: true }),
        };
        if (time !== undefined && found.reportedAt === undefined) this.#addUnknownTime(line, time);
        this.#invocations.push(found);
        this.#failed.addReport(found);
        requireRoom({ name: this.#name }, this.#invocations.length);
      } else this.#addOutOfBounds(line, problem.message);
    }
    return true;
  }

  #addOutOfBounds(line: number, message: string): void {
    this.#notTaken.add(reasons.outOfBounds);
    const isFirst = this.#notTaken.counts.get(reasons.outOfBounds) === 1;
    if (isFirst) this.#warnings.push(`${this.#name} line ${line}: ${message}`);
  }

  /** Lists a report that is left out: cut lines may be those of cold starts, which are longer. */
  #addUnreadable(line: number, why: string): void {
    this.#notTaken.add(reasons.unreadable);
    const n = this.#notTaken.counts.get(reasons.unreadable) ?? 0;
    if (n > mostNamed) return;
    this.#warnings.push(`${this.#name} line ${line}: this REPORT was skipped: ${why}`);
  }

  /** Lists the first time that is in an unknown form, and without which the invocation is kept. */
  #addUnknownTime(line: number, time: NonNullable<LogEntry["time"]>): void {
    this.#unknownTimes += 1;
    if (this.#unknownTimes > 1) return;
    this.#warnings.push(unknownTimeText(this.#name, line, time));
  }

  #functionOf(
    named: string | undefined,
    streamName: string | undefined,
  ): Pick<ImportedInvocation, "stream" | "functionName"> {
    const { stream, functionName: ofStream } = this.#streamOf(streamName);
    const functionName = ofStream ?? (named && copied(named)) ?? this.#facts.functionOf(stream);
    if (functionName !== undefined) this.#facts.addFunction(functionName);
    return defined({ functionName, stream });
  }

  #streamOf(name: string | undefined): Pick<ImportedInvocation, "stream" | "functionName"> {
    if (name === undefined) return {};
    const known = this.#streams.get(name) ?? parseStream(copied(name));
    if (known === undefined) return {};
    this.#streams.set(known.name, known);
    const { functionName } = known;
    return { stream: known.name, ...defined({ functionName }) };
  }

  #addStart(started: StartedCall, stream: string | undefined): void {
    this.#facts.addStart(started);
    this.#failed.addStart(started, stream);
    this.#starts.add(started);
  }

  #addOther(line: number, { text, stream, hasLaterReport }: LogEntry): void {
    const own = this.#streamOf(stream).stream;
    const started = startedCall(text);
    if (started !== undefined) this.#addStart(started, own);
    this.#facts.add(text, own);
    this.#failed.add(line, text, own);
    const init = parseInitReport(text);
    const why = hasLaterReport ? "it does not start its event's message" : whyNoReport(text);
    if (init !== undefined) this.#notTaken.add(reasons.initReport);
    else if (why === undefined) this.#notTaken.add(reasons.otherLine);
    else this.#addUnreadable(line, why);
  }
}

function describe(
  line: number,
  { requestId, telemetry, time }: ReadReport,
  printedTime: LogEntry["time"],
): ImportedInvocation {
  const reportedAt = isoTime(time ?? printedTime);
  return copied({ line, requestId, ...defined({ reportedAt }), telemetry });
}

/** The first day of Lambda, and a day that no log is of: other numbers are not ms since 1970. */
const [earliestMs, latestMs] = [Date.UTC(2014, 10, 13), Date.UTC(2100, 0, 1)];
const isoForm =
  /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?)\s?(Z|UTC|[+-]\d\d:?\d\d)?$/;

/**
 * Returns a time in ISO 8601, UTC, of such a text or of ms since 1970; a text without a zone is UTC. Undefined for
 * anything else: of 05/01/2026 one cannot know the month, and a number may be in seconds.
 */
export function isoTime(time: string | number | undefined): string | undefined {
  if (typeof time === "number") {
    return time >= earliestMs && time <= latestMs ? new Date(time).toISOString() : undefined;
  }
  const [, day, clock = "", zone = "Z"] = isoForm.exec(time ?? "") ?? [];
  if (day === undefined) return undefined;
  const date = new Date(`${day}T${clock.replace(",", ".")}${zone === "UTC" ? "Z" : zone}`);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

export function unknownTimeText(name: string, line: number, time: string | number): string {
  return `${name} line ${line}: the time ${JSON.stringify(time)} is neither in the form of 2026-01-05T10:00:00Z nor ms since 1970: such times are left out`;
}

function emulatorTexts(
  name: string,
  invocations: readonly ImportedInvocation[],
): readonly string[] {
  const n = invocations.filter((each) => each.isEmulated === true).length;
  if (n > 0) {
    const reports = n === 1 ? "a report" : `${n} reports`;
    return [
      `${name}: a local emulator (sam local or the Runtime Interface Emulator, which print Init Duration first) printed ${reports}: the times are those of the machine that it ran on, not Lambda's`,
    ];
  }
  const isFull = ({ telemetry }: ImportedInvocation) =>
    telemetry.maxMemoryUsedMb !== undefined && telemetry.maxMemoryUsedMb === telemetry.memorySizeMb;
  if (invocations.length === 0 || !invocations.every(isFull)) return [];
  return [
    `${name}: Max Memory Used equals Memory Size in every report, as LocalStack and the Runtime Interface Emulator print it: if one of them printed this log, the times are those of the machine that it ran on, not Lambda's`,
  ];
}

/**
 * A log stream. It contains the logs of one execution environment, from Init to its end ("A single execution
 * environment writes to the same log stream during its lifetime", and a new environment generates a new one).
 * https://docs.aws.amazon.com/lambda/latest/operatorguide/log-structure.html
 */
interface LogStream {
  /** Name in CloudWatch Logs. */
  readonly name: string;
  /** Name of the function, which only stream names of a custom log group contain. */
  readonly functionName?: string;
}

const streamName = /^\d{4}\/\d\d\/\d\d\/([^\s[\]]+)\[[^\]\s]+\]\[[^\]\s]+\]$/;

/**
 * A stream that all environments of a capacity provider share.
 * https://docs.aws.amazon.com/lambda/latest/dg/lambda-managed-instances-cwl-configure.html
 */
const shared = /\/managed-instances$/;

/** Parses a stream's name. Undefined without a name, and for a stream that several environments write to. */
export function parseStream(name: string | undefined): LogStream | undefined {
  if (name === undefined || name === "" || shared.test(name)) return undefined;
  const [, functionName] = streamName.exec(name) ?? [];
  return { name, ...defined({ functionName }) };
}

/**
 * Returns the function that a log group belongs to. A group of another name is taken for one function of that name,
 * unless the stream names the function.
 */
export function functionOfGroup(group: string, stream: string | undefined): string | undefined {
  const [, own] = /(?:^|:)\/aws\/lambda\/([^:]+)(?::\*)?$/.exec(group) ?? [];
  if (own !== undefined || group === "") return own;
  return parseStream(stream)?.functionName === undefined ? group.replace(/^\d+:/, "") : undefined;
}
