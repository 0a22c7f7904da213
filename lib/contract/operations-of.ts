import type { Plan } from "./types/contract.ts";

/** The warm operations that a variant's visits make, in the plan's order. */
export function warmOperationsOf(
  { warmOperations, requests }: Pick<Plan, "warmOperations" | "requests">,
  variant: string,
): readonly string[] {
  return warmOperations.filter(
    (operation) => requests?.[operation]?.variants?.includes(variant) ?? true,
  );
}
