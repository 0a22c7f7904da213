import type { Plan } from "../../lib/contract/types/contract.ts";
import { smallPlan } from "./small-plan.ts";

/** The event of every call in the plan. */
export const ownEvent = { any: ["JSON", 1] };

/** Returns a plan for a user's function in two environments, with any event and any answer that has `ok: true`. */
export function ownPlan(choice: Parameters<typeof smallPlan>[0] = {}): Plan {
  const plan = smallPlan({ variants: ["python"], cold: 2, warm: 8, ...choice });
  return {
    ...plan,
    coldOperation: "invoke",
    warmOperations: ["invoke"],
    ownResults: true,
    requests: { invoke: { event: ownEvent, answer: { subset: { ok: true } } } },
    blocks: plan.blocks.map((block) => ({
      ...block,
      trials: block.trials.map((trial) => ({ ...trial, warmOrder: ["invoke"] })),
    })),
  };
}
