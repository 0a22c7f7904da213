import { InvalidInput } from "../contract/errors.ts";
import { parseJson } from "../contract/lines.ts";
import { areOfInsights, hasColumn } from "./insights-columns.ts";
import { LogReader, readLog } from "./read-log.ts";
import { powerTuningOutput, readPowerTuning } from "./read-power-tuning.ts";
import { readInsights, readRecords } from "./read-records.ts";
import { jsonValues, recordsIn, tableRecords } from "./records.ts";
import { describeRefused } from "./refused-forms.ts";
import type { LogRecord, ReadSource, SourceFormat, SourceText } from "./source.ts";

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
    if (this.#log === undefined && this.#whole.length + piece.length <= longestWhole) {
      this.#whole += piece;
      return;
    }
    this.#log ??= this.#startLog(this.#whole + piece);
    this.#log.add(this.#whole + piece);
    this.#whole = "";
  }

  end(): ReadSource {
    return this.#log === undefined
      ? readSource({ name: this.#name, text: this.#whole }, this.#format)
      : requireReports(this.#log.end());
  }

  #startLog(start: string): LogReader {
    const format = this.#format ?? detectedByStart(start);
    if (format === "report") return new LogReader(this.#name);
    const allowed = `at most ${longestWhole} characters: only logs may be longer`;
    throw new InvalidInput(this.#name, `more than that (read as ${format})`, allowed);
  }
}

/** Reads a whole source. Throws InvalidInput if it contains nothing to import. */
export function readSource(source: SourceText, format?: FileFormat): ReadSource {
  return requireReports(readWhole(source, format), source.text);
}

function readWhole(source: SourceText, format: FileFormat | undefined): ReadSource {
  const { text } = source;
  const isPowerTuning = format === undefined && powerTuningOutput(text) !== undefined;
  if (isPowerTuning || format === "power-tuning") return readPowerTuning(source);
  if (format === "report") return readLog(source);
  const isTable = format === "insights" ? !/^\s*[[{]/.test(text) : hasInsightsHeader(text);
  const records = isTable ? tableRecords(source) : jsonRecords(text);
  if (records === undefined) return readText(source);
  const isOfInsights = isTable || format === "insights" || areOfInsights(records);
  return isOfInsights ? readInsights(source, records) : readRecords(source, records, "events");
}

/** Reads a log, or else the table of a log tool. */
function readText(source: SourceText): ReadSource {
  const log = readLog(source);
  if (hasReport(log)) return log;
  try {
    const table = readRecords(source, tableRecords(source), "report");
    return hasReport(table) ? table : log;
  } catch (error) {
    if (error instanceof InvalidInput) return log;
    throw error;
  }
}

/** Returns the records of JSON, but not of JSON on each line, as Lambda writes it: that is read as a log of any length. */
function jsonRecords(text: string): readonly LogRecord[] | undefined {
  const [first = "", second = ""] = text.trimStart().split("\n", 2);
  if (/^\s*\{/.test(second) && parseJson(first) !== undefined) return undefined;
  return jsonValues(text)?.flatMap((value, index) => recordsIn(value, index + 1));
}

function hasReport({ invocations, averages }: ReadSource): boolean {
  return invocations.length + averages.length > 0;
}

const allowed =
  "Lambda's REPORT lines or platform.report records (also in a field of JSON or CSV), a CSV or JSON of Logs Insights, or Power Tuning's output";

/**
 * Throws InvalidInput for a source from which nothing was imported.
 * @param text the source; absent if it was too long to be kept
 */
function requireReports(source: ReadSource, text?: string): ReadSource {
  if (hasReport(source)) return source;
  const { name, read, notTaken, warnings } = source;
  const skipped = [...notTaken].map(([reason, n]) => `${reason}: ${n}`);
  const counted = [`lines or records read: ${read}`, ...skipped].join(", ");
  const seen = text === undefined ? [] : describeRefused(text, warnings.length > 0);
  const details = [counted, ...warnings, ...seen].join("\n  ");
  const message = `${name} has no report of an invocation: ${details}\nkelvin import takes ${allowed}`;
  throw new InvalidInput(name, details, allowed, message);
}

/** Returns the format of a text from its start. */
function detectedByStart(text: string): FileFormat {
  if (hasInsightsHeader(text) || /^\s*\{\s*"results"/.test(text)) return "insights";
  return /^\s*(?:\[|\{\s*"(?:events|searchedLogStreams)")/.test(text) ? "events" : "report";
}

/** Most characters before the end of a header. */
const longestHeader = 10_000;

function hasInsightsHeader(text: string): boolean {
  const [first = ""] = text.slice(0, longestHeader).split(/\r?\n/, 1);
  return hasColumn(first.split(",").map((name) => name.replaceAll(/["\uFEFF]/g, "").trim()));
}
