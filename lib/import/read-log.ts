import { InvalidInput } from "../contract/errors.ts";
import { isObject, type Line, LineSplitter, parseJson } from "../contract/lines.ts";
import { withoutFillers } from "./line-context.ts";
import { LogEntries } from "./log-entries.ts";
import { entriesIn, fieldOfLines, recordsIn } from "./records.ts";
import { continuesReport, isLambdaLine, isReportText } from "./report-line.ts";
import type { LogEntry, ReadSource, SourceText } from "./source.ts";

/** Longest line, in characters. An event of CloudWatch Logs has at most 1 MB: a longer line is not Lambda's. */
const longestLine = 1 << 20;

/**
 * Reads a log in chunks: lines of text, or of JSON that has such lines in a field. Which of the two is known at the
 * first line that only Lambda writes. In a text, JSON with a REPORT is a function's own.
 */
export class LogReader {
  readonly #entries: LogEntries;
  readonly #splitter = new LineSplitter(longestLine, (line) => this.#addLine(line));
  readonly #name: string;
  /** A JSON object over several lines, with its first line and the number of objects and lists that are open. */
  #record: { readonly entry: LogEntry; text: string; depth: number } | undefined;
  /** A REPORT, of which the next line shows whether it was wrapped. */
  #held: { readonly entry: LogEntry; isWrapped: boolean } | undefined;
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
    const entry = withoutFillers(this.#line, whole.replace(/^\uFEFF/, ""));
    if (entry.text === "") return;
    if (this.#goesOn(entry.text)) return;
    if (entry.text.trimEnd() === "{") this.#record = { entry, text: "{", depth: 1 };
    else this.#addEntry(entry);
  }

  /** Adds a line's text, or the lines of the log in its JSON. */
  #addEntry(entry: LogEntry): void {
    const { text } = entry;
    if (this.#held !== undefined && continuesReport(this.#held.entry.text, text)) {
      this.#held.isWrapped = true;
      return;
    }
    this.#release();
    if (isLambdaLine(text)) this.#field ??= "";
    if (isReportText(text)) {
      this.#requireText();
      this.#held = { entry, isWrapped: false };
    } else if (!text.startsWith("{") || this.#field === "" || !this.#addRecords(entry)) {
      this.#entries.add(entry);
    }
  }

  /** Throws InvalidInput for a report outside the JSON that has Lambda's lines: one of the two is the function's. */
  #requireText(): void {
    if (this.#field === "" || this.#field === undefined) return;
    const found = `a REPORT that is not in the JSON, of which the field ${this.#field} has Lambda's lines`;
    const allowed = "a log whose reports are all in JSON, or all lines of their own";
    throw new InvalidInput(`${this.#name} line ${this.#line}`, found, allowed);
  }

  /** Adds the lines of the log that JSON has in a field; returns whether it has any. */
  #addRecords({ line, text }: LogEntry): boolean {
    const found = recordsIn(parseJson(text)).flatMap((record) => {
      this.#field ??= fieldOfLines(record);
      return this.#field === undefined ? [] : entriesIn(record, this.#field);
    });
    for (const entry of found) this.#entries.add({ ...entry, line });
    return found.length > 0;
  }

  /** Adds the held REPORT. */
  #release(): void {
    const { entry, isWrapped } = this.#held ?? {};
    this.#held = undefined;
    if (entry === undefined) return;
    if (isWrapped) this.#entries.addUnreadable(entry.line, wrapped);
    else this.#entries.add(entry);
  }

  /** Returns whether a line continues the record, as JSON.stringify, jq and Python indent one; else there is none. */
  #goesOn(line: string): boolean {
    const record = this.#record;
    if (record === undefined) return false;
    if (!/^(?:["[\]{}\d-]|true|false|null)/.test(line) || record.text.length > longestLine) {
      this.#giveUp();
      return false;
    }
    record.text += `\n${line}`;
    record.depth += (/[[{]\s*$/.test(line) ? 1 : 0) - (/^[\]}]/.test(line) ? 1 : 0);
    if (record.depth > 0) return true;
    const value = parseJson(record.text.replace(/,\s*$/, ""));
    if (isObject(value)) {
      this.#record = undefined;
      this.#addEntry({ ...record.entry, text: JSON.stringify(value) });
    } else this.#giveUp();
    return true;
  }

  /** Adds the lines of an assumed record separately. */
  #giveUp(): void {
    const { entry, text } = this.#record ?? {};
    this.#record = undefined;
    for (const [index, line] of text?.split("\n").entries() ?? []) {
      this.#addEntry({ line: (entry?.line ?? 0) + index, text: line });
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
