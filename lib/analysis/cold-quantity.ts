import type { Plan } from "../contract/types/contract.ts";

export type ColdQuantity = "initAndDurationMs" | "durationMs";

/**
 * What a cold start is compared by. On Lambda it is Init and the first Duration together. An Init on one machine is
 * the start of a process and no more: published Inits are up to eleven times as long (docs/prediction.md), so that a
 * sum with it would be of neither place. There it is the first Duration alone.
 */
export function coldQuantity({ target }: Pick<Plan, "target">): ColdQuantity {
  return target === "local" ? "durationMs" : "initAndDurationMs";
}
