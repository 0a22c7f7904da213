import { defined } from "../contract/defined.ts";
import { groupBy } from "../contract/group-by.ts";
import type { Cell } from "../contract/types/contract.ts";
import type { LambdaRange } from "../prediction/spread.ts";
import { type MetricName, seriesKey } from "./collected-series.ts";
import type { Comparison, Comparisons } from "./comparisons.ts";
import type { ExpectedTimes } from "./on-lambda.ts";
import type { PublishedSeries } from "./published.ts";
import type { SeriesView } from "./series-view.ts";
import type { Summary } from "./summary.ts";

/** A comparison of two variants with all that a report prints about its ratio. */
export interface RowComparison extends Comparison {
  /** The same ratio, from the source's published figures. */
  readonly published?: number;
  /** 90% range of the ratio on Lambda. Local runs only. */
  readonly onLambda?: LambdaRange;
}

/** A series with all that a report prints about it. Tables print rows and look up nothing else. */
export interface Row extends SeriesView {
  /** The comparisons with the baseline; empty for the baseline itself. */
  readonly compared: { readonly [Quantity in MetricName]?: RowComparison };
  /** The source's published figures for the same series. */
  readonly published?: PublishedSeries;
  /** Ranges of the times on Lambda. Local runs only. */
  readonly onLambda?: ExpectedTimes;
}

/** joinRows joins each series with its comparisons, and both with published figures and ranges on Lambda. */
export function joinRows({ series, comparisons, published, onLambda }: Summary): {
  readonly series: readonly Row[];
  readonly comparisons: Comparisons & { readonly variants: readonly RowComparison[] };
} {
  const publishedAt = firstByKey(published?.series ?? [], (each) => seriesKey(each.cellId, each));
  const variants = joinComparisons(comparisons, publishedAt, onLambda);
  const timesAt = firstByKey(onLambda?.times ?? [], (each) => seriesKey(each.cellId, each));
  const comparedAt = groupBy(variants, (each) => seriesKey(each.cell.id, each));
  const rows = series.map((each): Row => {
    const key = seriesKey(each.cell.id, each);
    const figures = publishedAt.get(key)?.figures;
    const times = timesAt.get(key);
    const compared = (comparedAt.get(key) ?? []).map((own) => [own.quantity, own] as const);
    return {
      ...each,
      compared: Object.fromEntries(compared),
      ...defined({ published: figures, onLambda: times }),
    };
  });
  return { series: rows, comparisons: { ...comparisons, variants } };
}

/** Joins each comparison with its published ratio, its range on Lambda and the noise floor of its size. */
function joinComparisons(
  comparisons: Comparisons,
  publishedAt: ReadonlyMap<string, { readonly figures: PublishedSeries }>,
  onLambda: Summary["onLambda"],
): readonly RowComparison[] {
  const rangesAt = firstByKey(onLambda?.ratios ?? [], (each) =>
    ratioKey(each.cellId, each.baselineCellId, each),
  );
  const floorsAt = firstByKey(comparisons.replicas, floorKey);
  return comparisons.variants.map((comparison): RowComparison => {
    const { cell, baselineCell, quantity } = comparison;
    const [own, baseline] = [cell, baselineCell].map(({ id }) =>
      publishedTime(publishedAt.get(seriesKey(id, comparison))?.figures, quantity),
    );
    const range = rangesAt.get(ratioKey(cell.id, baselineCell.id, comparison))?.range;
    const noiseFloor = floorsAt.get(floorKey(comparison))?.noiseFloor;
    return {
      ...comparison,
      ...defined({ noiseFloor }),
      ...(own !== undefined && baseline !== undefined && { published: own / baseline }),
      ...defined({ onLambda: range }),
    };
  });
}

function firstByKey<Item>(
  items: readonly Item[],
  keyOfItem: (item: Item) => string,
): ReadonlyMap<string, Item> {
  return new Map(items.toReversed().map((item) => [keyOfItem(item), item]));
}

function ratioKey(
  cellId: string,
  baselineCellId: string,
  compared: Pick<Comparison, "phase" | "operation" | "quantity">,
): string {
  return JSON.stringify([seriesKey(cellId, compared), baselineCellId, compared.quantity]);
}

/** Returns the key of a noise floor: that of an A/A pair applies only to its own size. */
function floorKey({ cell, phase, operation, quantity }: Comparison): string {
  return JSON.stringify([cell.memoryMb, cell.architecture, phase, operation, quantity]);
}

/** Returns the source's figure, for a cold start Init plus first Duration; undefined if it gives none. */
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

/** Groups cells of equal size, architecture and workers, within which variants are compared. */
export function cellsBySize(cells: readonly Cell[]): readonly (readonly Cell[])[] {
  const groups = groupBy(cells, ({ architecture, memoryMb, workers }) =>
    JSON.stringify([architecture, memoryMb, workers]),
  );
  return [...groups.values()];
}
