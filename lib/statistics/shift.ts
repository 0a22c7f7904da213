import { type Insufficient, insufficient } from "./insufficient.ts";
import { asymptoticPValue, exactPValue } from "./mann-whitney-p-value.ts";
import { ascending, medianOfSorted } from "./quantile.ts";

export interface MannWhitney {
  readonly kind: "mann-whitney";
  /** Pairs (a, b) in which a is larger; an equal pair counts one half. */
  readonly u: number;
  /** Two-sided. */
  readonly pValue: number;
  readonly method: "exact" | "asymptotic";
}

/** Above this many values a side the normal approximation differs in no digit that is printed. */
const exactUpTo = 30;

/**
 * The two-sided Mann-Whitney U test of two sets of environment medians: exact without ties up to 30
 * values a side, otherwise by the normal approximation with tie and continuity correction (Mann
 * and Whitney, Annals of Mathematical Statistics 18, 1947; Lehmann, Nonparametrics, 1975). It takes
 * the values as independent; blocks that both sides share only make it more cautious. Insufficient
 * when a side has no value.
 */
export function mannWhitney(
  a: readonly number[],
  b: readonly number[],
): MannWhitney | Insufficient {
  const fewest = Math.min(a.length, b.length);
  if (fewest === 0) return insufficient(1, fewest);
  const { u, tieTerm } = countedPairs(a, b);
  if (tieTerm === 0 && Math.max(a.length, b.length) <= exactUpTo) {
    return { kind: "mann-whitney", u, pValue: exactPValue(u, a.length, b.length), method: "exact" };
  }
  const pValue = asymptoticPValue(u, a.length, b.length, tieTerm);
  return { kind: "mann-whitney", u, pValue, method: "asymptotic" };
}

/**
 * Holm's step-down correction over a family of p-values, in the order given: each is comparable
 * with the family's error rate itself (Holm, Scandinavian Journal of Statistics 6, 1979).
 */
export function holmAdjusted(pValues: readonly number[]): number[] {
  const order = pValues.map((_, index) => index);
  order.sort((x, y) => (pValues[x] as number) - (pValues[y] as number));
  const adjusted = new Array<number>(pValues.length).fill(1);
  let largest = 0;
  order.forEach((index, step) => {
    largest = Math.max(largest, (pValues[index] as number) * (pValues.length - step));
    adjusted[index] = Math.min(1, largest);
  });
  return adjusted;
}

/**
 * The Hodges-Lehmann shift: the median of every difference a - b, in the unit of the values
 * (Annals of Mathematical Statistics 34, 1963). Throws RangeError when a side has no value.
 */
export function hodgesLehmannShift(a: readonly number[], b: readonly number[]): number {
  const pairs = a.length * b.length;
  if (pairs <= mostListed) return medianOfSorted(ascending(a.flatMap((x) => b.map((y) => x - y))));
  const [xs, ys] = [ascending(a), ascending(b)];
  const [lower, upper] = [Math.floor((pairs + 1) / 2), Math.floor(pairs / 2) + 1];
  return (differenceOfRank(xs, ys, lower) + differenceOfRank(xs, ys, upper)) / 2;
}

/** Above as many differences none is held: ten thousand values a side make a hundred million. */
const mostListed = 1_000_000;

/** The difference x - y of that rank, from 1: bisected among the numbers of 64 bits, so exact. */
function differenceOfRank(xs: Float64Array, ys: Float64Array, rank: number): number {
  let low = (xs[0] as number) - (ys.at(-1) as number);
  if (differencesUpTo(low, xs, ys) >= rank) return low;
  let high = (xs.at(-1) as number) - (ys[0] as number);
  for (;;) {
    const middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) return high;
    if (differencesUpTo(middle, xs, ys) >= rank) high = middle;
    else low = middle;
  }
}

/** Both ascending: what is too large against a y is so against every smaller one. */
function differencesUpTo(limit: number, xs: Float64Array, ys: Float64Array): number {
  let found = 0;
  let from = 0;
  for (const x of xs) {
    while (from < ys.length && x - (ys[from] as number) > limit) from++;
    found += ys.length - from;
  }
  return found;
}

/**
 * Cliff's delta: the share of pairs in which a is larger less the share in which b is, -1 to 1
 * (Cliff, Psychological Bulletin 114, 1993). Throws RangeError when a side has no value.
 */
export function cliffsDelta(a: readonly number[], b: readonly number[]): number {
  const pairs = a.length * b.length;
  if (pairs === 0) throw new RangeError("values: found none; allowed: one or more on either side");
  return (2 * countedPairs(a, b).u) / pairs - 1;
}

/** U of a by midranks, and the sum of t^3 - t over groups of t equal values. */
function countedPairs(a: readonly number[], b: readonly number[]) {
  const all = ascending([...a, ...b]);
  const rankOf = new Map<number, number>();
  let tieTerm = 0;
  for (let first = 0; first < all.length; ) {
    let last = first;
    while (all[last + 1] === all[first]) last++;
    const tied = last - first + 1;
    tieTerm += tied ** 3 - tied;
    rankOf.set(all[first] as number, (first + last) / 2 + 1);
    first = last + 1;
  }
  const rankSum = a.reduce((sum, value) => sum + (rankOf.get(value) as number), 0);
  return { u: rankSum - (a.length * (a.length + 1)) / 2, tieTerm };
}
