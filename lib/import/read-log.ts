import { InvalidInput } from "../contract/errors.ts";
import { isObject, type Line, LineSplitter, parseJson } from "../contract/lines.ts";
import { withoutFillers } from "./line-context.ts";
import { LogEntries, type LogEntry } from "./log-entries.ts";
import { entriesIn, fieldOfLines, recordsIn } from "./records.ts";
import { continuesReport, isLambdaLine, isReportText } from "./report-line.ts";
import type { ReadSource, SourceText } from "./source.ts";

/** Longest line, in characters. An event of CloudWatch Logs has at most 1 MB: a longer line is not Lambda's. */
const longestLine = 1 << 20;

/** A line, or the JSON printed over several lines from it on. */
interface NumberedEntry {
  readonly at: number;
  readonly entry: LogEntry;
}

/** The lines of a JSON object, indented as by JSON.stringify, jq or Python. */
interface PrintedRecord extends NumberedEntry {
  readonly lines: string[];
  /** Number of objects and lists that are open. */
  depth: number;
  /** Number of characters. */
  length: number;
}

/**
 * Reads a log in chunks: lines of text, or of JSON that has such lines in a field. Which of the two is known at the
 * first line that only Lambda writes. In a text, JSON with a REPORT is a function's own.
 */
export class LogReader {
  readonly #entries: LogEntries;
  readonly #splitter = new LineSplitter(longestLine, (line) => this.#addLine(line));
  readonly #name: string;
  #record: PrintedRecord | undefined;
  /** A REPORT, of which the next line shows whether it was wrapped. */
  #held: (NumberedEntry & { isWrapped: boolean }) | undefined;
  /** Where Lambda's lines are: the path of a field, or "" for lines of their own. */
  #field: string | undefined;
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
    if (whole === undefined) {
      this.#giveUp();
      this.#release();
      this.#entries.addTooLong();
      return;
    }
    const entry = withoutFillers(whole.replace(/^\uFEFF/, ""));
    if (entry.text === "") return;
    if (this.#record !== undefined && this.#goesOn(this.#record, entry.text)) return;
    if (entry.text.trimEnd() !== "{") this.#addEntry(this.#line, entry);
    else this.#record = { at: this.#line, entry, lines: ["{"], depth: 1, length: 0 };
  }

  /** Adds a line's text, or the lines of the log in its JSON. */
  #addEntry(at: number, entry: LogEntry): void {
    const { text } = entry;
    if (this.#held !== undefined && continuesReport(this.#held.entry.text, text)) {
      this.#held.isWrapped = true;
      return;
    }
    this.#release();
    if (isLambdaLine(text)) this.#field ??= "";
    if (isReportText(text)) {
      this.#requireText();
      this.#held = { at, entry, isWrapped: false };
    } else if (!text.startsWith("{") || this.#field === "" || !this.#addRecords(at, text)) {
      this.#entries.add(at, entry);
    }
  }

  /** Throws InvalidInput for a report outside the JSON that has Lambda's lines: one of the two is the function's. */
  #requireText(): void {
    if (this.#field === "" || this.#field === undefined) return;
    throw new InvalidInput(
      `${this.#name} line ${this.#line}`,
      `a REPORT that is not in the JSON, of which the field ${this.#field} has Lambda's lines`,
      "a log whose reports are all in JSON, or all lines of their own",
    );
  }

  /** Adds the lines of the log that JSON has in a field; returns whether it has any. */
  #addRecords(at: number, text: string): boolean {
    let n = 0;
    for (const record of recordsIn(parseJson(text))) {
      this.#field ??= fieldOfLines(record);
      if (this.#field === undefined) continue;
      for (const entry of entriesIn(record, this.#field)) {
        n += 1;
        this.#entries.add(at, entry);
      }
    }
    return n > 0;
  }

  /** Adds the held REPORT. */
  #release(): void {
    const held = this.#held;
    this.#held = undefined;
    if (held?.isWrapped === false) this.#entries.add(held.at, held.entry);
    else if (held !== undefined) this.#entries.addUnreadable(held.at, wrapped);
  }

  /** Returns whether the line continues the record. If it does not, before the record's end, there is no record. */
  #goesOn(record: PrintedRecord, text: string): boolean {
    record.length += text.length;
    if (!/^(?:["[\]{}\d-]|true|false|null)/.test(text) || record.length > longestLine) {
      this.#giveUp();
      return false;
    }
    record.lines.push(text);
    record.depth += (/[[{]\s*$/.test(text) ? 1 : 0) - (/^[\]}]/.test(text) ? 1 : 0);
    if (record.depth > 0) return true;
    const value = parseJson(record.lines.join("\n").replace(/,\s*$/, ""));
    if (!isObject(value)) this.#giveUp();
    else {
      this.#record = undefined;
      this.#addEntry(record.at, { ...record.entry, text: JSON.stringify(value) });
    }
    return true;
  }

  /** Adds the lines of an assumed record separately. */
  #giveUp(): void {
    const record = this.#record;
    this.#record = undefined;
    for (const [index, text] of record?.lines.entries() ?? []) {
      this.#addEntry((record?.at ?? 0) + index, { text });
    }
  }
}

const wrapped =
  "it goes on in the next line, as a terminal or an editor wraps it: import whole lines, for example aws logs tail NAME > name.log";

export function readLog({ name, text }: SourceText): ReadSource {
  const reader = new LogReader(name);
  reader.add(text);
  return reader.end();
}
