import { defined } from "../contract/defined.ts";
import type { Cell } from "../contract/types/contract.ts";
import {
  type Bills,
  equalCost,
  findBills,
  type Interval,
  type PricedSamples,
} from "./billed-cost.ts";
import { variantPairs } from "./cell-pairs.ts";
import { judgedBy } from "./size-choice.ts";

/** The cold share at which two variants of one size cost the same, by the means. */
export interface BreakEven {
  readonly operation: string;
  readonly cell: Cell;
  readonly baselineCell: Cell;
  /** The variant that costs less if no invocation is cold; absent if neither does. */
  readonly cheaperWarm?: string;
  /** The variant that costs less if every invocation is cold. */
  readonly cheaperCold?: string;
  /** The break-even share, 0 to 1; absent if one variant is cheaper at every share. */
  readonly coldShare?: number;
  /**
   * 95% interval, within 0 to 1. Absent with fewer than 6 environments, and if the run does not show which variant
   * gains from more cold starts.
   */
  readonly coldShareInterval?: Interval;
}

/** Compares every variant with the baseline of its size, if the sizes of both are judged by the same operation. */
export function breakEvens(
  inputs: PricedSamples & { readonly baselineVariant: string },
): readonly BreakEven[] {
  const { plan, baselineVariant } = inputs;
  return variantPairs(plan, baselineVariant).flatMap(({ cell, baselineCell }) => {
    const operation = judgedBy(plan, cell.variant);
    if (operation === undefined || operation !== judgedBy(plan, baselineVariant)) return [];
    const own = findBills(inputs, cell, operation);
    const baseline = findBills(inputs, baselineCell, operation);
    if (own === undefined || baseline === undefined) return [];
    const equal = breakEven(own, baseline, plan.seed);
    return equal === undefined ? [] : [{ operation, cell, baselineCell, ...equal }];
  });
}

function breakEven(own: Bills, baseline: Bills, seed: number) {
  const equal = equalCost(own, baseline, seed);
  if (equal === undefined) return undefined;
  const { warmLess, coldLess, coldShare, low, high } = equal;
  const cheaper = (less: number) => (less < 0 ? own : baseline).cell.variant;
  return {
    ...(warmLess !== 0 && { cheaperWarm: cheaper(warmLess) }),
    ...(coldLess !== 0 && { cheaperCold: cheaper(coldLess) }),
    ...defined({ coldShare }),
    ...(low !== undefined && high !== undefined && { coldShareInterval: { low, high } }),
  };
}
