import { knownKey, readReport, reportHead } from "./report-line.ts";

/** More than a terminal of 40 columns makes of the longest REPORT. */
const mostLines = 6;

/** Lines that go on with nothing: Lambda's own, and those of the JSON format. */
const ownLine =
  /^\s*(?:START|END|REPORT|INIT_START|INIT_REPORT|EXTENSION|TELEMETRY|LOGS|XRAY|[[{|])/;
/** The characters of fields. */
const fragment = /^[\w\t .,:$-]+$/;
/** What Lambda writes behind the fields that every report has. */
const laterKeys = [
  "Init Duration",
  "Restore Duration",
  "Billed Restore Duration",
  "Status",
  "Error Type",
];

/**
 * A REPORT that a terminal or an editor may have wrapped: it is put together with the lines behind it
 * where they hold its other fields, and where there is one way to do that.
 */
export class WrappedReport {
  #text: string;
  #pending: readonly string[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  /** The report with all that was put together so far. */
  get text(): string {
    return this.#text;
  }

  /** Lines that may belong to it, and were not put together with it: none of it if it ends now. */
  get pending(): readonly string[] {
    return this.#pending;
  }

  /** Whether the line is, or may be, of this report. */
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

/** The report and the lines behind it as one text; undefined where no way to join them gives more of a report, or two differ. */
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

/** Whether a report has fields that are not known: in lines put together they may be halves of known ones. */
function hasOtherKeys(text: string): boolean {
  const fields = text.slice(reportHead.exec(text)?.[0].length ?? 0);
  const keys = fields.match(/[A-Za-z][\w ]*(?=:\s)/g) ?? [];
  return keys.some((key) => !knownKey.test(`${key.replace(/^(?:ms|MB)\s*/, "").trim()}: `));
}
