/**
 * Returns an ascending copy. Throws RangeError on a value that is not a finite number: missing values must be removed
 * first, not sorted among the measured ones.
 */
export function ascending(values: readonly number[]): Float64Array {
  const sorted = new Float64Array(values);
  for (const value of sorted) {
    if (!Number.isFinite(value)) throw new RangeError(`values: found ${value}; allowed: finite`);
  }
  return sorted.sort();
}

/**
 * Returns the sample quantile of type 7 by Hyndman and Fan ("Sample quantiles in statistical packages", The American
 * Statistician 50(4), 1996): linear between the order statistics, at (n - 1) p, in the unit of the values. Throws
 * RangeError without values or with a probability outside 0 to 1.
 */
export function quantileType7(values: readonly number[], probability: number): number {
  return quantileOfSorted(ascending(values), probability);
}

/** Same as quantileType7, for values that are already ascending. */
export function quantileOfSorted(sorted: Float64Array, probability: number): number {
  if (sorted.length === 0) throw new RangeError("values: found none; allowed: one or more");
  if (!(probability >= 0 && probability <= 1)) {
    throw new RangeError(`probability: found ${probability}; allowed: 0 to 1`);
  }
  const position = (sorted.length - 1) * probability;
  const index = Math.floor(position);
  const lower = sorted[index] as number;
  const upper = sorted[index + 1] ?? lower;
  return lower + (position - index) * (upper - lower);
}

/**
 * Same as quantileType7, for finite values, without a full sort: it reorders them in place. A bootstrap takes two
 * quantiles of ten thousand draws, and sorting took a third of its time.
 */
export function quantileBySelection(values: Float64Array, probability: number): number {
  const index = Math.floor((values.length - 1) * probability);
  placeRank(values, index);
  placeLeast(values, index + 1);
  return quantileOfSorted(values, probability);
}

/** Moves the smallest of the values from a place on to that place. */
function placeLeast(values: Float64Array, place: number): void {
  let least = place;
  for (let index = place + 1; index < values.length; index++) {
    if ((values[index] as number) < (values[least] as number)) least = index;
  }
  if (least < values.length) swapPlaces(values, place, least);
}

function swapPlaces(values: Float64Array, one: number, other: number): void {
  const first = values[one] as number;
  values[one] = values[other] as number;
  values[other] = first;
}

/**
 * Moves the value of a rank to its place in sorted order, with no larger value before it and no smaller one after it
 * (Hoare, "Algorithm 65: Find", CACM 4(7), 1961).
 */
function placeRank(values: Float64Array, rank: number): void {
  let first = 0;
  let last = values.length - 1;
  while (first < last) {
    const pivot = pivotFor(values, rank, first, last);
    let from = first;
    let to = last;
    while (from <= to) {
      while ((values[from] as number) < pivot) from++;
      while ((values[to] as number) > pivot) to--;
      if (from > to) break;
      swapPlaces(values, from++, to--);
    }
    if (rank <= to) last = to;
    else if (rank >= from) first = from;
    else return;
  }
}

/** Below this many values the middle one is a good enough pivot. */
const fewestToSample = 512;
const sampled = 64;
/** Number of places by which the pivot is moved towards the middle, so that the rank ends up on its shorter side. */
const margin = 2;

/**
 * Returns a pivot from a sample, a little nearer to the middle than the rank: few values then remain around a rank
 * near an end (Floyd and Rivest, "Expected time bounds for selection", CACM 18(3), 1975).
 */
function pivotFor(values: Float64Array, rank: number, first: number, last: number): number {
  const count = last - first + 1;
  if (count < fewestToSample) return values[(first + last) >> 1] as number;
  const step = count / sampled;
  const sample = new Float64Array(sampled);
  for (let index = 0; index < sampled; index++) {
    sample[index] = values[first + Math.floor(index * step)] as number;
  }
  sample.sort();
  const place = Math.floor((rank - first) / step);
  const towardsMiddle = place < sampled / 2 ? place + margin : place - margin;
  return sample[towardsMiddle] as number;
}

/** Returns the middle value, or the mean of the two middle ones. Throws RangeError without values. */
export function median(values: readonly number[]): number {
  return medianOfSorted(ascending(values));
}

/** Same as median, for values that are already ascending. */
export function medianOfSorted(sorted: Float64Array): number {
  const upper = sorted[sorted.length >> 1];
  if (upper === undefined) throw new RangeError("values: found none; allowed: one or more");
  if (sorted.length % 2 === 1) return upper;
  return ((sorted[sorted.length / 2 - 1] as number) + upper) / 2;
}

interface MedianInterval {
  readonly kind: "median-interval";
  readonly median: number;
  readonly low: number;
  readonly high: number;
  /** Confidence of the interval; it may exceed the requested one, because order statistics are discrete. */
  readonly confidence: number;
  readonly n: number;
}

const requestedConfidence = 0.95;
/** Fewest values: even the whole range of five covers the median with only 93.75%. */
const neededForInterval = 6;

/**
 * Returns the median with its exact, distribution-free confidence interval of at least 95%: from the k-th smallest to
 * the k-th largest value, with the largest k that the binomial(n, 1/2) allows (Conover, Practical Nonparametric
 * Statistics, 3rd edition, section 3.2). The values must come from different environments: values of one environment
 * are not independent.
 */
export function medianInterval(values: readonly number[]): MedianInterval | Insufficient {
  const n = values.length;
  if (n < neededForInterval) return insufficient(neededForInterval, n);
  const sorted = ascending(values);
  const { rank, confidence } = intervalRank(n);
  return {
    kind: "median-interval",
    median: medianOfSorted(sorted),
    low: sorted[rank - 1] as number,
    high: sorted[n - rank] as number,
    confidence,
    n,
  };
}

/**
 * Same as medianInterval, at 95% for any n: it interpolates between the intervals of two neighbouring ranks, one
 * above and one below the requested confidence, which is exact for symmetric and nearly exact for other distributions
 * (Hettmansperger and Sheather, "Confidence intervals based on interpolated order statistics", Statistics and
 * Probability Letters 4, 1986).
 */
export function interpolatedMedianInterval(
  values: readonly number[],
): MedianInterval | Insufficient {
  const n = values.length;
  if (n < neededForInterval) return insufficient(neededForInterval, n);
  const sorted = ascending(values);
  const { rank, confidence, next } = intervalRank(n);
  const share = (confidence - requestedConfidence) / (confidence - next);
  const weight = ((n - rank) * share) / (rank + (n - 2 * rank) * share);
  // Starting from the outer value keeps equal values exact to the last bit.
  const between = (outer: number, inner: number) =>
    (sorted[outer] as number) + weight * ((sorted[inner] as number) - (sorted[outer] as number));
  return {
    kind: "median-interval",
    median: medianOfSorted(sorted),
    low: between(rank - 1, rank),
    high: between(n - rank, n - rank - 1),
    confidence: requestedConfidence,
    n,
  };
}

/** Returns the largest k with P(binomial(n, 1/2) < k) at most 2.5%, for n >= 6. `next` is the confidence at k + 1. */
function intervalRank(n: number): {
  readonly rank: number;
  readonly confidence: number;
  readonly next: number;
} {
  // Logarithms, because 2 to the power -n is 0 in a double for n above 1,074.
  let logProbability = -n * Math.LN2;
  let below = Math.exp(logProbability);
  let rank = 1;
  for (;;) {
    logProbability += Math.log((n - rank + 1) / rank);
    const next = below + Math.exp(logProbability);
    if (2 * next > 1 - requestedConfidence)
      return { rank, confidence: 1 - 2 * below, next: 1 - 2 * next };
    below = next;
    rank++;
  }
}

/**
 * Returns the arithmetic mean, the same for any order of the values; undefined without values. Throws RangeError on a
 * value that is not finite.
 */
export function mean(values: readonly number[]): number | undefined {
  if (values.length === 0) return undefined;
  return ascending(values).reduce((sum, value) => sum + value, 0) / values.length;
}

/** The result of too few values: `needed` are required, `n` were given. */
export interface Insufficient {
  readonly kind: "insufficient";
  readonly needed: number;
  readonly n: number;
}

export function insufficient(needed: number, n: number): Insufficient {
  return { kind: "insufficient", needed, n };
}
