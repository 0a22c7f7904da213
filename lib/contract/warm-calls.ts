import type { Plan } from "./types/contract.ts";

/** Calls of one warm operation in an environment, those at the beginning that count in nothing included. */
export interface WarmCalls {
  readonly calls: number;
  readonly discarded: number;
}

/** As many calls are kept of every operation; one may need more warm-up before them than the others. */
export function warmCallsOf(
  { sizes, requests }: Pick<Plan, "sizes" | "requests">,
  operation: string,
): WarmCalls {
  const discarded = requests?.[operation]?.discardedCalls ?? sizes.discardedCalls;
  return { calls: sizes.warmCalls - sizes.discardedCalls + discarded, discarded };
}
