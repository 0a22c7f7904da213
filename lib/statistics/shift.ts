import { ascending, type Insufficient, insufficient, medianOfSorted } from "./order-statistics.ts";

interface MannWhitney {
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

/** Two-sided, of U from n values a against m values b without ties. */
export function exactPValue(u: number, n: number, m: number): number {
  const probabilities = exactDistribution(n, m);
  const upper = Math.max(u, n * m - u);
  let tail = 0;
  for (let at = upper; at <= n * m; at++) tail += probabilities[at] as number;
  return Math.min(1, 2 * tail);
}

/**
 * P(U = u) for u from 0 to n m. The largest of all values belongs to a with n / (n + m) and then
 * beats all m of b: a recursion in sums of positive numbers, without cancellation.
 */
function exactDistribution(n: number, m: number): Float64Array {
  const size = n * m + 1;
  let fewer = Array.from({ length: m + 1 }, () => pointAtZero(size));
  for (let ofA = 1; ofA <= n; ofA++) {
    const current = [pointAtZero(size)];
    for (let ofB = 1; ofB <= m; ofB++) {
      const previous = current[ofB - 1] as Float64Array;
      current.push(mixed(fewer[ofB] as Float64Array, previous, ofA, ofB));
    }
    fewer = current;
  }
  return fewer[m] as Float64Array;
}

function mixed(withoutA: Float64Array, withoutB: Float64Array, ofA: number, ofB: number) {
  const result = new Float64Array(withoutA.length);
  const shareA = ofA / (ofA + ofB);
  for (let u = 0; u <= ofA * ofB; u++) {
    const beaten = u >= ofB ? (withoutA[u - ofB] as number) : 0;
    result[u] = shareA * beaten + (1 - shareA) * (withoutB[u] as number);
  }
  return result;
}

function pointAtZero(size: number): Float64Array {
  const distribution = new Float64Array(size);
  distribution[0] = 1;
  return distribution;
}

/**
 * Two-sided, by the normal approximation with continuity correction; `tieTerm` is the sum of t^3 - t over
 * groups of t equal values.
 */
export function asymptoticPValue(u: number, n: number, m: number, tieTerm: number): number {
  const total = n + m;
  const variance = ((n * m) / 12) * (total + 1 - tieTerm / (total * (total - 1)));
  if (variance <= 0) return 1;
  const distance = Math.abs(u - (n * m) / 2) - 0.5;
  return Math.min(1, 2 * normalTail(distance / Math.sqrt(variance)));
}

/**
 * P(Z > z) of the standard normal distribution, to about 1e-13 relative. Below z = 3 by the
 * series of the error function, above by the continued fraction of its complement, where the
 * series would lose its digits to cancellation (Abramowitz and Stegun 26.2.11 and 26.2.14).
 */
export function normalTail(z: number): number {
  if (z < 0) return 1 - normalTail(-z);
  const density = Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
  return z < 3 ? 0.5 - density * centralSeries(z) : density / tailFraction(z);
}

function centralSeries(z: number): number {
  let term = z;
  let sum = z;
  for (let odd = 3; term > sum * 1e-17; odd += 2) {
    term *= (z * z) / odd;
    sum += term;
  }
  return sum;
}

function tailFraction(z: number): number {
  let fraction = z;
  for (let step = 150; step >= 1; step--) fraction = z + step / fraction;
  return fraction;
}
