import { normalTail } from "./normal-tail.ts";

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
