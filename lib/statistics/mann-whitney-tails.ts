/** Cache of P(U <= u) by u, up to the middle, for each pair of sample sizes. */
const knownTails = new Map<string, Float64Array>();

/** Returns the two-sided p-value without ties, which depends only on U and the two sample sizes. */
export function untiedPValue(u: number, n: number, m: number): number {
  const [fewer, more] = n < m ? [n, m] : [m, n];
  const key = `${fewer} ${more}`;
  const tails = knownTails.get(key) ?? untiedTails(fewer, more);
  knownTails.set(key, tails);
  return Math.min(1, 2 * (tails[Math.min(u, n * m - u)] as number));
}

/** Returns P(U <= u) by u: counts the ways to choose `fewer` ranks by the excess of their sum over the smallest one. */
function untiedTails(fewer: number, more: number): Float64Array {
  const sums = Math.floor((fewer * more) / 2) + 1;
  const counts = Array.from({ length: fewer + 1 }, () => new Float64Array(sums));
  (counts[0] as Float64Array)[0] = 1;
  for (let rank = 0; rank < fewer + more; rank++) {
    for (let k = Math.min(fewer, rank + 1); k >= Math.max(1, rank + 1 - more); k--) {
      const [from, to] = [counts[k - 1] as Float64Array, counts[k] as Float64Array];
      const shift = rank + 1 - k;
      for (let sum = shift; sum < sums; sum++) {
        to[sum] = (to[sum] as number) + (from[sum - shift] as number);
      }
    }
  }
  const all = combinations(fewer + more, fewer);
  let ways = 0;
  return (counts[fewer] as Float64Array).map((at) => {
    ways += at;
    return ways / all;
  });
}

/**
 * Returns the two-sided p-value of U for n of the pooled values against the others: over all ways to assign the
 * values to the two sides, twice the smaller share of those with U at most, or at least, as large.
 *
 * @param doubledRanks twice the midrank of every value of both sides, ascending.
 */
export function exactPValue(u: number, n: number, doubledRanks: Float64Array): number {
  const m = doubledRanks.length - n;
  const pairs = n * m;
  // The smaller side has fewer ways to count, and U counted from the other end gives the same.
  const chosen = Math.min(n, m);
  const ofChosen = n <= m ? u : pairs - u;
  const isLow = 2 * ofChosen <= pairs;
  const ranks = isLow ? doubledRanks : doubledRanks.map((rank) => 2 * (n + m + 1) - rank).reverse();
  const rankSum = 2 * Math.min(ofChosen, pairs - ofChosen) + chosen * (chosen + 1);
  const { upTo, at, all } = countWays(ranks, chosen, rankSum);
  return Math.min(1, (2 * Math.min(upTo, all - upTo + at)) / all);
}

/** Numbers of ways to choose so many of the ranks: all, those with at most a given sum, those with exactly that sum. */
interface Ways {
  readonly all: number;
  readonly upTo: number;
  readonly at: number;
}

/**
 * Counts the ways rank by rank (Streitberg and Roehmel, "Exact distributions for permutation and rank tests",
 * Statistical Software Newsletter 12, 1986): counts[k][e] is the number of ways to choose k of the ranks so far with
 * a sum of e steps more than that of the k smallest. A way is followed only while the remaining ranks decide whether
 * it ends below the sum (Mehta, Patel and Tsiatis, Biometrics 40, 1984). Counts are only added, so that no digits are
 * lost to cancellation above 2^53.
 *
 * @param ranks ascending.
 */
function countWays(ranks: Float64Array, chosen: number, sum: number): Ways {
  const total = ranks.length;
  const { steps, step } = inSteps(ranks);
  const below = runningSums(steps);
  const sumFrom = (first: number, count: number) =>
    (below[first + count] as number) - (below[first] as number);
  /** Excess of the sum of the `count` largest ranks over that of `count` ranks from `place` on. */
  const mostOver = (place: number, count: number) =>
    sumFrom(total - count, count) - sumFrom(place, count);
  const limit = (sum - chosen * (ranks[0] as number)) / step - sumFrom(0, chosen);
  /** Steps by k: a way of k ranks with fewer steps ends below the sum, whichever ranks follow. */
  const open = Array.from({ length: chosen + 1 }, (_, k) =>
    Math.max(0, limit - mostOver(k, chosen - k)),
  );
  const counts = Array.from(
    { length: chosen + 1 },
    (_, k) => new Float64Array(Math.min(limit, mostOver(0, k)) + 1),
  );
  (counts[0] as Float64Array)[0] = 1;
  let ended = 0;
  for (let seen = 0; seen < total; seen++) {
    const remaining = total - seen - 1;
    for (let k = Math.min(chosen, seen + 1); k >= Math.max(1, chosen - remaining); k--) {
      const toCome = sumFrom(seen + 1, chosen - k) - sumFrom(k, chosen - k);
      const ending = addShifted(counts[k - 1] as Float64Array, counts[k] as Float64Array, {
        shift: (steps[seen] as number) - (steps[k - 1] as number),
        first: open[k - 1] as number,
        last: sumFrom(seen - k + 1, k - 1) - sumFrom(0, k - 1),
        open: open[k] as number,
        end: limit - toCome,
      });
      if (ending > 0) ended += ending * combinations(remaining, chosen - k);
    }
  }
  const at = (counts[chosen] as Float64Array)[limit] as number;
  return { all: combinations(total, chosen), upTo: ended + at, at };
}

interface Addition {
  readonly shift: number;
  /** Place of the first count that is added. */
  readonly first: number;
  readonly last: number;
  /** Counts shifted to below this place are returned, not added. */
  readonly open: number;
  /** Counts shifted beyond this place are left out. */
  readonly end: number;
}

function addShifted(
  from: Float64Array,
  to: Float64Array,
  { shift, first, last, open, end }: Addition,
): number {
  const stop = Math.min(last, end - shift);
  let below = 0;
  let at = first;
  for (; at <= stop && at + shift < open; at++) below += from[at] as number;
  for (; at <= stop; at++) to[at + shift] = (to[at + shift] as number) + (from[at] as number);
  return below;
}

/** Returns the ranks as whole steps above the smallest rank, with the largest possible step. */
function inSteps(ranks: Float64Array) {
  const smallest = ranks[0] as number;
  const distances = Array.from(ranks, (rank) => rank - smallest);
  const step = distances.reduce(greatestCommonDivisor, 0) || 1;
  return { steps: Int32Array.from(distances, (distance) => distance / step), step };
}

function greatestCommonDivisor(one: number, other: number): number {
  return other === 0 ? one : greatestCommonDivisor(other, one % other);
}

/** Returns the sums of the first 0, 1, 2 ... values. */
function runningSums(values: Int32Array): Int32Array {
  const sums = new Int32Array(values.length + 1);
  values.forEach((value, index) => {
    sums[index + 1] = (sums[index] as number) + value;
  });
  return sums;
}

function combinations(of: number, chosen: number): number {
  let ways = 1;
  for (let k = 1; k <= chosen; k++) ways = (ways * (of - chosen + k)) / k;
  return ways;
}

/**
 * Returns the two-sided p-value by the normal approximation with continuity correction; `tieTerm` is the sum of t^3 -
 * t over groups of t equal values.
 */
export function asymptoticPValue(u: number, n: number, m: number, tieTerm: number): number {
  const total = n + m;
  const variance = ((n * m) / 12) * (total + 1 - tieTerm / (total * (total - 1)));
  if (variance <= 0) return 1;
  const distance = Math.abs(u - (n * m) / 2) - 0.5;
  return Math.min(1, 2 * normalTail(distance / Math.sqrt(variance)));
}

/**
 * Returns P(Z > z) of the standard normal distribution, to about 1e-13 relative. It uses the series of the error
 * function below z = 3, and above it the continued fraction of its complement, because the series would lose digits
 * to cancellation there (Abramowitz and Stegun 26.2.11 and 26.2.14).
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
