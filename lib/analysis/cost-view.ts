import type { Cell } from "../contract/types/contract.ts";
import { describeAbsence, lambdaPrice } from "../cost/prices.ts";
import { listWarmOperations } from "../plan/trial-calls.ts";
import {
  type FigureOfMeans,
  fewestEnvironments,
  figureAtMeans,
} from "../statistics/mean-interval.ts";
import {
  type CostMeasure,
  findBills,
  type Interval,
  measureCost,
  type PricedSamples,
} from "./billed-cost.ts";
import type { CollectedSeries } from "./collected-series.ts";
import { isLimited } from "./measured-calls.ts";
import { comparedCells, type Measure, type Phase, type SeriesView } from "./series-view.ts";

/**
 * USD per million invocations of one cell, from means over environments. Fields are absent if not measured or if no
 * price is known, intervals also with fewer than 6 environments.
 */
export interface CellCost {
  readonly cell: Cell;
  /** Mean. */
  readonly coldBilledDurationMs?: number;
  readonly coldEnvironments: number;
  readonly coldUsdPerMillion?: number;
  readonly coldUsdInterval?: Interval;
  readonly warm: readonly WarmCost[];
  /** The reason why there is no price. */
  readonly priceAbsent?: string;
  /** True if there is no cost, because the machine does not limit this size. */
  readonly isUnlimited?: true;
}

interface WarmCost {
  readonly operation: string;
  readonly environments: number;
  /** Mean. */
  readonly billedDurationMs?: number;
  readonly warmUsdPerMillion?: number;
  readonly warmUsdInterval?: Interval;
  /** USD per million at the cold share. Cold invocations are billed like those of the cold operation. */
  readonly blendedUsdPerMillion?: number;
  readonly blendedUsdInterval?: Interval;
}

export interface CostView {
  readonly coldShare: number;
  readonly coldOperation: string;
  readonly pricesDate: string;
  readonly pricesRegion: string;
  /** Request fee per million, included in every cost. Absent if no price is known. */
  readonly requestUsdPerMillion?: number;
  readonly cells: readonly CellCost[];
}

export function costView(found: PricedSamples, coldShare: number): CostView {
  const { plan, prices, region } = found;
  const cells = comparedCells(plan);
  const [price] = cells.map(({ architecture }) => lambdaPrice(prices, region, architecture));
  return {
    coldShare,
    coldOperation: plan.coldOperation,
    pricesDate: prices.date,
    pricesRegion: region,
    ...(price?.kind === "lambda-price" && { requestUsdPerMillion: price.requestUsd * 1e6 }),
    cells: cells.map((cell) => cellCost(found, cell, coldShare)),
  };
}

function cellCost(found: PricedSamples, cell: Cell, coldShare: number): CellCost {
  const { plan, samples, prices, region } = found;
  const price = lambdaPrice(prices, region, cell.architecture);
  const cold = billed(samples.series(cell.id, plan.coldOperation, "cold"));
  const bills = findBills(found, cell, plan.coldOperation);
  const operations =
    plan.sizes.warmEnvironments === 0 ? [] : listWarmOperations(plan, cell.variant);
  return {
    cell,
    coldEnvironments: cold.environments,
    ...(cold.meanMs !== undefined && { coldBilledDurationMs: cold.meanMs }),
    ...costFields("coldUsd", bills && measureCost(bills, 1, plan.seed)),
    warm: operations.map((operation) => warmCost(found, cell, operation, coldShare)),
    ...(price.kind === "price-absent" && { priceAbsent: describeAbsence(price, prices) }),
    ...(!isLimited(found, cell) && { isUnlimited: true as const }),
  };
}

function warmCost(
  found: PricedSamples,
  cell: Cell,
  operation: string,
  coldShare: number,
): WarmCost {
  const { plan, samples } = found;
  const { meanMs, environments } = billed(samples.series(cell.id, operation, "warm"));
  const bills = findBills(found, cell, operation);
  const measure = (share: number) => bills && measureCost(bills, share, plan.seed);
  return {
    operation,
    environments,
    ...(meanMs !== undefined && { billedDurationMs: meanMs }),
    ...costFields("warmUsd", measure(0)),
    ...costFields("blendedUsd", measure(coldShare)),
  };
}

function billed(collected: CollectedSeries) {
  const figure: FigureOfMeans = {
    series: [collected.series("billedDurationMs")],
    compute: ([ms = 0]) => ms,
  };
  return { meanMs: figureAtMeans(figure), environments: fewestEnvironments(figure) };
}

function costFields<Name extends "coldUsd" | "warmUsd" | "blendedUsd">(
  name: Name,
  { mean, low, high }: Partial<CostMeasure> = {},
) {
  return {
    ...(mean !== undefined && { [`${name}PerMillion`]: mean }),
    ...(low !== undefined && high !== undefined && { [`${name}Interval`]: { low, high } }),
  } as {
    readonly [Key in `${Name}PerMillion`]?: number;
  } & { readonly [Key in `${Name}Interval`]?: Interval };
}

function costOfCell({ cells }: CostView, cell: Cell): CellCost | undefined {
  return cells.find((candidate) => candidate.cell.id === cell.id);
}

export function findWarmCost(cost: CostView, cell: Cell, operation: string): WarmCost | undefined {
  return costOfCell(cost, cell)?.warm.find((warm) => warm.operation === operation);
}

/** Time of a call and cost of a million calls, for one cell, phase and operation. */
export interface CostAndSpeed {
  readonly cell: Cell;
  readonly phase: Phase;
  readonly operation: string;
  /** Init and first Duration of cold calls, Duration of warm ones. */
  readonly time: Measure & { readonly mean: number };
  /** USD per million, from the mean. */
  readonly usdPerMillion: number;
  readonly usdInterval?: Interval;
  /** True if, by the means, no other cell is as fast for less, or faster for the same cost. */
  readonly isOnFrontier: boolean;
}

/** Returns the priced cells, grouped by phase and operation. Groups of one cell are left out. */
export function costAndSpeed(
  cost: CostView,
  series: readonly SeriesView[],
): readonly (readonly CostAndSpeed[])[] {
  const points = series.flatMap((of) => makePoints(cost, of));
  const keyOf = ({ phase, operation }: Pick<CostAndSpeed, "phase" | "operation">) =>
    JSON.stringify([phase, operation]);
  return [...new Set(points.map(keyOf))]
    .map((key) => withFrontier(points.filter((point) => keyOf(point) === key)))
    .filter(({ length }) => length > 1);
}

type Point = Omit<CostAndSpeed, "isOnFrontier">;

function makePoints(cost: CostView, series: SeriesView): readonly Point[] {
  const { cell, phase, operation } = series;
  const { usdPerMillion, usdInterval } = costOfCall(cost, series);
  const time = series[phase === "cold" ? "initAndDurationMs" : "durationMs"];
  if (phase === "second" || usdPerMillion === undefined || time?.mean === undefined) return [];
  return [
    {
      cell,
      phase,
      operation,
      time: { ...time, mean: time.mean },
      usdPerMillion,
      ...(usdInterval !== undefined && { usdInterval }),
    },
  ];
}

function costOfCall(cost: CostView, { cell, phase, operation }: SeriesView) {
  if (phase === "cold") {
    const { coldUsdPerMillion, coldUsdInterval } = costOfCell(cost, cell) ?? {};
    return { usdPerMillion: coldUsdPerMillion, usdInterval: coldUsdInterval };
  }
  const { warmUsdPerMillion, warmUsdInterval } = findWarmCost(cost, cell, operation) ?? {};
  return { usdPerMillion: warmUsdPerMillion, usdInterval: warmUsdInterval };
}

function withFrontier(points: readonly Point[]): readonly CostAndSpeed[] {
  return points.map((point) => ({
    ...point,
    isOnFrontier: !points.some((other) => beats(other, point)),
  }));
}

function beats(a: Point, b: Point): boolean {
  const isNoWorse = a.time.mean <= b.time.mean && a.usdPerMillion <= b.usdPerMillion;
  return isNoWorse && (a.time.mean < b.time.mean || a.usdPerMillion < b.usdPerMillion);
}
