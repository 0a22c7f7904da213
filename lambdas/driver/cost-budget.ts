import type { Plan } from "../../lib/contract/types/contract.ts";
import type { PricedRegion } from "../../lib/run/estimated-plan.ts";
import { estimateWithin } from "./preflight.ts";

/**
 * The plans with no more blocks than all of them together may cost, by the estimate; those without a
 * stopping rule stay whole. What the rule measures in any case is checked against the amount before.
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
  // The largest number of blocks that fits: what the rule measures in any case is known to.
  let fitting = 0;
  let tooMany = Math.max(...plans.map(({ blocks }) => blocks.length)) + 1;
  while (tooMany - fitting > 1) {
    const middle = (fitting + tooMany) >> 1;
    if (fits(middle)) fitting = middle;
    else tooMany = middle;
  }
  return bounded(fitting);
}

/** Only the blocks limit the dollars: if calls are faster than expected, more of them fit into the minutes. */
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
