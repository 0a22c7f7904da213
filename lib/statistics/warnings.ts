import { groupBy } from "../contract/group-by.ts";
import { cpuPeriodMs, shareOnPeriods } from "./cpu-period.ts";
import { normalTail } from "./mann-whitney-tails.ts";
import { intervalOfMeans, subsetsSeed } from "./mean-interval.ts";
import {
  ascending,
  type Insufficient,
  insufficient,
  median,
  quantileOfSorted,
} from "./order-statistics.ts";
import { type EnvironmentValue, environmentMeans, type Series } from "./series.ts";
import { mannWhitney } from "./shift.ts";

/** A reason to read a number with care; reports show it next to the number. */
export type Warning =
  | { readonly kind: "too-few-environments"; readonly n: number; readonly needed: number }
  | {
      readonly kind: "drift";
      /** Median of the later half of the blocks over that of the earlier half. */
      readonly laterToEarlier: number;
      /** P-value of the trend over the blocks. */
      readonly pValue: number;
    }
  | {
      readonly kind: "wide-interval";
      /** Width of the mean's interval divided by the mean. */
      readonly relativeWidth: number;
    }
  | { readonly kind: "far-outliers"; readonly count: number; readonly n: number }
  | {
      /** A few calls are far longer than the others, and the mean depends on how many of them a run happened to see. */
      readonly kind: "long-calls";
      readonly count: number;
      readonly n: number;
      /** Their time in excess of the median, as a share of the time of all calls. */
      readonly timeShare: number;
    }
  | {
      readonly kind: "autocorrelated";
      /** Correlation of neighbouring blocks' ranks, -1 to 1. */
      readonly lag1: number;
      readonly pValue: number;
    }
  | {
      readonly kind: "counts-periods";
      readonly periodMs: number;
      /** Share of the environments, 0 to 1. */
      readonly share: number;
    };

/** A drift is reported if it is large enough to matter and chance shows it in less than one series of a hundred. */
const driftPValue = 0.01;
const driftLeast = 0.05;
/** An interval wider than this share of its mean cannot resolve a difference of 25%. */
const widestInterval = 0.25;
/** With fewer blocks only values that all rise, or all fall, could reach driftPValue. */
const neededForTrend = 7;
/** Limit because every block is compared with every other; only imported logs exceed it. */
const mostForTrend = 1000;
/** Below this many blocks the normal approximation does not hold. */
const neededForCorrelation = 20;

/**
 * Finds the warnings that apply to a series' mean. None concerns the number of modes: with tens of environments the
 * tests for it have no power.
 */
export function findWarnings(series: Series): readonly Warning[] {
  const environments = environmentMeans(series);
  const values = environments.map(({ value }) => value);
  const interval = intervalOfMeans(
    { series: [series], compute: ([mean = 0]) => mean },
    { seed: subsetsSeed },
  );
  if (interval.kind === "insufficient") {
    return [{ kind: "too-few-environments", n: interval.n, needed: interval.needed }];
  }
  const warnings: Warning[] = [
    ...findDrift(environments),
    ...findCorrelation(environments),
    ...findPeriod(values),
  ];
  const relativeWidth = (interval.high - interval.low) / Math.abs(interval.value);
  if (relativeWidth > widestInterval) warnings.push({ kind: "wide-interval", relativeWidth });
  const outliers = farOut(values);
  if (outliers.kind === "outliers" && outliers.indices.length > 0) {
    warnings.push({ kind: "far-outliers", count: outliers.indices.length, n: values.length });
  }
  return [...warnings, ...findLongCalls(series)];
}

/** A mean that depends on fewer long calls is not known to 10%: a count of n varies by its square root. */
const enoughLongCalls = 100;
/** A smaller share of the time does not change a mean by as much as a report calls a difference. */
const leastTimeShare = 0.05;

/** Warns of long calls if environments have several calls; a single call is already an outlier among environments. */
function findLongCalls({ units }: Series): readonly Warning[] {
  const calls = units.flatMap(({ values }) => values);
  if (calls.length === units.length) return [];
  const outliers = farOut(calls);
  if (outliers.kind !== "outliers") return [];
  const long = calls.filter((call) => call > outliers.highFence);
  if (long.length === 0 || long.length >= enoughLongCalls) return [];
  const usual = median(calls);
  const excess = long.reduce((sum, call) => sum + call - usual, 0);
  const timeShare = excess / calls.reduce((sum, call) => sum + call, 0);
  return timeShare < leastTimeShare
    ? []
    : [{ kind: "long-calls", count: long.length, n: calls.length, timeShare }];
}

/** Warns if the blocks rise or fall. The change is from the first half to the second, without an odd middle one. */
function findDrift(environments: readonly EnvironmentValue[]): readonly Warning[] {
  const blocks = [...new Set(environments.map((environment) => environment.block))];
  if (blocks.length < neededForTrend) return [];
  const half = Math.floor(blocks.length / 2);
  const earlier = valuesIn(environments, new Set(blocks.slice(0, half)));
  const later = valuesIn(environments, new Set(blocks.slice(blocks.length - half)));
  const pValue =
    blocks.length > mostForTrend
      ? halvesPValue(later, earlier)
      : trendPValue(byBlock(environments));
  const laterToEarlier = median(later) / median(earlier);
  const isLarge = Math.abs(laterToEarlier - 1) >= driftLeast;
  return pValue < driftPValue && isLarge ? [{ kind: "drift", laterToEarlier, pValue }] : [];
}

function halvesPValue(later: readonly number[], earlier: readonly number[]): number {
  const test = mannWhitney(later, earlier);
  return test.kind === "mann-whitney" ? test.pValue : 1;
}

/**
 * Returns the two-sided p-value of a trend in values in their order: pairs that rise minus pairs that fall, by the
 * normal approximation with continuity correction (Mann, "Nonparametric tests against trend", Econometrica 13, 1945;
 * Kendall, Rank Correlation Methods). Ties make it more conservative.
 */
function trendPValue(values: readonly number[]): number {
  const n = values.length;
  let rises = 0;
  for (let later = 1; later < n; later++) {
    for (let earlier = 0; earlier < later; earlier++) {
      rises += Math.sign((values[later] as number) - (values[earlier] as number));
    }
  }
  const deviation = Math.sqrt((n * (n - 1) * (2 * n + 5)) / 18);
  return Math.min(1, 2 * normalTail((Math.abs(rises) - 1) / deviation));
}

/**
 * Warns if neighbouring blocks are correlated, because an interval assumes independent environments. It correlates
 * each block's rank with the next one's (Wald and Wolfowitz, Annals of Mathematical Statistics 14, 1943), by the
 * normal approximation.
 */
function findCorrelation(environments: readonly EnvironmentValue[]): readonly Warning[] {
  const values = byBlock(environments);
  const n = values.length;
  if (n < neededForCorrelation) return [];
  const sorted = ascending(values);
  const placeOf = new Map(Array.from(sorted, (value, place) => [value, place]));
  const ranks = values.map((value) => (placeOf.get(value) ?? 0) - (n - 1) / 2);
  const sumOf = (of: (rank: number, index: number) => number) =>
    ranks.reduce((sum, rank, index) => sum + of(rank, index), 0);
  const middle = sumOf((rank) => rank) / n;
  const variance = sumOf((rank) => (rank - middle) ** 2);
  const next = (index: number) => (ranks[index + 1] ?? middle) - middle;
  // NaN if all values are equal: neither it nor its p-value is below anything.
  const lag1 = sumOf((rank, index) => (rank - middle) * next(index)) / variance;
  const pValue = normalTail((lag1 + 1 / n) * Math.sqrt(n));
  return pValue < driftPValue ? [{ kind: "autocorrelated", lag1, pValue }] : [];
}

/** Returns one value per block, in the order of the blocks. */
function byBlock(environments: readonly EnvironmentValue[]): readonly number[] {
  return [...groupBy(environments, ({ block }) => block).values()].map((own) =>
    median(own.map(({ value }) => value)),
  );
}

function findPeriod(values: readonly number[]): readonly Warning[] {
  const share = shareOnPeriods(values);
  return share === undefined ? [] : [{ kind: "counts-periods", periodMs: cpuPeriodMs, share }];
}

function valuesIn(
  environments: readonly EnvironmentValue[],
  blocks: ReadonlySet<number>,
): readonly number[] {
  return environments.flatMap(({ block, value }) => (blocks.has(block) ? [value] : []));
}

interface Outliers {
  readonly kind: "outliers";
  /** Indices into the given values. */
  readonly indices: readonly number[];
  readonly lowFence: number;
  readonly highFence: number;
}

const fenceWidths = 3;
const neededForQuartiles = 6;

/**
 * Returns the values beyond Tukey's outer fences, three interquartile ranges past the quartiles (Exploratory Data
 * Analysis, 1977: "far out"). They are flagged and stay in every statistic: a slow start is part of what Lambda does,
 * and of its mean. Fences are in the unit of the values.
 */
export function farOut(values: readonly number[]): Outliers | Insufficient {
  if (values.length < neededForQuartiles) return insufficient(neededForQuartiles, values.length);
  const sorted = ascending(values);
  const lowerQuartile = quantileOfSorted(sorted, 0.25);
  const upperQuartile = quantileOfSorted(sorted, 0.75);
  const reach = fenceWidths * (upperQuartile - lowerQuartile);
  const lowFence = lowerQuartile - reach;
  const highFence = upperQuartile + reach;
  const indices = values.flatMap((value, index) =>
    value < lowFence || value > highFence ? [index] : [],
  );
  return { kind: "outliers", indices, lowFence, highFence };
}
