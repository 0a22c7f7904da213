import { type Insufficient, insufficient } from "./insufficient.ts";

export interface Percentile {
  readonly kind: "percentile";
  readonly value: number;
  readonly probability: number;
  readonly n: number;
}

/**
 * Values below which a percentile is not stated: at least three values lie beyond it, on average,
 * so that it is not the extreme of the sample under another name.
 */
export const neededForPercentile = { p95: 60, p99: 300 } as const;

const probabilityOf = { p95: 0.95, p99: 0.99 } as const;

/**
 * Ascending copy. Throws RangeError on a value that is no finite number: what was not measured
 * must be left out before, and not sorted among what was.
 */
export function ascending(values: readonly number[]): Float64Array {
  const sorted = Float64Array.from(values);
  for (const value of sorted) {
    if (!Number.isFinite(value)) throw new RangeError(`values: found ${value}; allowed: finite`);
  }
  return sorted.sort();
}

/**
 * The sample quantile of Hyndman and Fan's type 7 ("Sample quantiles in statistical packages",
 * The American Statistician 50(4), 1996): linear between the order statistics, at (n - 1) p.
 * In the unit of the values. Throws RangeError without values or with a probability outside 0 to 1.
 */
export function quantileType7(values: readonly number[], probability: number): number {
  return quantileOfSorted(ascending(values), probability);
}

/** As quantileType7, of values that are ascending already. */
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
 * As quantileType7, of finite values, without sorting all of them: puts them in another order. A
 * bootstrap takes two quantiles of ten thousand draws, and sorting those took a third of its time.
 */
export function quantileBySelection(values: Float64Array, probability: number): number {
  const index = Math.floor((values.length - 1) * probability);
  placeRank(values, index);
  placeRank(values, Math.min(index + 1, values.length - 1));
  return quantileOfSorted(values, probability);
}

/**
 * Puts the value of a rank where sorting would put it, none larger before it, none smaller after
 * it (Hoare, "Algorithm 65: Find", CACM 4(7), 1961).
 */
function placeRank(values: Float64Array, rank: number): void {
  let first = 0;
  let last = values.length - 1;
  while (first < last) {
    const pivot = values[(first + last) >> 1] as number;
    let from = first;
    let to = last;
    while (from <= to) {
      while ((values[from] as number) < pivot) from++;
      while ((values[to] as number) > pivot) to--;
      if (from > to) break;
      const held = values[from] as number;
      values[from++] = values[to] as number;
      values[to--] = held;
    }
    if (rank <= to) last = to;
    else if (rank >= from) first = from;
    else return;
  }
}

/** The middle value, or the mean of the two in the middle. Throws RangeError without values. */
export function median(values: readonly number[]): number {
  return medianOfSorted(ascending(values));
}

/** As median, of values that are ascending already. */
export function medianOfSorted(sorted: Float64Array): number {
  const upper = sorted[sorted.length >> 1];
  if (upper === undefined) throw new RangeError("values: found none; allowed: one or more");
  if (sorted.length % 2 === 1) return upper;
  return ((sorted[sorted.length / 2 - 1] as number) + upper) / 2;
}

/** P95 or P99 (type 7), or insufficient below the values that `neededForPercentile` asks for. */
export function tailPercentile(
  values: readonly number[],
  name: keyof typeof neededForPercentile,
): Percentile | Insufficient {
  const needed = neededForPercentile[name];
  if (values.length < needed) return insufficient(needed, values.length);
  const probability = probabilityOf[name];
  const value = quantileType7(values, probability);
  return { kind: "percentile", value, probability, n: values.length };
}
