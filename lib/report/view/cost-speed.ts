import type { Cell } from "../../contract/types/contract.ts";
import { type CostView, costOfCell, warmCostOf } from "./cost-view.ts";
import type { Measure } from "./measure.ts";
import type { Phase, SeriesView } from "./series-view.ts";

/** One cell's calls of one operation: how long one takes, and what a million cost. */
export interface CostAndSpeed {
  readonly cell: Cell;
  readonly phase: Phase;
  readonly operation: string;
  /** Cold, Init and first Duration; warm, Duration. */
  readonly time: Measure & { readonly median: number };
  readonly usdPerMillion: number;
  /** True where no other cell is as quick for less, nor quicker for as much: by the medians. */
  readonly isOnFrontier: boolean;
}

/** Every priced cell of a phase and operation, a group each. Groups of one cell compare nothing. */
export function costAndSpeed(
  cost: CostView,
  series: readonly SeriesView[],
): readonly (readonly CostAndSpeed[])[] {
  const points = series.flatMap((of) => pointOf(cost, of));
  const keyOf = ({ phase, operation }: Pick<CostAndSpeed, "phase" | "operation">) =>
    JSON.stringify([phase, operation]);
  return [...new Set(points.map(keyOf))]
    .map((key) => withFrontier(points.filter((point) => keyOf(point) === key)))
    .filter(({ length }) => length > 1);
}

type Point = Omit<CostAndSpeed, "isOnFrontier">;

function pointOf(cost: CostView, series: SeriesView): readonly Point[] {
  const { cell, phase, operation, durationMs, initAndDurationMs } = series;
  const usdPerMillion =
    phase === "cold"
      ? costOfCell(cost, cell)?.coldUsdPerMillion
      : warmCostOf(cost, cell, operation)?.warmUsdPerMillion;
  const time = phase === "cold" ? initAndDurationMs : durationMs;
  if (phase === "second" || usdPerMillion === undefined || time?.median === undefined) return [];
  return [{ cell, phase, operation, time: { ...time, median: time.median }, usdPerMillion }];
}

function withFrontier(points: readonly Point[]): readonly CostAndSpeed[] {
  return points.map((point) => ({
    ...point,
    isOnFrontier: !points.some((other) => beats(other, point)),
  }));
}

function beats(a: Point, b: Point): boolean {
  const isNoWorse = a.time.median <= b.time.median && a.usdPerMillion <= b.usdPerMillion;
  return isNoWorse && (a.time.median < b.time.median || a.usdPerMillion < b.usdPerMillion);
}
