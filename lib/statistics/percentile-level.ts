/** By the environments of the smaller side, the tail at each end of the percentile interval. */
type Tails = readonly (readonly [environments: number, tail: number])[];

/**
 * Whether the blocks of both sides are drawn together, or each side's by itself: together there are
 * fewer draws to be had, which tells with few blocks.
 */
type Pairing = "together" | "apart";

const measuredTails: Readonly<Record<Pairing, Tails>> = {
  together: [
    [6, 0.011],
    [7, 0.014],
    [8, 0.0195],
    [9, 0.028],
    [10, 0.0255],
    [15, 0.033],
    [30, 0.0315],
    [60, 0.031],
    [100, 0.0305],
  ],
  apart: [
    [6, 0.034],
    [8, 0.0325],
    [10, 0.0325],
    [30, 0.035],
    [100, 0.0325],
  ],
};

/**
 * A median that was drawn lies on a value that was measured. Where both sides move with the blocks, the
 * two of a draw move far and nearly together, and what that leaves of a step widens the interval beyond
 * what the ratio spreads: by as much as this factor of the shared drift takes back (decision 0022).
 */
const driftFactor = 1.6;

/**
 * With ever more environments the plain percentile is right: the bootstrap of a quantile is consistent
 * (Bickel and Freedman, "Some asymptotic theory for the bootstrap", Annals of Statistics 9, 1981).
 */
const limitTail = 0.025;

/**
 * The tail of a percentile interval that holds the true ratio of medians in 95 of 100 runs, for n
 * environments, 6 and more, and the drift that both sides share, 0 to 1 (sharedDrift); between two n
 * that were measured linear in 1 / n.
 *
 * The bootstrap distribution of a median takes few values: with six environments its 2.5 % point lies
 * too near, with thirty too far. By how much depends on n and on the drift, and hardly on what else the
 * durations are like (decision 0018), so that the level can be calibrated once (Loh, "Calibrating
 * confidence coefficients", JASA 82, 1987). The expansion by Student's t that is right of means
 * (Hesterberg, The American Statistician 69, 2015) would widen at every n.
 */
export function calibratedTail(environments: number, pairing: Pairing, drift = 0): number {
  return uncorrelatedTail(environments, pairing) * (1 + driftFactor * drift);
}

function uncorrelatedTail(environments: number, pairing: Pairing): number {
  const tails = measuredTails[pairing];
  const after = tails.findIndex(([n]) => n >= environments);
  const [above, high] = tails[after] ?? [Number.POSITIVE_INFINITY, limitTail];
  if (after === 0) return high;
  const [below, low] = tails[after === -1 ? tails.length - 1 : after - 1] ?? [above, high];
  const share = (1 / below - 1 / environments) / (1 / below - 1 / above);
  return low + share * (high - low);
}
