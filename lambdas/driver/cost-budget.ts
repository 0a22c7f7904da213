import type { Plan } from "../../lib/contract/types/contract.ts";
import type { PricedRegion } from "../../lib/run/estimated-plan.ts";
import { estimateWithin } from "./preflight.ts";

/**
 * Limits the number of blocks so that the estimate of all plans together stays within `maxCostUsd`. Plans without a
 * stopping rule are not cut. The caller has already checked that the smallest run is affordable.
 */
export function plansWithin(
  plans: readonly Plan[],
  maxCostUsd: number | undefined,
  where: PricedRegion,
): readonly Plan[] {
  if (maxCostUsd === undefined || plans.every(({ stopping }) => stopping === undefined)) {
    return plans;
  }
  const bounded = (most: number) => plans.map((plan) => boundedPlan(plan, most, maxCostUsd));
  const fits = (most: number) => {
    const { estimate } = estimateWithin(bounded(most).map(untimed), undefined, where);
    return estimate !== undefined && estimate.costUsd <= maxCostUsd;
  };
  // Finds the largest number of blocks that fits. The minimum is known to fit.
  let fitting = 0;
  let tooMany = Math.max(...plans.map(({ blocks }) => blocks.length)) + 1;
  while (tooMany - fitting > 1) {
    const middle = (fitting + tooMany) >> 1;
    if (fits(middle)) fitting = middle;
    else tooMany = middle;
  }
  return bounded(fitting);
}

/** Removes the limit in minutes: if calls are faster than expected, more blocks fit into it and cost more. */
function untimed(plan: Plan): Plan {
  const { stopping } = plan;
  if (stopping === undefined) return plan;
  return { ...plan, stopping: { ...stopping, maxMinutes: Number.POSITIVE_INFINITY } };
}

function boundedPlan(plan: Plan, most: number, maxCostUsd: number): Plan {
  const { stopping } = plan;
  if (stopping === undefined) return plan;
  const count = Math.max(plan.sizes.environments, most);
  if (count >= plan.blocks.length) return { ...plan, stopping: { ...stopping, maxCostUsd } };
  const blocks = plan.blocks.slice(0, count);
  return { ...plan, blocks, stopping: { ...stopping, maxCostUsd, mostBlocksBy: "maxCostUsd" } };
}
