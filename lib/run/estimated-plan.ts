import { defined } from "../contract/defined.ts";
import type { Plan } from "../contract/types/contract.ts";
import { estimateRun } from "../cost/estimate.ts";
import type { PriceTable } from "../cost/prices.ts";
import { smallestPlan } from "../plan/blocks.ts";

/** The region of a run, and the prices for its estimate. */
export interface PricedRegion {
  readonly region: string;
  readonly prices: PriceTable;
}

/** Adds the plan's estimate and, with a stopping rule, that of its smallest part; unchanged if a price is missing. */
export function estimatedPlan(plan: Plan, where: PricedRegion): Plan {
  const estimate = estimateOf(plan, where);
  const { stopping } = plan;
  if (estimate === undefined) return plan;
  if (stopping === undefined) return { ...plan, estimate };
  const leastEstimate = estimateOf(smallestPlan(plan), where);
  return { ...plan, estimate, stopping: { ...stopping, ...defined({ leastEstimate }) } };
}

function estimateOf(plan: Plan, where: PricedRegion): Plan["estimate"] {
  const estimated = estimateRun(plan, where);
  return estimated.kind === "estimated" ? estimated.estimate : undefined;
}
