import type { Cell } from "../contract/types/contract.ts";
import type { MetricName } from "./collected-series.ts";
import type { Comparison } from "./comparisons.ts";
import type { PublishedSeries } from "./published.ts";
import type { ReportView } from "./report-view.ts";
import type { Phase, SeriesView } from "./series-view.ts";

/** The series of a phase, without the A/A replica: its samples are for the noise floor alone. */
export function seriesIn(
  view: ReportView,
  phase: Phase,
  operation?: string,
): readonly SeriesView[] {
  return view.series.filter(
    (series) =>
      series.phase === phase &&
      series.cell.twinOf === undefined &&
      (operation === undefined || series.operation === operation),
  );
}

export function findComparison(
  view: ReportView,
  series: Pick<SeriesView, "cell" | "phase" | "operation">,
  quantity: MetricName,
): Comparison | undefined {
  return view.comparisons.variants.find(
    (comparison) =>
      comparison.cell.id === series.cell.id &&
      comparison.phase === series.phase &&
      comparison.operation === series.operation &&
      comparison.quantity === quantity,
  );
}

/** The noise floor of a comparison, from the A/A pair of its size; undefined if none was run. */
export function findNoiseFloor(view: ReportView, compared: Comparison): number | undefined {
  return view.comparisons.twins.find(
    ({ phase, operation, quantity, cell }) =>
      phase === compared.phase &&
      operation === compared.operation &&
      quantity === compared.quantity &&
      cell.memoryMb === compared.cell.memoryMb &&
      cell.architecture === compared.cell.architecture,
  )?.noiseFloor;
}

/** The source's figures of a series; undefined if it gives none. */
export function findPublished(
  view: ReportView,
  { cell, phase, operation }: Pick<SeriesView, "cell" | "phase" | "operation">,
): PublishedSeries | undefined {
  return view.published?.series.find(
    (series) =>
      series.cellId === cell.id && series.phase === phase && series.operation === operation,
  )?.figures;
}

/**
 * The comparison's ratio by the source's figures of both functions, for a cold start Init plus first Duration.
 * Undefined if the source lacks one of them.
 */
export function publishedRatioOf(
  view: ReportView,
  { cell, baselineCell, phase, operation, quantity }: Comparison,
): number | undefined {
  const [own, baseline] = [cell, baselineCell].map((of) =>
    publishedTime(findPublished(view, { cell: of, phase, operation }), quantity),
  );
  return own === undefined || baseline === undefined ? undefined : own / baseline;
}

/** The source's figure of a quantity; undefined if it gives none. */
export function publishedTime(
  figures: PublishedSeries | undefined,
  quantity: MetricName | undefined,
): number | undefined {
  const { initDurationMs, durationMs, billedDurationMs } = figures ?? {};
  if (quantity === "durationMs") return durationMs;
  if (quantity === "initDurationMs") return initDurationMs;
  if (quantity === "billedDurationMs") return billedDurationMs;
  if (quantity !== "initAndDurationMs") return undefined;
  return initDurationMs === undefined || durationMs === undefined
    ? undefined
    : initDurationMs + durationMs;
}

/** The cells of a run without the replica, in the reports' order. */
export function listReportedCells(view: ReportView): readonly Cell[] {
  return view.quality.cells.map(({ cell }) => cell).filter((cell) => cell.twinOf === undefined);
}

/** Sizes by the cells of a view: in a large run each linked row asks for its sizes. */
const knownSizes = new WeakMap<object, readonly (readonly Cell[])[]>();

/** Groups of cells with equal size, architecture and workers, which comparisons are made within. */
export function listSizes(view: ReportView): readonly (readonly Cell[])[] {
  const known = knownSizes.get(view.quality.cells);
  if (known !== undefined) return known;
  const groups = new Map<string, Cell[]>();
  for (const cell of listReportedCells(view)) {
    const key = JSON.stringify([cell.architecture, cell.memoryMb, cell.workers]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [cell]);
    else group.push(cell);
  }
  const sizes = [...groups.values()];
  knownSizes.set(view.quality.cells, sizes);
  return sizes;
}

/** Ids of the variants that were run, the baseline first. */
export function variantsRun(view: ReportView): readonly string[] {
  const run = new Set(listReportedCells(view).map((cell) => cell.variant));
  const known = view.subject.variants.map((variant) => variant.id).filter((id) => run.has(id));
  const ordered = [...known, ...[...run].filter((id) => !known.includes(id))];
  const baseline = view.subject.baselineVariant;
  return run.has(baseline) ? [baseline, ...ordered.filter((id) => id !== baseline)] : ordered;
}
