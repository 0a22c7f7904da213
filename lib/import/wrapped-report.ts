import { knownKey, readReport, reportHead } from "./report-line.ts";

/** Most lines of a report; a terminal of 40 columns needs fewer for the longest REPORT. */
const mostLines = 6;

/** Lines that never continue a report: Lambda's other lines, and those of the JSON format. */
const ownLine =
  /^\s*(?:START|END|REPORT|INIT_START|INIT_REPORT|EXTENSION|TELEMETRY|LOGS|XRAY|[[{|])/;
/** Characters that fields consist of. */
const fragment = /^[\w\t .,:$-]+$/;
/** Optional fields, which Lambda writes after those that every report has. */
const laterKeys = [
  "Init Duration",
  "Restore Duration",
  "Billed Restore Duration",
  "Status",
  "Error Type",
];

/**
 * A REPORT that a terminal or an editor may have wrapped. It is joined with the next lines if they contain its other
 * fields, and if there is only one way to join them.
 */
export class WrappedReport {
  #text: string;
  #pending: readonly string[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  /** Returns the report with the lines joined so far. */
  get text(): string {
    return this.#text;
  }

  /** Returns the lines that may belong to it but are not joined; if it ends now, none does. */
  get pending(): readonly string[] {
    return this.#pending;
  }

  /** Returns whether the line is, or may be, part of this report. */
  takes(line: string): boolean {
    if (ownLine.test(line) || this.#pending.length >= mostLines) return false;
    const lines = [...this.#pending, line];
    const joined = joinedReport(this.#text, lines);
    if (joined !== undefined) {
      this.#text = joined;
      this.#pending = [];
      return true;
    }
    if (!this.#mayGoOnWith(line)) return false;
    this.#pending = lines;
    return true;
  }

  #mayGoOnWith(line: string): boolean {
    if (!fragment.test(line)) return false;
    if (readReport(this.#text)?.kind !== "report" || this.#pending.length > 0) return true;
    const text = line.trim();
    return laterKeys.some((key) => `${key}: `.startsWith(text) || text.startsWith(`${key}:`));
  }
}

/** Joins the report with the lines after it; undefined if that adds no fields, or if two ways to join them differ. */
function joinedReport(text: string, lines: readonly string[]): string | undefined {
  const texts = lines.reduce(
    (all: readonly string[], line) =>
      all.flatMap((each) => [`${each}${line.trimEnd()}`, `${each} ${line.trim()}`]),
    [text],
  );
  const before = countFields(text);
  const joined = texts.filter((each) => countFields(each) > before && !hasOtherKeys(each));
  const figures = new Set(joined.map((each) => JSON.stringify(readReport(each))));
  return figures.size === 1 ? joined[0] : undefined;
}

function countFields(text: string): number {
  const read = readReport(text);
  return read?.kind === "report" ? Object.keys(read.telemetry).length : 0;
}

/** Returns whether a report has unknown fields: in joined lines they may be halves of known ones. */
function hasOtherKeys(text: string): boolean {
  const fields = text.slice(reportHead.exec(text)?.[0].length ?? 0);
  const keys = fields.match(/[A-Za-z][\w ]*(?=:\s)/g) ?? [];
  return keys.some((key) => !knownKey.test(`${key.replace(/^(?:ms|MB)\s*/, "").trim()}: `));
}
