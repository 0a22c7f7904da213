import { type Line, LineSplitter } from "../contract/lines.ts";
import { LogEntries, type LogEntry, streamNameForm } from "./log-entries.ts";
import type { ReadSource, SourceText } from "./source.ts";

/** What `aws logs tail` prints before a line: the time and the log stream. */
const prefix = new RegExp(
  `^\\s*(?:(\\d{4}-\\d\\d-\\d\\dT[\\d:.]+(?:Z|[+-]\\d\\d:?\\d\\d)?)\\s+)?(?:(${streamNameForm})\\s+)?`,
);

/** In characters. An event of CloudWatch Logs has at most 1 MB, so a longer line does not come from Lambda. */
const longestLine = 1 << 20;

/** A log that arrives in pieces: lines, and JSON records that were printed over several lines. */
export class LogReader {
  readonly #entries: LogEntries;
  readonly #splitter = new LineSplitter(longestLine, (line) => this.#addLine(line));
  #record: PrintedRecord | undefined;
  #line = 0;

  constructor(name: string) {
    this.#entries = new LogEntries(name, "report");
  }

  /** A piece of the log, wherever it was cut. Throws InvalidInput like LogEntries. */
  add(piece: string): void {
    this.#splitter.add(piece);
  }

  end(): ReadSource {
    this.#splitter.end();
    this.#giveUp();
    return this.#entries.end();
  }

  #addLine(whole: Line): void {
    this.#line += 1;
    if (this.#record !== undefined && this.#goesOn(this.#record, whole)) return;
    if (whole?.trim() === "") return;
    if (whole === undefined) {
      this.#entries.addTooLong();
      return;
    }
    const entry = withoutPrefix(whole);
    if (entry.text.trimEnd() === "{")
      this.#record = { at: this.#line, entry, lines: [], length: 0 };
    else this.#entries.add(this.#line, entry);
  }

  /** Whether the line is of the record; one that is not, and comes before its end, says that it is no record. */
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
    this.#entries.add(record.at, { ...record.entry, text });
  }

  /** What looked like a record is lines. */
  #giveUp(): void {
    const record = this.#record;
    this.#record = undefined;
    if (record === undefined) return;
    this.#entries.add(record.at, record.entry);
    for (const [index, line] of record.lines.entries()) {
      if (line.trim() !== "") this.#entries.add(record.at + 1 + index, withoutPrefix(line));
    }
  }
}

/** The lines of a JSON object, as JSON.stringify, jq and Python indent it. */
interface PrintedRecord {
  /** Of its `{`. */
  readonly at: number;
  readonly entry: LogEntry;
  readonly lines: string[];
  /** Characters. */
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

function withoutPrefix(whole: string): LogEntry {
  const [before, time, stream] = prefix.exec(whole) ?? [""];
  return {
    text: whole.slice(before.length),
    ...(time !== undefined && { time }),
    ...(stream !== undefined && { stream }),
  };
}
