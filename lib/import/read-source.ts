import { InvalidInput } from "../contract/errors.ts";
import { describeForeign } from "./foreign-forms.ts";
import { hasColumn } from "./insights-columns.ts";
import { readLogToolExport } from "./log-tool-export.ts";
import { eventsIn, readEvents } from "./read-events.ts";
import { insightsRows, readInsights } from "./read-insights.ts";
import { LogReader, readLog } from "./read-log.ts";
import { powerTuningOutput, readPowerTuning } from "./read-power-tuning.ts";
import type { ReadSource, SourceFormat, SourceText } from "./source.ts";
import { columnNames } from "./table-rows.ts";

/** The formats of a file; the other format, a log group, is read from AWS. */
export type FileFormat = Exclude<SourceFormat, "log-group">;

const readers: Readonly<Record<FileFormat, (source: SourceText) => ReadSource>> = {
  report: readLog,
  events: readEvents,
  insights: readInsights,
  "power-tuning": readPowerTuning,
};

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
export function readSource(source: SourceText, format = detected(source)): ReadSource {
  const read = readers[format](source);
  return requireReports(hasReport(read) ? read : (readLogToolExport(source) ?? read), source.text);
}

function hasReport({ invocations, averages }: ReadSource): boolean {
  return invocations.length + averages.length > 0;
}

/** @param text the source; absent if it was too long to be kept */
function requireReports(read: ReadSource, text?: string): ReadSource {
  if (hasReport(read)) return read;
  throw noReport(read, text);
}

const units: Readonly<Record<SourceFormat, string>> = {
  report: "log lines",
  events: "events",
  insights: "rows",
  "power-tuning": "averages",
  "log-group": "events",
};

/** Describes a source from which nothing was imported. */
function noReport(
  { name, format, read, notTaken, warnings }: ReadSource,
  text: string | undefined,
): InvalidInput {
  const skipped = [...notTaken].map(([reason, n]) => `${reason}: ${n}`);
  const counted = `${units[format]} read: ${read}`;
  const found = `${counted} and no report of an invocation`;
  const allowed =
    "Lambda's REPORT lines or platform.report records (also in a field of a log tool's JSON or CSV), the output of filter-log-events, a CSV, JSON or Markdown export of Logs Insights, or Power Tuning's output";
  const seen = text === undefined || warnings.length > 0 ? [] : [describeForeign(text)];
  const details = [[counted, ...skipped].join(", "), ...warnings, ...seen].join("\n  ");
  const message = `${name} has no report of an invocation: ${details}\nkelvin import takes ${allowed}`;
  return new InvalidInput(name, [found, ...skipped, ...warnings].join("; "), allowed, message);
}

/** Returns the format of a text; a text in no other format is a log. */
function detected({ name, text }: SourceText): FileFormat {
  if (powerTuningOutput(text) !== undefined) return "power-tuning";
  if (/^\s*[[{]/.test(text)) {
    if (insightsRows(text) !== undefined) return "insights";
    if (eventsIn(name, text) !== undefined) return "events";
  }
  return hasInsightsHeader(text) ? "insights" : "report";
}

/** Returns the format of a text from its start. */
function detectedByStart(text: string): FileFormat {
  if (/^\s*(?:\[|\{\s*"(?:events|searchedLogStreams)")/.test(text)) return "events";
  return hasInsightsHeader(text) || /^\s*\{\s*"results"/.test(text) ? "insights" : "report";
}

function hasInsightsHeader(text: string): boolean {
  return hasColumn(columnNames(text));
}
