import type { Plan } from "../contract/types/contract.ts";

/** States what the estimate assumes about a user's functions. Empty for plans of Kelvin's own experiments. */
export function describeUnknownCalls(plans: readonly Plan[]): readonly string[] {
  if (!plans.some(({ ownResults }) => ownResults)) return [];
  return [
    "nothing is known of these functions: the estimate assumes that their calls take as long as those of the dynamodb experiment",
  ];
}
