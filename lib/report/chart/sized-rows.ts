import type { Cell } from "../../contract/types/contract.ts";
import { sizeLabel } from "../document/cell-labels.ts";
import { labelOf } from "../report-subject.ts";
import type { ReportView } from "../view/report-view.ts";
import { labelText } from "./svg-chart.ts";

/** What stands at the left of a row: its variant, or the size of the rows below. */
export function rowLabel(view: ReportView, row: { readonly cell: Cell } | string): string {
  return labelText(typeof row === "string" ? row : labelOf(view.subject, row.cell.variant));
}

/** Rows of cells that stand by size, each size's words before its first row. */
export function withSizes<Row extends { readonly cell: Cell }>(
  view: ReportView,
  rows: readonly Row[],
): readonly (Row | string)[] {
  return rows.flatMap((row, index): readonly (Row | string)[] => {
    const before = rows[index - 1];
    const size = sizeLabel(view, row.cell);
    return before !== undefined && sizeLabel(view, before.cell) === size ? [row] : [size, row];
  });
}
