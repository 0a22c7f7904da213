import type { Comparison } from "../../analysis/comparisons.ts";
import { type ReportSubject, variantLabel } from "../../analysis/report-subject.ts";
import type { ReportView } from "../../analysis/report-view.ts";
import type { Cell } from "../../contract/types/contract.ts";
import { type ColumnOf, rowHeader } from "./document.ts";
import { count, number, plural } from "./format.ts";

/** Returns columns for memory, then architecture and workers if they vary, then the variant. */
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
  return [
    rowHeader("Memory MB", (row) => String(cellOf(row).memoryMb), "number"),
    ...(view.varies.architecture
      ? [rowHeader<Row>("Architecture", (row) => cellOf(row).architecture)]
      : []),
    ...(view.varies.workers
      ? [rowHeader<Row>("Workers", (row) => number(cellOf(row).workers, 0), "number")]
      : []),
  ];
}

/** Returns `128 MB`, with architecture and workers if they vary. */
export function sizeLabel(view: ReportView, cell: Cell): string {
  const parts = [`${count(cell.memoryMb)} MB`];
  if (view.varies.architecture) parts.push(cell.architecture);
  if (view.varies.workers && cell.workers !== undefined) parts.push(plural(cell.workers, "worker"));
  return parts.join(", ");
}

/**
 * Returns the label without its part in brackets. If several variants would then share a label, only the baseline is
 * shortened: `Rust` and `Rust (tuned build)`.
 */
export function shortLabel(view: ReportView, variant: string): string {
  const short = (id: string) => shortened(view.subject, id);
  const isShared = view.variants.some((id) => id !== variant && short(id) === short(variant));
  return isShared && variant !== view.subject.baselineVariant
    ? variantLabel(view.subject, variant)
    : short(variant);
}

function shortened(subject: ReportSubject, variant: string): string {
  const label = variantLabel(subject, variant);
  const short = label.replace(/ \([^()]*\)$/, "");
  return short === "" ? label : short;
}

type Sides = Pick<Comparison, "cell" | "baselineCell">;

/** Returns the name of the side compared with: a function, or an architecture of the same one. */
export function baselineName({ subject }: ReportView, { cell, baselineCell }: Sides): string {
  return cell.variant === baselineCell.variant
    ? baselineCell.architecture
    : variantLabel(subject, baselineCell.variant);
}

/** Returns `head at 512 MB arm64`, followed by the base if it is not the run's own. */
export function comparisonName(view: ReportView, sides: Sides): string {
  const { cell, baselineCell } = sides;
  const name = `${variantLabel(view.subject, cell.variant)} at ${count(cell.memoryMb)} MB ${cell.architecture}`;
  const isUsual = baselineCell.variant === view.subject.baselineVariant;
  return isUsual && cell.variant !== baselineCell.variant
    ? name
    : `${name} against ${baselineName(view, sides)}`;
}
