import { defined } from "../contract/defined.ts";
import { InvalidInput } from "../contract/errors.ts";
import { leftOutReasons } from "../contract/exclusion-reasons.ts";
import { contractProblem } from "../contract/validate.ts";
import { parseInitReport } from "../sampler/telemetry.ts";
import { FailedCalls } from "./failed-calls.ts";
import { Facts, startedCall } from "./function-facts.ts";
import { isoTime, parseStream } from "./line-context.ts";
import { ReportsPerStart } from "./repeated-reports.ts";
import { isEmulated, type ReadReport, readReport, whyNoReport } from "./report-line.ts";
import {
  copied,
  type FunctionFacts,
  type ImportedInvocation,
  LeftOut,
  type LogEntry,
  type ReadSource,
  type RowFigures,
  type SourceFormat,
} from "./source.ts";

/** Limit on memory: each invocation is a sample, perhaps an environment; a report on so many needs less than 1 GB. */
const mostInvocations = 200_000;

type Report = Extract<ReadReport, { kind: "report" }>;

/**
 * Collects Lambda's reports, as text or JSON, from a log that may have any other lines too. The two log formats:
 * https://docs.aws.amazon.com/lambda/latest/dg/monitoring-cloudwatchlogs-logformat.html
 */
export class LogEntries {
  readonly #name: string;
  readonly #format: SourceFormat;
  readonly #invocations: ImportedInvocation[] = [];
  readonly #leftOut = new LeftOut();
  readonly #facts = new Facts();
  readonly #failed = new FailedCalls();
  readonly #starts = new ReportsPerStart();
  /** Parsed streams by name; thousands of invocations share one. */
  readonly #streams = new Map<string, ReturnType<typeof parseStream>>();
  /** Names the first time that is in an unknown form. */
  #unknownTime: string | undefined;
  #read = 0;

  /** @param known facts about the function that are known beforehand */
  constructor(name: string, format: SourceFormat, known: Partial<FunctionFacts> = {}) {
    this.#name = name;
    this.#format = format;
    for (const each of known.functionNames ?? []) this.#facts.add("functionNames", each);
    for (const each of known.regions ?? []) this.#facts.add("regions", each);
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
    else if (report.kind === "without-duration") this.#leftOut.add(leftOutReasons.withoutDuration);
    else if (report.kind === "unreadable") this.#skip(entry.line, report.why);
    else this.#addReport(entry, report);
  }

  addTooLong(): void {
    this.#read += 1;
    this.#leftOut.add(leftOutReasons.longLine);
  }

  /** Adds a report that is not read, with the reason. */
  addUnreadable(line: number, why: string): void {
    this.#read += 1;
    this.#skip(line, why);
  }

  end(): ReadSource {
    const invocations = this.#soundInvocations();
    return {
      name: this.#name,
      format: this.#format,
      read: this.#read,
      invocations,
      averages: [],
      notTaken: this.#leftOut.counts,
      ...this.#facts.all(),
      warnings: [
        ...this.#leftOut.named,
        ...(this.#unknownTime === undefined ? [] : [this.#unknownTime]),
        ...this.#failed.warnings(this.#name),
        ...this.#facts.warnings(this.#name),
        ...emulatorTexts(this.#name, this.#invocations),
      ],
    };
  }

  /** Returns the invocations without those whose reports contradict each other, which it lists. */
  #soundInvocations(): readonly ImportedInvocation[] {
    const all = this.#failed.marked(this.#invocations);
    const contradicted = this.#starts.contradicted(all);
    const named = new Set<string>();
    for (const { requestId = "", line } of contradicted.size === 0 ? [] : all) {
      if (!contradicted.has(requestId)) continue;
      const text = `${this.#name} line ${line}: the reports of ${requestId} were skipped: they differ, and Lambda writes one for each start, so that the function wrote another itself`;
      this.#leftOut.add(leftOutReasons.unreadable, named.has(requestId) ? undefined : text);
      named.add(requestId);
    }
    return all.filter(({ requestId = "" }) => !contradicted.has(requestId));
  }

  #addReport(entry: LogEntry, report: Report): void {
    const { line, text, time } = entry;
    const problem = contractProblem("telemetry", report.telemetry);
    if (problem !== undefined) {
      const named = `${this.#name} line ${line}: ${problem.message}`;
      this.#leftOut.add(leftOutReasons.outOfBounds, named);
      return;
    }
    const { name: stream, functionName: ofStream } = this.#streamOf(entry.stream) ?? {};
    const ofEntry = entry.functionName && copied(entry.functionName);
    const functionName = ofStream ?? ofEntry ?? this.#facts.functionOf(stream);
    this.#facts.add("functionNames", functionName);
    const { requestId, telemetry } = report;
    const reportedAt = isoTime(report.time) ?? isoTime(time);
    const found: ImportedInvocation = {
      ...copied({ line, ...defined({ requestId, reportedAt }), telemetry }),
      ...defined({ stream, functionName }),
      ...(isEmulated(text) && { isEmulated: true }),
    };
    if (time !== undefined && found.reportedAt === undefined) {
      this.#unknownTime ??= `${this.#name} line ${line}: the time ${JSON.stringify(time)} is neither in the form of 2026-01-05T10:00:00Z nor ms since 1970: such times are left out`;
    }
    this.#invocations.push(found);
    this.#failed.addReport(found);
    if (this.#invocations.length <= mostInvocations) return;
    const allowed = `at most ${mostInvocations}: import a part of it, for example fewer days or one function`;
    throw new InvalidInput(
      this.#name,
      `more than ${mostInvocations} reports of invocations`,
      allowed,
    );
  }

  /** Lists a report that is left out: cut lines may be those of cold starts, which are longer. */
  #skip(line: number, why: string): void {
    const named = `${this.#name} line ${line}: this REPORT was skipped: ${why}`;
    this.#leftOut.add(leftOutReasons.unreadable, named);
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
      this.#facts.add("versions", started.version);
      this.#failed.addStart(started, own);
      this.#starts.add(started);
    }
    this.#facts.addLine(firstLine, own);
    this.#failed.add(line, firstLine, own);
    const why = whyNoReport(text, isMessage === true);
    if (parseInitReport(firstLine) !== undefined) this.#leftOut.add(leftOutReasons.initReport);
    else if (why === undefined) this.#leftOut.add(leftOutReasons.otherLine);
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

/** Says that times may be those of the machine that an emulator ran on. */
function emulatorTexts(name: string, all: readonly ImportedInvocation[]): readonly string[] {
  const n = all.filter((each) => each.isEmulated === true).length;
  const times = "the times are those of the machine that it ran on, not Lambda's";
  if (n > 0) {
    return [
      `${name}: a local emulator (sam local or the Runtime Interface Emulator, which print Init Duration first) printed ${n === 1 ? "a report" : `${n} reports`}: ${times}`,
    ];
  }
  const isFull = all.every(
    ({ telemetry: { maxMemoryUsedMb, memorySizeMb } }) =>
      maxMemoryUsedMb !== undefined && maxMemoryUsedMb === memorySizeMb,
  );
  if (all.length === 0 || !isFull) return [];
  return [
    `${name}: Max Memory Used equals Memory Size in every report, as LocalStack and the Runtime Interface Emulator print it: if one of them printed this log, ${times}`,
  ];
}
