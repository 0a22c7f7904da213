import { InvalidInput } from "../contract/errors.ts";
import { parseJson } from "../contract/lines.ts";
import { hasColumn } from "./insights-columns.ts";
import { LogReader, readLog } from "./read-log.ts";
import { powerTuningOutput, readPowerTuning } from "./read-power-tuning.ts";
import {
  areOfInsights,
  jsonValues,
  type LogRecord,
  readRecords,
  recordsIn,
  tableRecords,
} from "./records.ts";
import { describeRefused } from "./refused-forms.ts";
import type { ReadSource, SourceFormat, SourceText } from "./source.ts";

/** The formats of a file; the other format, a log group, is read from AWS. */
export type FileFormat = Exclude<SourceFormat, "log-group">;

/** Most characters of a CSV or JSON, which is read whole: Logs Insights returns 10,000 rows. A log may be longer. */
const longestWhole = 32 << 20;

/** Reads a source in chunks, cut anywhere. Throws InvalidInput if it contains nothing to import. */
export class SourceReader {
  readonly #name: string;
  readonly #format: FileFormat | undefined;
  #whole = "";
  #log: LogReader | undefined;

  constructor(name: string, format: FileFormat | undefined) {
    this.#name = name;
    this.#format = format;
  }

  add(piece: string): void {
    if (this.#log !== undefined) {
      this.#log.add(piece);
      return;
    }
    this.#whole += piece;
    if (this.#whole.length > longestWhole) this.#goOnAsLog();
  }

  end(): ReadSource {
    if (this.#log !== undefined) return requireReports(this.#log.end());
    const source = { name: this.#name, text: this.#whole };
    return readSource(source, this.#format);
  }

  #goOnAsLog(): void {
    const format = this.#format ?? detectedByStart(this.#whole);
    if (format !== "report") {
      const allowed = `at most ${longestWhole} characters: only logs may be longer`;
      throw new InvalidInput(this.#name, `more than that (read as ${format})`, allowed);
    }
    this.#log = new LogReader(this.#name);
    this.#log.add(this.#whole);
    this.#whole = "";
  }
}

/** Reads a whole source. Throws InvalidInput if it contains nothing to import. */
export function readSource(source: SourceText, format?: FileFormat): ReadSource {
  return requireReports(readWhole(source, format), source.text);
}

function readWhole(source: SourceText, format: FileFormat | undefined): ReadSource {
  const { text } = source;
  if (format === "power-tuning" || (format === undefined && powerTuningOutput(text))) {
    return readPowerTuning(source);
  }
  if (format === "report") return readLog(source);
  if (format === "insights" ? !startsJson(text) : hasInsightsHeader(text)) {
    return readRecords(source, tableRecords(source), "insights");
  }
  const records = isJsonLines(text) ? undefined : jsonRecords(text);
  if (records !== undefined) {
    return readRecords(source, records, format ?? (areOfInsights(records) ? "insights" : "events"));
  }
  const read = readLog(source);
  return hasReport(read) ? read : (readTable(source) ?? read);
}

/** Reads a table of a log tool; undefined for a text that is none, and for a table without reports. */
function readTable(source: SourceText): ReadSource | undefined {
  try {
    const read = readRecords(source, tableRecords(source), "report");
    return hasReport(read) ? read : undefined;
  } catch (error) {
    if (error instanceof InvalidInput) return undefined;
    throw error;
  }
}

function startsJson(text: string): boolean {
  return /^[\s\uFEFF]*[[{]/.test(text);
}

/** Returns whether a text has JSON on each line, which is read as a log of any length: so does Lambda's JSON format. */
function isJsonLines(text: string): boolean {
  const [first = "", second = ""] = text.trimStart().split("\n", 2);
  return /^\s*\{/.test(second) && parseJson(first) !== undefined;
}

function jsonRecords(text: string): readonly LogRecord[] | undefined {
  const values = startsJson(text) ? jsonValues(text) : undefined;
  return values?.flatMap((value, index) => [...recordsIn(value, index + 1)]);
}

function hasReport({ invocations, averages }: ReadSource): boolean {
  return invocations.length + averages.length > 0;
}

const units: Readonly<Record<SourceFormat, string>> = {
  report: "log lines",
  events: "events",
  insights: "rows",
  "power-tuning": "averages",
  "log-group": "events",
};

/**
 * Throws InvalidInput for a source from which nothing was imported.
 * @param text the source; absent if it was too long to be kept
 */
function requireReports(source: ReadSource, text?: string): ReadSource {
  if (hasReport(source)) return source;
  const { name, format, read, notTaken, warnings } = source;
  const skipped = [...notTaken].map(([reason, n]) => `${reason}: ${n}`);
  const counted = `${units[format]} read: ${read}`;
  const allowed =
    "Lambda's REPORT lines or platform.report records (also in a field of JSON or CSV), a CSV or JSON of Logs Insights, or Power Tuning's output";
  const seen = text === undefined ? [] : describeRefused(text, warnings.length > 0);
  const details = [[counted, ...skipped].join(", "), ...warnings, ...seen].join("\n  ");
  const message = `${name} has no report of an invocation: ${details}\nkelvin import takes ${allowed}`;
  const found = `${counted} and no report of an invocation`;
  throw new InvalidInput(name, [found, ...skipped, ...warnings].join("; "), allowed, message);
}

/** Returns the format of a text from its start. */
function detectedByStart(text: string): FileFormat {
  if (/^\s*(?:\[|\{\s*"(?:events|searchedLogStreams)")/.test(text)) return "events";
  return hasInsightsHeader(text) || /^\s*\{\s*"results"/.test(text) ? "insights" : "report";
}

/** Most characters before the end of a header. */
const longestHeader = 10_000;

function hasInsightsHeader(text: string): boolean {
  const [first = ""] = text
    .slice(0, longestHeader)
    .replace(/^\uFEFF/, "")
    .split(/\r?\n/, 1);
  return hasColumn(first.split(",").map((name) => name.trim().replaceAll('"', "")));
}
