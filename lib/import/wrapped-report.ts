import { knownKey, readReport, reportHead } from "./report-line.ts";

/** Maximum number of lines, more than a terminal of 40 columns needs for the longest REPORT. */
const mostLines = 6;

/** Lines that never continue a report: Lambda's own, and those of the JSON format. */
const ownLine =
  /^\s*(?:START|END|REPORT|INIT_START|INIT_REPORT|EXTENSION|TELEMETRY|LOGS|XRAY|[[{|])/;
/** The characters of fields. */
const fragment = /^[\w\t .,:$-]+$/;
/** Fields that Lambda writes after those that every report has. */
const laterKeys = [
  "Init Duration",
  "Restore Duration",
  "Billed Restore Duration",
  "Status",
  "Error Type",
];

/**
 * A REPORT that a terminal or an editor may have wrapped: it is joined with the lines after it if they
 * contain its other fields, and if there is only one way to join them.
 */
export class WrappedReport {
  #text: string;
  #pending: readonly string[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  /** The report with everything joined so far. */
  get text(): string {
    return this.#text;
  }

  /** Lines that may belong to it, and were not joined with it: none belongs to it if it ends now. */
  get pending(): readonly string[] {
    return this.#pending;
  }

  /** Whether the line is, or may be, part of this report. */
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

/** The report and the lines after it as one text; undefined if no join yields more of a report, or if two differ. */
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

/** Whether a report has unknown fields: in joined lines they may be halves of known ones. */
function hasOtherKeys(text: string): boolean {
  const fields = text.slice(reportHead.exec(text)?.[0].length ?? 0);
  const keys = fields.match(/[A-Za-z][\w ]*(?=:\s)/g) ?? [];
  return keys.some((key) => !knownKey.test(`${key.replace(/^(?:ms|MB)\s*/, "").trim()}: `));
}
