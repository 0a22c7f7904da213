import { variantLabel } from "../../analysis/report-subject.ts";
import type { ReportView } from "../../analysis/report-view.ts";
import type { Cell } from "../../contract/types/contract.ts";
import { type ColumnOf, rowHeader } from "./document.ts";
import { count, number, plural } from "./format.ts";

/** Dimensions that vary in this run: one that does not vary is stated once and gets no column. */
interface Dimensions {
  readonly architecture: boolean;
  readonly workers: boolean;
}

export function findDimensions({ plan: { cells } }: ReportView): Dimensions {
  const varies = (values: readonly unknown[]) => new Set(values).size > 1;
  const found = known.get(cells) ?? {
    architecture: varies(cells.map((cell) => cell.architecture)),
    workers: varies(cells.map((cell) => cell.workers)),
  };
  known.set(cells, found);
  return found;
}

/** Dimensions are cached, because each of a report's thousands of cell labels needs them. */
const known = new WeakMap<ReportView["plan"]["cells"], Dimensions>();

/** Columns for memory, then architecture and workers if they vary, then the variant. */
export function cellColumns<Row>(
  view: ReportView,
  cellOf: (row: Row) => Cell,
): readonly ColumnOf<Row>[] {
  return [
    ...sizeColumns(view, cellOf),
    rowHeader("Variant", (row) => variantLabel(view.subject, cellOf(row).variant)),
  ];
}

export function sizeColumns<Row>(
  view: ReportView,
  cellOf: (row: Row) => Cell,
): readonly ColumnOf<Row>[] {
  const varies = findDimensions(view);
  return [
    rowHeader("Memory MB", (row) => String(cellOf(row).memoryMb), "number"),
    ...(varies.architecture
      ? [rowHeader<Row>("Architecture", (row) => cellOf(row).architecture)]
      : []),
    ...(varies.workers
      ? [rowHeader<Row>("Workers", (row) => number(cellOf(row).workers, 0), "number")]
      : []),
  ];
}

/** `128 MB`, with architecture and workers if they vary. */
export function sizeLabel(view: ReportView, cell: Cell): string {
  const varies = findDimensions(view);
  const parts = [`${count(cell.memoryMb)} MB`];
  if (varies.architecture) parts.push(cell.architecture);
  if (varies.workers && cell.workers !== undefined) parts.push(plural(cell.workers, "worker"));
  return parts.join(", ");
}
