import type { Plan } from "../../lib/contract/types/contract.ts";
import { estimateRun } from "../../lib/cost/estimate.ts";
import { publishedPrices } from "../../lib/cost/published-prices.ts";
import { localRegion } from "../../lib/local/local-functions.ts";
import { spelt } from "../progress.ts";

/**
 * Tells, when the experiment at an index begins, what remains of the run: the estimate of what is left,
 * taken as much longer or shorter than estimated as what is done was.
 */
export function remainingTime(plans: readonly Plan[]): (index: number) => string {
  // When a rule will end a run is not known before.
  if (plans.some(({ stopping }) => stopping !== undefined)) return () => "";
  const startedMs = performance.now();
  const estimatedMs = (some: readonly Plan[]) =>
    some.reduce((sum, plan) => sum + estimatedMinutes(plan) * 60_000, 0);
  return (index) => {
    const done = estimatedMs(plans.slice(0, index));
    if (done === 0) return "";
    const factor = (performance.now() - startedMs) / done;
    return `, about ${spelt(estimatedMs(plans.slice(index)) * factor)} left in all`;
  };
}

function estimatedMinutes(plan: Plan): number {
  const estimated = estimateRun(plan, { region: localRegion, prices: publishedPrices });
  return estimated.kind === "estimated" ? estimated.estimate.minutes : 0;
}
