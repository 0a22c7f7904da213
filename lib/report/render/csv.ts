import { singleLine } from "./plain-text.ts";

export type CsvValue = string | number | undefined;

/** RFC 4180, with a header; what is absent is an empty field. */
export function renderCsv(header: readonly string[], rows: Iterable<readonly CsvValue[]>): string {
  let text = csvLine(header);
  for (const row of rows) text += csvLine(row);
  return text;
}

export function csvLine(row: readonly CsvValue[]): string {
  return `${row.map(field).join(",")}\n`;
}

function field(value: CsvValue): string {
  if (value === undefined) return "";
  if (typeof value === "number") return Number.isFinite(value) ? String(value) : "";
  const text = inert(singleLine(value));
  return /[",;]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * A spreadsheet would work out a text that begins like a formula, also after a blank that was a tab or a
 * line's end, and one that splits at semicolons would find such a beginning behind each of them.
 */
function inert(text: string): string {
  return text.replace(/(^|;)(\s*)(?=[=+\-@])/g, "$1$2'");
}
