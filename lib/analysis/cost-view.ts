import type { Cell, Plan } from "../contract/types/contract.ts";
import { costPerMillionUsd } from "../cost/invocation-cost.ts";
import {
  describeAbsence,
  type LambdaPrice,
  lambdaPrice,
  type PriceAbsent,
  type PriceTable,
} from "../cost/prices.ts";
import { listWarmOperations } from "../plan/trial-calls.ts";
import { median } from "../statistics/order-statistics.ts";
import type { Series, Unit } from "../statistics/series.ts";
import type { CollectedSamples } from "./collect-samples.ts";
import type { CollectedSeries, Environment } from "./collected-series.ts";
import {
  type Measure,
  makeMeasure,
  orderedCells,
  type Phase,
  type SeriesView,
} from "./series-view.ts";

/** What a million invocations of one cell cost, USD. Absent: not measured, or no price known. */
export interface CellCost {
  readonly cell: Cell;
  readonly coldBilledDurationMs?: number;
  readonly coldEnvironments: number;
  readonly coldUsdPerMillion?: number;
  readonly warm: readonly WarmCost[];
  /** Why there is no price. */
  readonly priceAbsent?: string;
}

interface WarmCost {
  readonly operation: string;
  readonly environments: number;
  readonly billedDurationMs?: number;
  readonly warmUsdPerMillion?: number;
  /** At the cold share, the cold ones billed as the cold operation is. */
  readonly blendedUsdPerMillion?: number;
}

export interface CostView {
  readonly coldShare: number;
  readonly coldOperation: string;
  readonly pricesDate: string;
  readonly pricesRegion: string;
  readonly cells: readonly CellCost[];
}

export function costView(
  plan: Plan,
  samples: CollectedSamples,
  prices: PriceTable,
  region: string,
  coldShare: number,
): CostView {
  const cells = orderedCells(plan).filter((cell) => cell.twinOf === undefined);
  return {
    coldShare,
    coldOperation: plan.coldOperation,
    pricesDate: prices.date,
    pricesRegion: region,
    cells: cells.map((cell) => cellCost(plan, cell, samples, prices, region, coldShare)),
  };
}

function cellCost(
  plan: Plan,
  cell: Cell,
  samples: CollectedSamples,
  prices: PriceTable,
  region: string,
  coldShare: number,
): CellCost {
  const price = lambdaPrice(prices, region, cell.architecture);
  const billed = (operation: string, phase: "cold" | "warm") =>
    makeMeasure(samples.series(cell.id, operation, phase), "billedDurationMs");
  const cold = billed(plan.coldOperation, "cold");
  const warm = plan.sizes.warmEnvironments === 0 ? [] : listWarmOperations(plan, cell.variant);
  return {
    cell,
    coldEnvironments: cold.environments,
    ...given("coldBilledDurationMs", cold.median),
    ...given("coldUsdPerMillion", usdPerMillion(price, cell, { coldMs: cold.median }, 1)),
    warm: warm.map((operation) =>
      warmCost(operation, billed(operation, "warm"), cold.median, coldShare, (billedMs, share) =>
        usdPerMillion(price, cell, billedMs, share),
      ),
    ),
    ...(price.kind === "price-absent" && { priceAbsent: describeAbsence(price, prices) }),
  };
}

/** Medians of the phases; absent where not measured. */
interface BilledMs {
  readonly coldMs?: number | undefined;
  readonly warmMs?: number | undefined;
}

function warmCost(
  operation: string,
  { median: warmMs, environments }: Measure,
  coldMs: number | undefined,
  coldShare: number,
  usd: (billedMs: BilledMs, share: number) => number | undefined,
): WarmCost {
  return {
    operation,
    environments,
    ...given("billedDurationMs", warmMs),
    ...given("warmUsdPerMillion", usd({ warmMs }, 0)),
    ...given("blendedUsdPerMillion", usd({ coldMs, warmMs }, coldShare)),
  };
}

/** Undefined without a price, or without a phase that the share counts. */
function usdPerMillion(
  price: LambdaPrice | PriceAbsent,
  { memoryMb }: Cell,
  { coldMs, warmMs }: BilledMs,
  share: number,
): number | undefined {
  const coldBilledMs = share === 0 ? 0 : coldMs;
  const warmBilledMs = share === 1 ? 0 : warmMs;
  if (coldBilledMs === undefined || warmBilledMs === undefined) return undefined;
  if (price.kind === "price-absent") return undefined;
  return costPerMillionUsd({ coldBilledMs, warmBilledMs, memoryMb }, share, price);
}

function given<Key extends string>(key: Key, value: number | undefined) {
  return (value === undefined ? {} : { [key]: value }) as { readonly [Name in Key]?: number };
}

export function costOfCell({ cells }: CostView, cell: Cell): CellCost | undefined {
  return cells.find((candidate) => candidate.cell.id === cell.id);
}

export function findWarmCost(cost: CostView, cell: Cell, operation: string): WarmCost | undefined {
  return costOfCell(cost, cell)?.warm.find((warm) => warm.operation === operation);
}

/** One value an environment, by the environment's name: a visit made again is another one. */
export type ByEnvironment = ReadonlyMap<string, { readonly block: number; readonly value: number }>;

export function asSeries(values: ByEnvironment): Series {
  return { units: [...values.values()].map(({ block, value }) => ({ block, values: [value] })) };
}

/** How a cell's invocations are mixed and charged. */
interface Mixture {
  readonly memoryMb: number;
  readonly coldShare: number;
  readonly price: LambdaPrice;
}

/**
 * USD a million invocations of each environment, its own cold call and its own warm ones mixed at
 * the cold share, so that what both have in common stays together when environments are drawn.
 * Where no environment has both, as in imported samples, the cold part is the median of all cold
 * calls: its own spread is then in no interval.
 */
export function invocationCosts(
  cold: CollectedSeries,
  warm: CollectedSeries,
  { memoryMb, coldShare, price }: Mixture,
): ByEnvironment {
  const colds = mediansIn(cold, "billedDurationMs");
  const warms = mediansIn(warm, "billedDurationMs");
  const cost = (coldBilledMs: number, warmBilledMs: number) =>
    costPerMillionUsd({ coldBilledMs, warmBilledMs, memoryMb }, coldShare, price);
  const isPaired = [...warms.keys()].some((key) => colds.has(key));
  const middle =
    colds.size === 0 ? undefined : median([...colds.values()].map(({ value }) => value));
  return mapped(warms, (key, ms) => {
    const own = isPaired ? colds.get(key)?.value : middle;
    return own === undefined ? undefined : cost(own, ms);
  });
}

/** Each environment's product of what an invocation costs and how long a warm one takes. */
export function costTimesDuration(costs: ByEnvironment, warm: CollectedSeries): ByEnvironment {
  return mapped(mediansIn(warm, "durationMs"), (key, ms) => {
    const cost = costs.get(key)?.value;
    return cost === undefined ? undefined : cost * ms;
  });
}

function mediansIn(
  collected: CollectedSeries,
  quantity: "billedDurationMs" | "durationMs",
): ByEnvironment {
  const { units } = collected.series(quantity);
  const entries = collected.environments.flatMap((environment, index) => {
    const { block, values } = units[index] as Unit;
    return values.length === 0
      ? []
      : [[environmentKey(environment), { block, value: median(values) }] as const];
  });
  return new Map(entries);
}

function environmentKey({ block, attempt }: Environment): string {
  return `${block}.${attempt}`;
}

function mapped(
  values: ByEnvironment,
  of: (key: string, value: number) => number | undefined,
): ByEnvironment {
  const entries = [...values].flatMap(([key, { block, value: before }]) => {
    const value = of(key, before);
    return value === undefined ? [] : [[key, { block, value }] as const];
  });
  return new Map(entries);
}

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
  const points = series.flatMap((of) => makePoints(cost, of));
  const keyOf = ({ phase, operation }: Pick<CostAndSpeed, "phase" | "operation">) =>
    JSON.stringify([phase, operation]);
  return [...new Set(points.map(keyOf))]
    .map((key) => withFrontier(points.filter((point) => keyOf(point) === key)))
    .filter(({ length }) => length > 1);
}

type Point = Omit<CostAndSpeed, "isOnFrontier">;

function makePoints(cost: CostView, series: SeriesView): readonly Point[] {
  const { cell, phase, operation, durationMs, initAndDurationMs } = series;
  const usdPerMillion =
    phase === "cold"
      ? costOfCell(cost, cell)?.coldUsdPerMillion
      : findWarmCost(cost, cell, operation)?.warmUsdPerMillion;
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
