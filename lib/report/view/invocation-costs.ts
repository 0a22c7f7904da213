import { costPerMillionUsd } from "../../cost/cost-per-million.ts";
import type { LambdaPrice } from "../../cost/prices.ts";
import { median } from "../../statistics/quantile.ts";
import type { Series, Unit } from "../../statistics/series.ts";
import type { CollectedSeries, Environment } from "../collect/collected-series.ts";

/** One value an environment, by the environment's name: a visit made again is another one. */
export type ByEnvironment = ReadonlyMap<string, { readonly block: number; readonly value: number }>;

export function asSeries(values: ByEnvironment): Series {
  return { units: [...values.values()].map(({ block, value }) => ({ block, values: [value] })) };
}

/** How a cell's invocations are mixed and charged. */
export interface Mixture {
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
      : [[nameOf(environment), { block, value: median(values) }] as const];
  });
  return new Map(entries);
}

function nameOf({ block, attempt }: Environment): string {
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
