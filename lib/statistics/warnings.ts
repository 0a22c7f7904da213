import {
  ascending,
  type Insufficient,
  insufficient,
  median,
  medianInterval,
  quantileOfSorted,
} from "./order-statistics.ts";
import { type EnvironmentMedian, environmentMedians, type Series } from "./series.ts";
import { mannWhitney } from "./shift.ts";

/** A reason to read a number with care; it travels with the number. */
export type Warning =
  | { readonly kind: "too-few-environments"; readonly n: number; readonly needed: number }
  | {
      readonly kind: "drift";
      /** Median of the later half of the blocks over that of the earlier half. */
      readonly laterToEarlier: number;
      readonly pValue: number;
    }
  | {
      readonly kind: "wide-interval";
      /** The interval's width over the median. */
      readonly relativeWidth: number;
    }
  | { readonly kind: "far-outliers"; readonly count: number; readonly n: number };

/** A drift is told when chance alone shows it in one series of a hundred and it is worth telling. */
const driftPValue = 0.01;
const driftLeast = 0.05;
/** An interval wider than this share of its median cannot place a difference of a quarter. */
const widestInterval = 0.25;
/** Below this many a half, no outcome of the test reaches driftPValue. */
const neededForHalf = 5;

/**
 * What is to be said of a series before its median is read. Of the number of modes nothing is
 * said: with tens of environments the tests for it have no power.
 */
export function findWarnings(series: Series): readonly Warning[] {
  const environments = environmentMedians(series);
  const values = environments.map((environment) => environment.median);
  const interval = medianInterval(values);
  if (interval.kind === "insufficient") {
    return [{ kind: "too-few-environments", n: interval.n, needed: interval.needed }];
  }
  const warnings: Warning[] = [...findDrift(environments)];
  const relativeWidth = (interval.high - interval.low) / Math.abs(interval.median);
  if (relativeWidth > widestInterval) warnings.push({ kind: "wide-interval", relativeWidth });
  const outliers = farOut(values);
  if (outliers.kind === "outliers" && outliers.indices.length > 0) {
    warnings.push({ kind: "far-outliers", count: outliers.indices.length, n: values.length });
  }
  return warnings;
}

/** The first half of the blocks against the second; with an odd number the middle one is in neither. */
function findDrift(environments: readonly EnvironmentMedian[]): readonly Warning[] {
  const blocks = [...new Set(environments.map((environment) => environment.block))];
  const half = Math.floor(blocks.length / 2);
  const earlier = valuesIn(environments, new Set(blocks.slice(0, half)));
  const later = valuesIn(environments, new Set(blocks.slice(blocks.length - half)));
  if (Math.min(earlier.length, later.length) < neededForHalf) return [];
  const test = mannWhitney(later, earlier);
  const laterToEarlier = median(later) / median(earlier);
  const isLarge = Math.abs(laterToEarlier - 1) >= driftLeast;
  if (test.kind !== "mann-whitney" || test.pValue >= driftPValue || !isLarge) return [];
  return [{ kind: "drift", laterToEarlier, pValue: test.pValue }];
}

function valuesIn(
  environments: readonly EnvironmentMedian[],
  blocks: ReadonlySet<number>,
): readonly number[] {
  return environments.flatMap(({ block, median: value }) => (blocks.has(block) ? [value] : []));
}

interface Outliers {
  readonly kind: "outliers";
  /** Places in the values as given. */
  readonly indices: readonly number[];
  readonly lowFence: number;
  readonly highFence: number;
}

const fenceWidths = 3;
const neededForQuartiles = 6;

/**
 * Values beyond Tukey's outer fences, three interquartile ranges past the quartiles (Exploratory
 * Data Analysis, 1977: "far out"). They are flagged and stay in every statistic: a slow start is
 * part of what Lambda does, and medians do not mind. Fences in the unit of the values.
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
