import { type Line, LineSplitter, parseJson } from "../contract/lines.ts";
import { carriedEntries, isTail, tailEntries } from "./json-events.ts";
import { LogEntries, type LogEntry } from "./log-entries.ts";
import { withoutPrefix, withoutTerminalCodes } from "./log-prefix.ts";
import { isReportText } from "./report-line.ts";
import type { ReadSource, SourceText } from "./source.ts";
import { WrappedReport } from "./wrapped-report.ts";

/** Longest line, in characters. An event of CloudWatch Logs has at most 1 MB: a longer line is not Lambda's. */
const longestLine = 1 << 20;

/** Reads a log in chunks. It may have JSON records printed over several lines. */
export class LogReader {
  readonly #entries: LogEntries;
  readonly #splitter = new LineSplitter(longestLine, (line) => this.#addLine(line));
  readonly #name: string;
  #record: PrintedRecord | undefined;
  /** A REPORT that may continue on the next line. */
  #waiting:
    | { readonly at: number; readonly entry: LogEntry; readonly report: WrappedReport }
    | undefined;
  /** The stream of a table's event, from a row above its message. */
  #streamOfRow: string | undefined;
  #line = 0;

  constructor(name: string) {
    this.#name = name;
    this.#entries = new LogEntries(name, "report");
  }

  /** Adds a chunk of the log, cut anywhere. Throws InvalidInput as LogEntries does. */
  add(piece: string): void {
    this.#splitter.add(piece);
  }

  end(): ReadSource {
    this.#splitter.end();
    this.#giveUp();
    this.#release();
    return this.#entries.end();
  }

  #addLine(whole: Line): void {
    this.#line += 1;
    if (this.#record !== undefined && this.#goesOn(this.#record, whole)) return;
    if (whole?.trim() === "") return;
    if (whole === undefined) {
      this.#release();
      this.#entries.addTooLong();
      return;
    }
    if (this.#waiting?.report.takes(withoutTerminalCodes(whole)) === true) return;
    this.#release();
    this.#addWhole(this.#line, whole);
  }

  #addWhole(at: number, whole: string): void {
    const entry = withoutPrefix(whole);
    if (entry.text.trimEnd() === "{") this.#record = { at, entry, lines: [], length: 0 };
    else this.#addEntry(at, entry);
  }

  /** Adds an entry. A REPORT waits for the next line; an object with log entries is unpacked. */
  #addEntry(at: number, entry: LogEntry): void {
    const { text } = entry;
    if (isReportText(text)) {
      const isInRow = entry.isCell === true && entry.stream === undefined;
      const stream = isInRow ? this.#streamOfRow : undefined;
      const report = new WrappedReport(text);
      this.#waiting = { at, entry: { ...entry, ...(stream !== undefined && { stream }) }, report };
      return;
    }
    if (entry.isCell === true) this.#streamOfRow = entry.stream ?? this.#streamOfRow;
    const carried = this.#carriedBy(text);
    if (carried === undefined) this.#entries.add(at, entry);
    for (const each of carried ?? []) this.#entries.add(at, each);
  }

  #carriedBy(text: string): readonly LogEntry[] | undefined {
    if (text.startsWith("{")) return carriedEntries(this.#name, parseJson(text));
    return isTail(text) ? tailEntries(text) : undefined;
  }

  /** Adds the held REPORT as it is, and separately the lines that turned out not to belong to it. */
  #release(): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting === undefined) return;
    const { text, pending } = waiting.report;
    this.#entries.add(waiting.at, { ...waiting.entry, text });
    for (const [index, line] of pending.entries()) {
      this.#addEntry(waiting.at + 1 + index, withoutPrefix(line));
    }
  }

  /** Returns whether the line continues the record. If it does not, before the record's end, there is no record. */
  #goesOn(record: PrintedRecord, line: Line): boolean {
    const isWithin = line !== undefined && /^\s/.test(line);
    const isEnd = line !== undefined && /^\},?\s*$/.test(line);
    record.length += line?.length ?? 0;
    if ((!isWithin && !isEnd) || record.length > longestLine) {
      this.#giveUp();
      return false;
    }
    record.lines.push(line);
    if (isEnd) this.#endRecord(record);
    return true;
  }

  #endRecord(record: PrintedRecord): void {
    const text = oneLine(`{${record.lines.join("\n").replace(/,\s*$/, "")}`);
    if (text === undefined) {
      this.#giveUp();
      return;
    }
    this.#record = undefined;
    this.#addEntry(record.at, { ...record.entry, text });
  }

  /** Adds the lines of an assumed record separately. */
  #giveUp(): void {
    const record = this.#record;
    this.#record = undefined;
    if (record === undefined) return;
    this.#addEntry(record.at, record.entry);
    for (const [index, line] of record.lines.entries()) {
      if (line.trim() !== "") this.#addEntry(record.at + 1 + index, withoutPrefix(line));
    }
  }
}

/** The lines of a JSON object, indented as by JSON.stringify, jq or Python. */
interface PrintedRecord {
  /** Line number of its `{`. */
  readonly at: number;
  readonly entry: LogEntry;
  readonly lines: string[];
  /** Number of characters. */
  length: number;
}

function oneLine(text: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return undefined;
  }
}

export function readLog({ name, text }: SourceText): ReadSource {
  const reader = new LogReader(name);
  reader.add(text);
  return reader.end();
}
