/** What a reader means to send a function: what costs are stated for. */
export interface Traffic {
  /** Share of the invocations that are cold, between 0 and 1. */
  readonly coldShare: number;
  readonly invocationsPerMonth: number;
}

/** One invocation in a hundred is cold, and there are a million a month. */
export const defaultTraffic: Traffic = { coldShare: 0.01, invocationsPerMonth: 1_000_000 };
