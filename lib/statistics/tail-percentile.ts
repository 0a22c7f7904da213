import { defined } from "../contract/defined.ts";
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
  /** 95% CI. `high` is absent if it lies beyond the longest call; both are absent with calls of only one environment. */
  readonly low?: number;
  readonly high?: number;
  readonly n: number;
}

/** Fewest values for a percentile: on average three or more lie beyond it, so that it is not the sample's extreme. */
const neededForPercentile = { p95: 60, p99: 300 } as const;

const probabilityOf = { p95: 0.95, p99: 0.99 } as const;

/**
 * tailPercentile returns P95 or P99 over all calls (type 7) with its 95% CI, in the unit of the values, or
 * Insufficient below `neededForPercentile`. The interval is Woodruff's, for clusters: the share of calls up to the
 * percentile varies between environments, and its standard error, times Student's t, bounds the percentile (Woodruff,
 * "Confidence intervals for medians and other position measures", JASA 47, 1952).
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
    // The last of n values represents the share from 1 - 1 / n up.
    ...(above <= 1 - 1 / n && { high: quantileOfSorted(sorted, above) }),
    n,
  };
}

/**
 * Returns the half-width of the interval for the share of calls up to a value, with probability `tail` beyond each
 * end; undefined for one environment.
 */
function shareHalfWidth(units: Series["units"], value: number, tail = 0.025): number | undefined {
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
  return studentTQuantile(tail, k - 1) * error;
}

/** One-sided 95% bounds of a percentile; a bound is absent if there are too few calls for it. */
interface PercentileBounds {
  /** Number of environments with a call. */
  readonly environments: number;
  readonly atLeast?: number;
  readonly atMost?: number;
  /** Number of environments that an upper bound needs, with as many calls each as these have. */
  readonly environmentsNeeded: number;
}

const boundTail = 0.05;

/**
 * percentileBounds returns a lower and an upper bound of P95 or P99, each with 95% confidence, in the unit of the
 * values. With one call per environment they are order statistics by the binomial distribution, whatever the calls'
 * distribution: the longest of 59 exceeds P95 with 95% (Hahn and Meeker, "Statistical Intervals", 1991, 5.2). With
 * several calls they are the wider of those and of Woodruff's for clusters (see tailPercentile), and
 * environmentsNeeded assumes independent calls.
 */
export function percentileBounds(
  { units }: Series,
  name: keyof typeof neededForPercentile,
): PercentileBounds {
  const measured = units.filter(({ values }) => values.length > 0);
  const sorted = ascending(measured.flatMap(({ values }) => values));
  const [n, environments] = [sorted.length, measured.length];
  const probability = probabilityOf[name];
  const callsNeeded = Math.ceil(Math.log(boundTail) / Math.log(probability));
  const perEnvironment = n === 0 ? 1 : n / environments;
  const environmentsNeeded = Math.max(2, Math.ceil(callsNeeded / perEnvironment));
  if (environments < 2) return { environments, environmentsNeeded };
  const { low, high } = binomialRanks(n, probability);
  const half = n === environments ? 0 : clusterHalfWidth(measured, sorted, probability);
  const up = Math.max(high, half === 0 ? 0 : Math.ceil(n * (probability + half)));
  const down = Math.min(low, half === 0 ? n : Math.floor(n * (probability - half)));
  const [atLeast, atMost] = [sorted[down - 1], sorted[up - 1]];
  return {
    environments,
    environmentsNeeded,
    ...defined({ atLeast, atMost }),
  };
}

function clusterHalfWidth(
  units: Series["units"],
  sorted: Float64Array,
  probability: number,
): number {
  return shareHalfWidth(units, quantileOfSorted(sorted, probability), boundTail) ?? 1;
}

/** Returns the ranks, from 1, that bound a percentile from below and above, each with 95%; n + 1 if beyond the last. */
function binomialRanks(
  n: number,
  probability: number,
): { readonly low: number; readonly high: number } {
  let below = 0;
  let low = 0;
  for (let calls = 0; calls <= n; calls += 1) {
    // `below` is the probability that fewer than `calls` of n lie below the percentile.
    if (below <= boundTail) low = calls;
    if (below >= 1 - boundTail) return { low, high: calls };
    below += binomialProbability(n, calls, probability);
  }
  return { low, high: n + 1 };
}

function binomialProbability(n: number, k: number, p: number): number {
  return Math.exp(logChoose(n, k) + k * Math.log(p) + (n - k) * Math.log1p(-p));
}

function logChoose(n: number, k: number): number {
  return logFactorial(n) - logFactorial(k) - logFactorial(n - k);
}

const logFactorials: number[] = [0];

function logFactorial(n: number): number {
  for (let next = logFactorials.length; next <= n; next += 1) {
    logFactorials.push((logFactorials[next - 1] as number) + Math.log(next));
  }
  return logFactorials[n] as number;
}
