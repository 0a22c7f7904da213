import type { Cell } from "../contract/types/contract.ts";

type Architecture = Cell["architecture"];

/**
 * Returns the architecture of the driver functions: arm64, which costs less, unless no cell has it. The region may
 * then not support it, and CloudFormation would reject the drivers:
 * https://docs.aws.amazon.com/lambda/latest/dg/foundation-arch.html
 */
export function driverArchitecture(
  cells: readonly { readonly architecture: Architecture }[],
): Architecture {
  return cells.some(({ architecture }) => architecture === "arm64") ? "arm64" : "x86_64";
}

/** Memory sizes of the state machine's functions, MB. All are within a new account's limit. */
export const driverMemoryMb = {
  plan: 512,
  seed: 256,
  "try-functions": 512,
  "first-block": 512,
  measure: 256,
  precision: 1769,
  "record-failure": 256,
  restore: 256,
  report: 1769,
  overview: 1024,
} as const;

/** A lane uses two concurrent executions: the driver's and the measured function's. */
export const executionsPerLane = 2;
/** Concurrent executions left for everything else in the account. */
export const headroom = 2;

/** Concurrent executions of a new account: https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html */
export const newAccountConcurrency = 10;

/**
 * Upper limit on lanes. The control plane accepts 15 updates a second, and a lane makes at most one in four seconds,
 * the duration of a trial without warm calls.
 * https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html#api-requests
 */
const mostLanes = 60;

/** Returns the default number of lanes: one per cell of the largest block, up to mostLanes. */
export function usualLanes(cellCounts: readonly number[]): number {
  return Math.min(mostLanes, Math.max(1, ...cellCounts));
}

/** Returns how many cells may be measured at the same time with so many concurrent executions; at least one. */
export function concurrencyCarried(concurrency: number): number {
  return Math.max(1, Math.floor((concurrency - headroom) / executionsPerLane));
}
