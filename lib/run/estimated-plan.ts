import { defined } from "../contract/defined.ts";
import { InvalidInput } from "../contract/errors.ts";
import type { Estimate, Plan } from "../contract/types/contract.ts";
import { validated } from "../contract/validate.ts";
import { estimateRun } from "../cost/estimate.ts";
import { describeAbsence, describeNotPriced, type PriceTable } from "../cost/prices.ts";
import { smallestPlan } from "../plan/blocks.ts";
import type { Deployment } from "../plan/deployment.ts";

/** The region of a run, and the prices for its estimate. */
export interface PricedRegion {
  readonly region: string;
  readonly prices: PriceTable;
  /** Inline blocks of each plan in its run. @default those of a run of the estimated plans */
  readonly inlineBlocks?: readonly number[];
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

/** Returns the prices that the stack was deployed with, or undefined if Kelvin's own table had all. */
export function deployedPrices({ prices }: Deployment): PriceTable | undefined {
  return prices === undefined ? undefined : validated("prices", JSON.parse(prices));
}

export interface Estimated {
  readonly estimate?: Estimate;
  /** The estimate without the measured functions and the drivers of trials, whose durations are not known, USD. */
  readonly fixedUsd?: number;
  readonly warnings: readonly string[];
}

/**
 * Returns the estimate of all plans. Throws InvalidInput if it exceeds `maxCostUsd` or that cannot be checked.
 * @param field how the user calls `maxCostUsd`
 */
export function estimateWithin(
  plans: readonly Plan[],
  maxCostUsd: number | undefined,
  where: PricedRegion,
  field = "maxCostUsd",
): Estimated {
  const estimated = estimateRun(plans, where);
  if (estimated.kind === "price-absent") {
    const absence = describeAbsence(estimated, where.prices);
    if (maxCostUsd === undefined) return { warnings: [`no estimate: ${absence}`] };
    throw new InvalidInput(
      field,
      maxCostUsd,
      `no value here, because it cannot be enforced: ${absence}`,
    );
  }
  const { estimate, parts, notPriced } = estimated;
  const fixedUsd = estimate.costUsd - parts.functionsUsd - parts.driverUsd;
  const lacking = describeNotPriced(notPriced, where.region, where.prices);
  if (maxCostUsd !== undefined && notPriced.length > 0) {
    const allowed = `no value here, because it cannot be enforced: the estimate is ${lacking}; a deploy that may call pricing:GetProducts asks for such prices`;
    throw new InvalidInput(field, maxCostUsd, allowed);
  }
  if (maxCostUsd !== undefined && estimate.costUsd > maxCostUsd) {
    // Rounded up, so that the run is allowed with this value.
    const leastUsd = (Math.ceil(100 * estimate.costUsd) / 100).toFixed(2);
    const needed = `at least ${leastUsd}, the estimated cost of this run`;
    throw new InvalidInput(field, maxCostUsd, `${needed}; or ask for fewer cells or calls`);
  }
  if (notPriced.length === 0) return { estimate, fixedUsd, warnings: [] };
  return { estimate, fixedUsd, warnings: [`the estimate is ${lacking}`] };
}
