import { medianInterval } from "../../statistics/median-interval.ts";
import { median, tailPercentile } from "../../statistics/quantile.ts";
import { mediansOf, type Series } from "../../statistics/series.ts";
import type { CollectedSeries } from "../collect/collected-series.ts";
import type { QuantityName } from "../collect/quantities.ts";

/** The median over execution environments of one quantity, in the unit of its key. */
export interface Measure {
  /** Samples that have the quantity. */
  readonly n: number;
  readonly environments: number;
  /** Absent without a sample. */
  readonly median?: number;
  /** The interval; absent where there are fewer environments than `environmentsNeeded`. */
  readonly low?: number;
  readonly high?: number;
  /** What the interval reaches: 0.95 or a little more. */
  readonly confidence?: number;
  readonly environmentsNeeded?: number;
}

/** A percentile over all samples, or how many it needs. */
export interface Tail {
  readonly n: number;
  readonly value?: number;
  readonly needed?: number;
}

export function measureOf(collected: CollectedSeries, quantity: QuantityName): Measure {
  return measureOfSeries(collected.series(quantity));
}

export function measureOfSeries(series: Series): Measure {
  const medians = mediansOf(series);
  const n = series.units.reduce((sum, unit) => sum + unit.values.length, 0);
  const environments = medians.length;
  if (environments === 0) return { n, environments };
  const interval = medianInterval(medians);
  if (interval.kind === "insufficient") {
    return { n, environments, median: median(medians), environmentsNeeded: interval.needed };
  }
  const { low, high, confidence } = interval;
  return { n, environments, median: interval.median, low, high, confidence };
}

export function tailOf(
  collected: CollectedSeries,
  quantity: QuantityName,
  name: "p95" | "p99",
): Tail {
  const found = tailPercentile(collected.values(quantity), name);
  return found.kind === "insufficient"
    ? { n: found.n, needed: found.needed }
    : { n: found.n, value: found.value };
}
