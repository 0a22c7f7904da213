import type { Plan } from "../contract/types/contract.ts";
import { countSamples } from "../plan/stopping.ts";
import { estimatedUsdText } from "./estimate.ts";
import { invocationCostUsd } from "./invocation-cost.ts";
import { lambdaPrice, type PriceTable } from "./prices.ts";

/** The price table, and the region in it. */
interface Where {
  readonly region: string;
  readonly prices: PriceTable;
}

/**
 * States what the estimate assumes about a user's functions, whose durations are not known, and what they would cost
 * if each call reached its timeout. Empty for plans of Kelvin's own experiments.
 */
export function describeUnknownCalls(plans: readonly Plan[], where: Where): readonly string[] {
  return plans.filter(({ ownResults }) => ownResults).map((plan) => describePlan(plan, where));
}

function describePlan(plan: Plan, where: Where): string {
  const assumed =
    "nothing is known of these functions: the estimate assumes that their calls take as long as those of the dynamodb experiment";
  const costUsd = costAtTimeout(plan, where);
  if (costUsd === undefined) return assumed;
  return `${assumed}; if each call took until its ${plan.timeoutSeconds} s timeout, the functions alone would cost ${estimatedUsdText(costUsd)}`;
}

/** Returns the cost if each call reaches its timeout, USD; undefined if an architecture's price is not known. */
function costAtTimeout(plan: Plan, { region, prices }: Where): number | undefined {
  let sumUsd = 0;
  for (const { id, architecture, memoryMb } of plan.cells) {
    const price = lambdaPrice(prices, region, architecture);
    if (price.kind !== "lambda-price") return undefined;
    const blocks = plan.blocks.map(({ index, trials }) => ({
      index,
      trials: trials.filter(({ cellId }) => cellId === id),
    }));
    const billedDurationMs = plan.timeoutSeconds * 1000;
    sumUsd += countSamples(plan, blocks) * invocationCostUsd({ billedDurationMs, memoryMb }, price);
  }
  return sumUsd;
}
