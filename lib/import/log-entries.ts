import { defined } from "../contract/defined.ts";
import { leftOutReasons } from "../contract/exclusion-reasons.ts";
import { contractProblem } from "../contract/validate.ts";
import { parseInitReport } from "../sampler/telemetry.ts";
import { FailedCalls } from "./failed-calls.ts";
import { Facts, startedCall } from "./function-facts.ts";
import { isoTime, parseStream, unknownTimeText } from "./line-context.ts";
import { isEmulated, type ReadReport, readReport, whyNoReport } from "./report-line.ts";
import { contradictionTexts, ReportsPerStart } from "./reports-per-start.ts";
import {
  copied,
  type FunctionFacts,
  type ImportedInvocation,
  type LogEntry,
  type ReadSource,
  type RowFigures,
  requireRoom,
  type SourceFormat,
  Tally,
} from "./source.ts";

/** Most unreadable reports that are listed individually. */
const mostNamed = 5;

type Report = Extract<ReadReport, { kind: "report" }>;

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

  /** Throws InvalidInput only if the source has more reports than a run may have. */
  add(entry: LogEntry): void {
    this.#read += 1;
    const report = withRow(readReport(entry.text), entry.row);
    if (report === undefined) this.#addOther(entry);
    else if (report.kind === "without-duration") this.#notTaken.add(leftOutReasons.withoutDuration);
    else if (report.kind === "unreadable") this.#skip(entry.line, report.why);
    else this.#addReport(entry, report);
  }

  addTooLong(): void {
    this.#read += 1;
    this.#notTaken.add(leftOutReasons.longLine);
  }

  /** Adds a report that is not read, with the reason. */
  addUnreadable(line: number, why: string): void {
    this.#read += 1;
    this.#skip(line, why);
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
    const contradictions = this.#starts.contradictions(all);
    const sound = all.filter(({ requestId = "" }) => !contradictions.has(requestId));
    this.#notTaken.add(leftOutReasons.unreadable, all.length - sound.length);
    this.#warnings.push(...contradictionTexts(this.#name, contradictions));
    return sound;
  }

  #addReport(entry: LogEntry, report: Report): void {
    const { line, text, time, stream, functionName } = entry;
    const problem = contractProblem("telemetry", report.telemetry);
    if (problem !== undefined) {
      this.#addOutOfBounds(line, problem.message);
      return;
    }
    const found: ImportedInvocation = {
      ...describe(line, report, time),
      ...this.#functionOf(functionName, stream),
      ...(isEmulated(text) && { isEmulated: true }),
    };
    if (time !== undefined && found.reportedAt === undefined) this.#addUnknownTime(line, time);
    this.#invocations.push(found);
    this.#failed.addReport(found);
    requireRoom({ name: this.#name }, this.#invocations.length);
  }

  #addOutOfBounds(line: number, message: string): void {
    this.#notTaken.add(leftOutReasons.outOfBounds);
    const isFirst = this.#notTaken.counts.get(leftOutReasons.outOfBounds) === 1;
    if (isFirst) this.#warnings.push(`${this.#name} line ${line}: ${message}`);
  }

  /** Lists a report that is left out: cut lines may be those of cold starts, which are longer. */
  #skip(line: number, why: string): void {
    this.#notTaken.add(leftOutReasons.unreadable);
    const n = this.#notTaken.counts.get(leftOutReasons.unreadable) ?? 0;
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
    const { name: stream, functionName: ofStream } = this.#streamOf(streamName) ?? {};
    const functionName = ofStream ?? (named && copied(named)) ?? this.#facts.functionOf(stream);
    if (functionName !== undefined) this.#facts.addFunction(functionName);
    return defined({ functionName, stream });
  }

  #streamOf(name: string | undefined): ReturnType<typeof parseStream> {
    if (name === undefined) return undefined;
    const known = this.#streams.get(name) ?? parseStream(copied(name));
    if (known !== undefined) this.#streams.set(known.name, known);
    return known;
  }

  #addOther({ line, text, stream, isMessage }: LogEntry): void {
    const own = this.#streamOf(stream)?.name;
    const firstLine = text.startsWith("{") ? text : (text.split("\n", 1)[0] ?? "");
    const started = startedCall(firstLine);
    if (started !== undefined) {
      this.#facts.addStart(started);
      this.#failed.addStart(started, own);
      this.#starts.add(started);
    }
    this.#facts.add(firstLine, own);
    this.#failed.add(line, firstLine, own);
    const why = whyNoReport(text, isMessage === true);
    if (parseInitReport(firstLine) !== undefined) this.#notTaken.add(leftOutReasons.initReport);
    else if (why === undefined) this.#notTaken.add(leftOutReasons.otherLine);
    else this.#skip(line, why);
  }
}

/** Returns a report with the figures that its row has in columns of their own. */
function withRow(read: ReadReport | undefined, row?: RowFigures): ReadReport | undefined {
  if (row === undefined || read?.kind === "unreadable") return read;
  if (row.type === "other") return undefined;
  const reported = read?.kind === "report" ? read : undefined;
  const { durationMs, ...figures } = { ...reported?.telemetry, ...row.telemetry };
  if (durationMs === undefined) return row.type === "report" ? { kind: "without-duration" } : read;
  return {
    kind: "report",
    ...reported,
    ...defined({ requestId: row.requestId ?? reported?.requestId }),
    telemetry: { ...figures, durationMs },
  };
}

function describe(
  line: number,
  { requestId, telemetry, time }: Report,
  printedTime: LogEntry["time"],
): ImportedInvocation {
  const reportedAt = isoTime(time) ?? isoTime(printedTime);
  return copied({ line, ...defined({ requestId, reportedAt }), telemetry });
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
