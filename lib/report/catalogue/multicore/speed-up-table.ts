import { numberColumn, tableOf } from "../../document/blocks.ts";
import { cellColumnCount, cellColumns } from "../../document/cell-labels.ts";
import type { Table } from "../../document/document.ts";
import { ratioText } from "../../document/format-measure.ts";
import { decimalsFor, missing, number } from "../../document/format-number.ts";
import type { ReportView } from "../../view/report-view.ts";
import type { Scaled } from "./figures.ts";
import { publishedRowOf } from "./published.ts";
import { isPublished, publishedText, type SizeRow } from "./size-rows.ts";

export function speedUpTable(view: ReportView, rows: readonly SizeRow[]): Table {
  return tableOf<SizeRow>(
    {
      id: "multicore-speed-up",
      caption: `Speed-up over the smallest size of the same variant and architecture, ratio of medians [95 % interval]; efficiency is the speed-up over the growth of the CPU credit, memory MB / 1769, and not of the workers: 1 where every vCPU bought is used.${publishedText(view, rows)}`,
      rowHeaders: cellColumnCount(view),
    },
    [
      ...cellColumns<SizeRow>(view, ({ cell }) => cell),
      numberColumn("CPU credit, vCPUs", ({ cpuCredit }) => number(cpuCredit)),
      numberColumn("Speed-up", (row) => firstOr(row, rows, ratioText(row.speedUp))),
      numberColumn("Efficiency", (row) => firstOr(row, rows, scaledText(row.efficiency))),
      ...(isPublished(rows)
        ? [
            numberColumn<SizeRow>("Published speed-up", ({ cell }) =>
              number(publishedRowOf(cell)?.speedup),
            ),
            numberColumn<SizeRow>("Published efficiency", (row) => publishedEfficiency(row, rows)),
          ]
        : []),
    ],
    rows,
  );
}

/** The smallest size is 1 by definition, and no measurement of itself. */
function firstOr(row: SizeRow, rows: readonly SizeRow[], text: string): string {
  return smallestOf(row, rows).cell.id === row.cell.id ? "1 (smallest)" : text;
}

function smallestOf({ cell }: SizeRow, rows: readonly SizeRow[]): SizeRow {
  return rows.find(
    (other) => other.cell.variant === cell.variant && other.cell.architecture === cell.architecture,
  ) as SizeRow;
}

/** The source's first row is the smallest size that was published. */
function publishedEfficiency({ cell }: SizeRow, rows: readonly SizeRow[]): string {
  const row = publishedRowOf(cell);
  const first = rows
    .map((other) => publishedRowOf(other.cell))
    .find((known) => known?.speedup === 1);
  if (row === undefined || first === undefined) return missing;
  return number((row.speedup * first.memoryMb) / row.memoryMb, 2);
}

function scaledText({ value, low, high }: Scaled): string {
  if (value === undefined) return missing;
  const at = (bound: number | undefined) => number(bound, Math.min(2, decimalsFor(value)));
  return `${at(value)} [${at(low)}, ${at(high)}]`;
}
