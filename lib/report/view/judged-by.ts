import { warmOperationsOf } from "../../contract/operations-of.ts";
import type { Plan } from "../../contract/types/contract.ts";

/**
 * The warm operation that a variant's size is chosen by: the one that is measured cold too, where it
 * is work and the variant makes it; else the variant's first.
 */
export function judgedBy(plan: Plan, variant: string): string | undefined {
  const made = warmOperationsOf(plan, variant);
  const work = made.filter((operation) => operation !== "noop");
  return work.includes(plan.coldOperation) ? plan.coldOperation : (work[0] ?? made[0]);
}
