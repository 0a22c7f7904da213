import {
  ascending,
  type Insufficient,
  insufficient,
  quantileOfSorted,
} from "./order-statistics.ts";
import type { Series } from "./series.ts";
import { studentTQuantile } from "./student-t.ts";

interface Percentile {
  readonly kind: "percentile";
  readonly value: number;
  /** The 95 % CI; `high` is absent where it lies beyond the longest call, both where one environment alone has calls. */
  readonly low?: number;
  readonly high?: number;
  readonly n: number;
}

/**
 * Values below which a percentile is not stated: at least three values lie beyond it, on average,
 * so that it is not the extreme of the sample under another name.
 */
const neededForPercentile = { p95: 60, p99: 300 } as const;

const probabilityOf = { p95: 0.95, p99: 0.99 } as const;

/**
 * tailPercentile returns P95 or P99 over all calls (type 7) with its 95 % CI, in the unit of the values, or
 * insufficient below the values that `neededForPercentile` asks for. The interval is Woodruff's, for clusters: the
 * share of calls that take no longer than the percentile varies from environment to environment, and by as much,
 * times Student's t, the percentile may be another one (Woodruff, "Confidence intervals for medians and other
 * position measures", JASA 47, 1952).
 */
export function tailPercentile(
  { units }: Series,
  name: keyof typeof neededForPercentile,
): Percentile | Insufficient {
  const sorted = ascending(units.flatMap(({ values }) => values));
  const needed = neededForPercentile[name];
  const n = sorted.length;
  if (n < needed) return insufficient(needed, n);
  const probability = probabilityOf[name];
  const value = quantileOfSorted(sorted, probability);
  const halfWidth = shareHalfWidth(units, value);
  if (halfWidth === undefined) return { kind: "percentile", value, n };
  const [below, above] = [Math.max(0, probability - halfWidth), probability + halfWidth];
  return {
    kind: "percentile",
    value,
    low: quantileOfSorted(sorted, below),
    // The last of n values stands for the share 1 - 1 / n and all above.
    ...(above <= 1 - 1 / n && { high: quantileOfSorted(sorted, above) }),
    n,
  };
}

/** Half the 95 % CI of the share of calls up to a value; undefined of one environment. */
function shareHalfWidth(units: Series["units"], value: number): number | undefined {
  const measured = units.filter(({ values }) => values.length > 0);
  const k = measured.length;
  if (k < 2) return undefined;
  const counts = measured.map(({ values }) => ({
    up: values.filter((each) => each <= value).length,
    all: values.length,
  }));
  const calls = counts.reduce((sum, { all }) => sum + all, 0);
  const share = counts.reduce((sum, { up }) => sum + up, 0) / calls;
  const squares = counts.reduce((sum, { up, all }) => sum + (up - share * all) ** 2, 0);
  const error = (Math.sqrt(squares / k / (k - 1)) * k) / calls;
  return studentTQuantile(0.025, k - 1) * error;
}
