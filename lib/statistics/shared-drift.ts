import { median } from "./quantile.ts";
import type { EnvironmentMedian } from "./series.ts";

/**
 * How far the blocks that two series share move both, 0 to 1: 0 where a block says nothing of the
 * other side, 1 where both lie above their medians in the same blocks. The quadrant correlation
 * (Blomqvist, Annals of Mathematical Statistics 21, 1950), squared, less what chance makes of so many
 * blocks; 0 where the two move against each other.
 */
export function sharedDrift(
  numerator: readonly EnvironmentMedian[],
  denominator: readonly EnvironmentMedian[],
): number {
  const [above, below] = [sidesByBlock(numerator), sidesByBlock(denominator)];
  let shared = 0;
  let agreement = 0;
  for (const [block, side] of above) {
    const other = below.get(block);
    if (other === undefined) continue;
    shared += 1;
    agreement += Math.sign(side) * Math.sign(other);
  }
  if (agreement <= 0) return 0;
  return Math.max(0, (agreement / shared) ** 2 - 1 / shared);
}

/** Above 0 where most environments of the block lie above the median of all, below it below. */
function sidesByBlock(environments: readonly EnvironmentMedian[]): ReadonlyMap<number, number> {
  const middle = median(environments.map((environment) => environment.median));
  const sides = new Map<number, number>();
  for (const { block, median: value } of environments) {
    sides.set(block, (sides.get(block) ?? 0) + Math.sign(value - middle));
  }
  return sides;
}
