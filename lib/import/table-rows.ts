import { type CsvError, parse } from "csv-parse/sync";
import { InvalidInput } from "../contract/errors.ts";
import type { SourceText } from "./source.ts";

/** A row of a table, of which the first is the header. */
export interface TableRow {
  /** Line number of its start, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** Most characters before the end of a header. */
const longestHeader = 10_000;

/** Returns the columns' names if the text seems to be a table, else the parts of its first line. */
export function columnNames(text: string): readonly string[] {
  const start = text.slice(0, longestHeader).replace(/^\uFEFF/, "");
  const [header] = markdownRows(start) ?? [];
  const [first = ""] = start.split(/\r?\n/, 1);
  return header?.cells ?? first.split(",").map((name) => name.trim().replaceAll('"', ""));
}

/** Reads a CSV, or a table in Markdown. Throws InvalidInput naming the line if it is neither. */
export function readTable({ name, text }: SourceText): readonly TableRow[] {
  const table = markdownRows(text);
  if (table !== undefined) return table;
  try {
    const options = { bom: true, info: true, skip_empty_lines: true };
    const records = parse(text, options) as unknown as readonly CsvRecord[];
    return records.map(({ record }, index) => {
      const line = (records[index - 1]?.info.lines ?? 0) + 1;
      return { line, cells: record };
    });
  } catch (error) {
    const { code, message, lines } = error as CsvError & { readonly lines?: number };
    throw new InvalidInput(`${name} line ${lines ?? 1}`, code, `a row of CSV (${message})`);
  }
}

interface CsvRecord {
  readonly record: readonly string[];
  /** Number of lines up to the end of the record, which may contain newlines. */
  readonly info: { readonly lines: number };
}

const markdownRule = /^\|(?:\s*:?-+:?\s*\|)+\s*$/;

/** Returns the rows of the first table in Markdown, as the console copies one; undefined without any. */
function markdownRows(text: string): readonly TableRow[] | undefined {
  const lines = text.split(/\r?\n/);
  const rule = lines.findIndex((line) => markdownRule.test(line));
  if (rule < 1) return undefined;
  const end = lines.findIndex((line, index) => index > rule && !line.startsWith("|"));
  const rows = lines.slice(rule - 1, end === -1 ? undefined : end).map((text, index) => {
    const cells = text
      .trim()
      .replace(/^\||\|$/g, "")
      .split(/(?<!\\)\|/);
    return { line: rule + index, cells: cells.map((cell) => cell.trim()) };
  });
  return rows.filter(({ line }) => line !== rule + 1);
}
