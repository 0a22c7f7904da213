import { paragraph } from "../document/blocks.ts";
import type { Block, Table } from "../document/document.ts";
import { count } from "../document/format-number.ts";

/** Rows of a list that a page can carry; the data holds them all. */
const mostRows = 1000;

/** The table of the first rows, and how many are not in it. */
export function limited<Row>(
  rows: readonly Row[],
  tableFor: (rows: readonly Row[]) => Table,
): readonly Block[] {
  const table = tableFor(rows.slice(0, mostRows));
  if (rows.length <= mostRows) return [table];
  const left = count(rows.length - mostRows);
  return [table, paragraph(`${left} more rows are in summary.json and in the samples.`)];
}
