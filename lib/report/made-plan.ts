import { firstBlocks } from "../contract/first-blocks.ts";
import type { Manifest, Plan } from "../contract/types/contract.ts";
import type { CollectedSamples } from "./collect/collect-samples.ts";

/**
 * The plan as far as it was carried out. Under a stopping rule a plan has the most blocks that there may
 * be: those after the rule's end were never to be made, and none of their samples is missing.
 */
export function madePlan(
  plan: Plan,
  { stopping }: Pick<Manifest, "stopping">,
  { begunBlocks }: Pick<CollectedSamples, "begunBlocks">,
): Plan {
  if (plan.stopping === undefined) return plan;
  const least = plan.sizes.environments;
  return firstBlocks(plan, Math.max(least, begunBlocks, stopping?.blocks ?? 0));
}
