import { asymptoticPValue, exactPValue, untiedPValue } from "./mann-whitney-tails.ts";
import { ascending, type Insufficient, insufficient, medianOfSorted } from "./order-statistics.ts";

interface MannWhitney {
  readonly kind: "mann-whitney";
  /** Number of pairs (a, b) in which a is larger; an equal pair counts one half. */
  readonly u: number;
  /** Two-sided p-value. */
  readonly pValue: number;
  readonly method: "exact" | "asymptotic";
}

/**
 * Most pairs with an exact p-value: 60 environments per side, as in the standard presets. The work grows with the
 * square of the pairs: at this size it takes 1.3 million additions, or a few milliseconds.
 */
const mostPairsExact = 60 * 60;

/**
 * The two-sided Mann-Whitney U test of two sets of environment medians (Mann and Whitney, Annals of Mathematical
 * Statistics 18, 1947; Lehmann, Nonparametrics, 1975). It is exact, with and without ties, up to mostPairsExact;
 * above, it uses the normal approximation with tie and continuity correction. It assumes independent values; blocks
 * that both sides share only make it more conservative. Returns Insufficient if a side has no value.
 */
export function mannWhitney(
  a: readonly number[],
  b: readonly number[],
): MannWhitney | Insufficient {
  const [n, m] = [a.length, b.length];
  if (Math.min(n, m) === 0) return insufficient(1, Math.min(n, m));
  const { u, tieTerm, doubledRanks } = countedPairs(a, b);
  if (n * m > mostPairsExact) {
    const pValue = asymptoticPValue(u, n, m, tieTerm);
    return { kind: "mann-whitney", u, pValue, method: "asymptotic" };
  }
  const pValue = tieTerm === 0 ? untiedPValue(u, n, m) : exactPValue(u, n, doubledRanks);
  return { kind: "mann-whitney", u, pValue, method: "exact" };
}

/**
 * Returns the p-values with Holm's step-down correction, in the given order: each can be compared with the family's
 * error rate directly (Holm, Scandinavian Journal of Statistics 6, 1979).
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
 * Returns the Hodges-Lehmann shift: the median of all differences a - b, in the unit of the values (Annals of
 * Mathematical Statistics 34, 1963). Throws RangeError if a side has no value.
 */
export function hodgesLehmannShift(a: readonly number[], b: readonly number[]): number {
  const pairs = a.length * b.length;
  if (pairs <= mostListed) return medianOfSorted(ascending(a.flatMap((x) => b.map((y) => x - y))));
  const [xs, ys] = [ascending(a), ascending(b)];
  const [lower, upper] = [Math.floor((pairs + 1) / 2), Math.floor(pairs / 2) + 1];
  return (differenceOfRank(xs, ys, lower) + differenceOfRank(xs, ys, upper)) / 2;
}

/** Most differences held in memory: ten thousand values per side make a hundred million. */
const mostListed = 1_000_000;

/** Returns the difference x - y of a rank, from 1; exact, by bisection of the doubles. */
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

/** Counts the differences up to a limit, both sides ascending: an x too far above a y is so for every smaller y. */
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
 * Returns Cliff's delta: the share of pairs in which a is larger minus the share in which b is, -1 to 1 (Cliff,
 * Psychological Bulletin 114, 1993). Throws RangeError if a side has no value.
 */
export function cliffsDelta(a: readonly number[], b: readonly number[]): number {
  const pairs = a.length * b.length;
  if (pairs === 0) throw new RangeError("values: found none; allowed: one or more on either side");
  return (2 * countedPairs(a, b).u) / pairs - 1;
}

/**
 * Returns U of a by midranks; twice the midrank of every value of both sides, ascending; and the sum of
 * t^3 - t over groups of t equal values.
 */
function countedPairs(a: readonly number[], b: readonly number[]) {
  const all = ascending([...a, ...b]);
  const doubledRanks = new Float64Array(all.length);
  const doubledRankOf = new Map<number, number>();
  let tieTerm = 0;
  for (let first = 0; first < all.length; ) {
    let last = first;
    while (all[last + 1] === all[first]) last++;
    const tied = last - first + 1;
    tieTerm += tied ** 3 - tied;
    doubledRanks.fill(first + last + 2, first, last + 1);
    doubledRankOf.set(all[first] as number, first + last + 2);
    first = last + 1;
  }
  const doubledSum = a.reduce((sum, value) => sum + (doubledRankOf.get(value) as number), 0);
  return { u: (doubledSum - a.length * (a.length + 1)) / 2, tieTerm, doubledRanks };
}
