import { type Insufficient, insufficient } from "./insufficient.ts";
import { ascending, medianOfSorted } from "./quantile.ts";

export interface MedianInterval {
  readonly kind: "median-interval";
  readonly median: number;
  readonly low: number;
  readonly high: number;
  /** What the interval reaches, at least what was asked for: order statistics come in steps. */
  readonly confidence: number;
  readonly n: number;
}

const asked = 0.95;
/** With five values even their whole range holds the median with 93.75 % only. */
const neededForInterval = 6;

/**
 * The median with its exact, distribution-free interval of at least 95 %: from the k-th smallest
 * to the k-th largest value, k as large as the binomial(n, 1/2) allows (Conover, Practical
 * Nonparametric Statistics, 3rd edition, section 3.2). In the unit of the values, which must come
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

/** The largest k of which P(binomial(n, 1/2) < k) is at most half of 5 %; n at least 6. */
function intervalRank(n: number): { readonly rank: number; readonly confidence: number } {
  // By logarithms, because 2 to the power -n is 0 in a double for n above 1,074.
  let logProbability = -n * Math.LN2;
  let below = Math.exp(logProbability);
  let rank = 1;
  for (;;) {
    logProbability += Math.log((n - rank + 1) / rank);
    const next = below + Math.exp(logProbability);
    if (2 * next > 1 - asked) return { rank, confidence: 1 - 2 * below };
    below = next;
    rank++;
  }
}
