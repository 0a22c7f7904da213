import { defined } from "../contract/defined.ts";
import type { Cell, Machine, Manifest, Plan } from "../contract/types/contract.ts";
import { costPerMillionAt } from "../cost/invocation-cost.ts";
import { type LambdaPrice, lambdaPrice, type PriceTable } from "../cost/prices.ts";
import {
  type FigureOfMeans,
  fewestEnvironments,
  figureAtMeans,
  intervalOfMeans,
  ratioOfMeans,
} from "../statistics/mean-interval.ts";
import type { Ratio } from "../statistics/ratio.ts";
import type { Series } from "../statistics/series.ts";
import type { CollectedSamples } from "./collect-samples.ts";
import { isLimited } from "./measured-calls.ts";
import { pairingOf } from "./series-ratio.ts";

/**
 * Billed Durations of one operation's calls in one cell. A bill is a sum over calls, so the average cost of a call is
 * their mean and not their median (decision 0031).
 */
export interface Bills {
  readonly cell: Cell;
  readonly price: LambdaPrice;
  /** Billed Duration, ms, of the cold operation's cold calls. */
  readonly cold: Series;
  /** Billed Duration, ms, of the operation's warm calls. */
  readonly warm: Series;
}

/** Samples to find bills in, and the prices that apply. */
export interface PricedSamples {
  readonly plan: Plan;
  readonly samples: CollectedSamples;
  readonly prices: PriceTable;
  readonly region: string;
  /** The machine that measured them. Absent if it was not one. */
  readonly machine?: Machine;
}

/** Returns what a run's bills are found in. */
export function pricedSamples({
  plan,
  manifest: { machine, prices: priced },
  samples,
  prices,
}: Pick<PricedSamples, "plan" | "samples" | "prices"> & {
  readonly manifest: Pick<Manifest, "machine" | "prices">;
}): PricedSamples {
  return { plan, samples, prices, region: priced.region, ...defined({ machine }) };
}

/** Returns undefined if no price is known, or if the times are not those of the size: see isLimited. */
export function findBills(
  { plan, samples, prices, region, ...measured }: PricedSamples,
  cell: Cell,
  operation: string,
): Bills | undefined {
  const price = lambdaPrice(prices, region, cell.architecture);
  if (price.kind === "price-absent" || !isLimited(measured, cell)) return undefined;
  const billed = (of: string, phase: "cold" | "warm") =>
    samples.series(cell.id, of, phase).series("billedDurationMs");
  return {
    cell,
    price,
    cold: billed(plan.coldOperation, "cold"),
    warm: billed(operation, "warm"),
  };
}

/** Returns USD per million invocations at a cold share of 0 to 1; 0 and 1 read the calls of one phase only. */
export function costFigure(bills: Bills, coldShare: number): FigureOfMeans {
  const { cell, price, cold, warm } = bills;
  // Indexing is deliberate: destructuring the means of ten thousand draws would take most of a report's time.
  if (coldShare === 0 || coldShare === 1) {
    const usd = usdOf(bills);
    return { series: [coldShare === 0 ? warm : cold], compute: (means) => usd(means[0] ?? 0) };
  }
  const usd = costPerMillionAt(cell.memoryMb, coldShare, price);
  return { series: [cold, warm], compute: (means) => usd(means[0] ?? 0, means[1] ?? 0) };
}

/** Returns USD per million invocations by the ms that each bills, which cost the same cold and warm. */
function usdOf({ cell, price }: Bills): (billedMs: number) => number {
  const usd = costPerMillionAt(cell.memoryMb, 1, price);
  return (billedMs) => usd(billedMs, 0);
}

/** Bounds of a 95% interval, in the unit of the estimate. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** A mean cost over environments, USD per million invocations. */
export interface CostMeasure extends Partial<Interval> {
  /** Calls. */
  readonly n: number;
  /** Environments of the phase that has the fewest. */
  readonly environments: number;
  /** Absent if a phase has no call that counts. */
  readonly mean?: number;
  readonly environmentsNeeded?: number;
}

export function measureCost(bills: Bills, coldShare: number, seed: number): CostMeasure {
  const figure = costFigure(bills, coldShare);
  const value = figureAtMeans(figure);
  const n = figure.series
    .flatMap(({ units }) => units)
    .reduce((sum, { values }) => sum + values.length, 0);
  const environments = fewestEnvironments(figure);
  if (value === undefined) return { n, environments };
  const found = intervalOfMeans(figure, { seed });
  return found.kind === "insufficient"
    ? { n, environments, mean: value, environmentsNeeded: found.needed }
    : { n, environments, mean: value, low: found.low, high: found.high };
}

/** The ratio of two costs before the verdict. It has no p-value: a rank test does not test means. */
interface RatioOfFigures {
  readonly ratio: Ratio;
  readonly environments: number;
  readonly baselineEnvironments: number;
}

export function ratioOfFigures(
  above: FigureOfMeans,
  below: FigureOfMeans,
  plan: Pick<Plan, "seed" | "target">,
): RatioOfFigures {
  return {
    ratio: ratioOfMeans(above, below, { seed: plan.seed, pairing: pairingOf(plan) }),
    environments: fewestEnvironments(above),
    baselineEnvironments: fewestEnvironments(below),
  };
}

/** The cold share at which two cells cost the same, with its interval. Costs are USD per million. */
interface EqualCost extends Partial<Interval> {
  /** One's cost minus the other's if no invocation is cold (`warmLess`), and if all are (`coldLess`). */
  readonly warmLess: number;
  readonly coldLess: number;
  /** 0 to 1. Absent if the costs are equal at no share, or at every share. */
  readonly coldShare?: number;
}

/** Returns undefined if one of the four means was not measured. */
export function equalCost(one: Bills, other: Bills, seed: number): EqualCost | undefined {
  const [warmLess, coldLess] = [0, 1].map((share) =>
    figureAtMeans(difference(costFigure(one, share), costFigure(other, share))),
  );
  if (warmLess === undefined || coldLess === undefined) return undefined;
  const coldShare = equalAt(warmLess, coldLess);
  if (coldShare === undefined) return { warmLess, coldLess };
  return { warmLess, coldLess, coldShare, ...equalInterval(one, other, seed) };
}

function difference(one: FigureOfMeans, other: FigureOfMeans): FigureOfMeans {
  const ofOne = one.series.length;
  return {
    series: [...one.series, ...other.series],
    compute: (means) => one.compute(means.slice(0, ofOne)) - other.compute(means.slice(ofOne)),
  };
}

/**
 * Returns the interval of the break-even share, clamped to 0 to 1. It is empty if the run does not show which cell's
 * cost rises more with the cold share: the break-even share is then very low in some draws and very high in others.
 */
function equalInterval(one: Bills, other: Bills, seed: number): Partial<Interval> {
  const series = [one.warm, other.warm, one.cold, other.cold];
  const usd = usdOf(one);
  const otherUsd = usdOf(other);
  // Indexing is deliberate: a list for each of ten thousand draws would take most of the time.
  const warmLess = (means: readonly number[]) => usd(means[0] ?? 0) - otherUsd(means[1] ?? 0);
  const coldLess = (means: readonly number[]) => usd(means[2] ?? 0) - otherUsd(means[3] ?? 0);
  const rise = intervalOfMeans(
    { series, compute: (means) => warmLess(means) - coldLess(means) },
    { seed },
  );
  if (rise.kind === "insufficient" || (rise.low <= 0 && rise.high >= 0)) return {};
  const share = intervalOfMeans(
    {
      series,
      compute: (means) => {
        const less = warmLess(means);
        return less / (less - coldLess(means));
      },
    },
    { seed },
  );
  if (share.kind === "insufficient") return {};
  const within = (bound: number) => Math.min(1, Math.max(0, bound));
  return { low: within(share.low), high: within(share.high) };
}

/** Returns the share s at which (1 - s) * warmLess + s * coldLess is 0; undefined if none from 0 to 1 is, or all are. */
export function equalAt(warmLess: number, coldLess: number): number | undefined {
  const share = warmLess / (warmLess - coldLess);
  return share >= 0 && share <= 1 ? share : undefined;
}
