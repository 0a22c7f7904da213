/**
 * Ascending copy. Throws RangeError on a value that is not a finite number: missing values must be left
 * out before, not sorted among the measured ones.
 */
export function ascending(values: readonly number[]): Float64Array {
  const sorted = new Float64Array(values);
  for (const value of sorted) {
    if (!Number.isFinite(value)) throw new RangeError(`values: found ${value}; allowed: finite`);
  }
  return sorted.sort();
}

/**
 * The sample quantile of Hyndman and Fan's type 7 ("Sample quantiles in statistical packages",
 * The American Statistician 50(4), 1996): linear between the order statistics, at (n - 1) p.
 * It is in the unit of the values. Throws RangeError without values or with a probability outside 0 to 1.
 */
export function quantileType7(values: readonly number[], probability: number): number {
  return quantileOfSorted(ascending(values), probability);
}

/** quantileType7 of values that are already ascending. */
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
 * quantileType7 of finite values without a full sort; reorders them in place. A bootstrap takes two
 * quantiles of ten thousand draws, and sorting those took a third of its time.
 */
export function quantileBySelection(values: Float64Array, probability: number): number {
  const index = Math.floor((values.length - 1) * probability);
  placeRank(values, index);
  placeLeast(values, index + 1);
  return quantileOfSorted(values, probability);
}

/** Moves the least of the values from a place on to that place. */
function placeLeast(values: Float64Array, place: number): void {
  let least = place;
  for (let index = place + 1; index < values.length; index++) {
    if ((values[index] as number) < (values[least] as number)) least = index;
  }
  if (least < values.length) swapPlaces(values, place, least);
}

function swapPlaces(values: Float64Array, one: number, other: number): void {
  const held = values[one] as number;
  values[one] = values[other] as number;
  values[other] = held;
}

/**
 * Moves the value of a rank to where sorting would put it, none larger before it, none smaller after
 * it (Hoare, "Algorithm 65: Find", CACM 4(7), 1961).
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

/** Below this many values the middle one is as good a pivot as any. */
const fewestToSample = 512;
const sampled = 64;
/** Places in the sample towards the middle: the rank should end up on the pivot's shorter side. */
const margin = 2;

/**
 * A pivot from a sample, a little nearer to the middle than the rank: a rank near an end then has few
 * values left around it (Floyd and Rivest, "Expected time bounds for selection", CACM 18(3), 1975).
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

/** The middle value, or the mean of the two in the middle. Throws RangeError without values. */
export function median(values: readonly number[]): number {
  return medianOfSorted(ascending(values));
}

/** Median of values that are already ascending. */
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
  /** Confidence of the interval, at least the requested one: order statistics are discrete. */
  readonly confidence: number;
  readonly n: number;
}

const asked = 0.95;
/** Below six values even their whole range covers the median with only 93.75%. */
const neededForInterval = 6;

/**
 * The median with its exact, distribution-free interval of at least 95%: from the k-th smallest
 * to the k-th largest value, k as large as the binomial(n, 1/2) allows (Conover, Practical
 * Nonparametric Statistics, 3rd edition, section 3.2). It is in the unit of the values, which must come
 * from different environments: values of one environment are not independent.
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
 * medianInterval at 95% for any n: interpolates between the intervals of two neighbouring ranks, one that
 * covers the median more often than requested and one that does less often, which is right for symmetric
 * and nearly right for other distributions (Hettmansperger and Sheather, "Confidence intervals based on
 * interpolated order statistics", Statistics and Probability Letters 4, 1986).
 */
export function interpolatedMedianInterval(
  values: readonly number[],
): MedianInterval | Insufficient {
  const n = values.length;
  if (n < neededForInterval) return insufficient(neededForInterval, n);
  const sorted = ascending(values);
  const { rank, confidence, next } = intervalRank(n);
  const share = (confidence - asked) / (confidence - next);
  const weight = ((n - rank) * share) / (rank + (n - 2 * rank) * share);
  // Starting at the outer value gives equal values back to the last bit.
  const between = (outer: number, inner: number) =>
    (sorted[outer] as number) + weight * ((sorted[inner] as number) - (sorted[outer] as number));
  return {
    kind: "median-interval",
    median: medianOfSorted(sorted),
    low: between(rank - 1, rank),
    high: between(n - rank, n - rank - 1),
    confidence: asked,
    n,
  };
}

/** The largest k with P(binomial(n, 1/2) < k) at most half of 5%, for n of 6 and more. `next`: confidence of k + 1. */
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
    if (2 * next > 1 - asked) return { rank, confidence: 1 - 2 * below, next: 1 - 2 * next };
    below = next;
    rank++;
  }
}

/**
 * The arithmetic mean, in the unit of the values and the same for any order; undefined without values.
 * Throws RangeError on a value that is not finite.
 */
export function mean(values: readonly number[]): number | undefined {
  if (values.length === 0) return undefined;
  return ascending(values).reduce((sum, value) => sum + value, 0) / values.length;
}

/** Too few values: `needed` are required, `n` were given. Returned instead of a number. */
export interface Insufficient {
  readonly kind: "insufficient";
  readonly needed: number;
  readonly n: number;
}

export function insufficient(needed: number, n: number): Insufficient {
  return { kind: "insufficient", needed, n };
}
