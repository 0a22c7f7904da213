import type { Cell } from "../contract/types/contract.ts";

type Architecture = Cell["architecture"];

/**
 * Architecture of the functions that drive a run: arm64, which costs less, unless no cell has it. Then
 * the region may not have it either, and CloudFormation would reject the drivers:
 * https://docs.aws.amazon.com/lambda/latest/dg/foundation-arch.html
 */
export function driverArchitecture(
  cells: readonly { readonly architecture: Architecture }[],
): Architecture {
  return cells.some(({ architecture }) => architecture === "arm64") ? "arm64" : "x86_64";
}

/** Memory sizes of the functions behind the states, MB. All are within a new account's limit. */
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

/** A lane takes two executions at once: the driver's and the measured function's. */
export const executionsPerLane = 2;
/** Executions left to everything else in the account. */
export const headroom = 2;

/** Concurrent executions of a new account: https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html */
export const newAccountConcurrency = 10;

/**
 * The control plane takes 15 updates a second, and a lane makes at most one every four seconds, which a trial
 * without warm calls takes.
 * https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html#api-requests
 */
const mostLanes = 60;

/** Default number of lanes: one per cell of the largest block, up to what the control plane carries. */
export function usualLanes(cellCounts: readonly number[]): number {
  return Math.min(mostLanes, Math.max(1, ...cellCounts));
}

/** Cells that may be measured at the same time with so many concurrent executions; at least one. */
export function concurrencyCarried(concurrency: number): number {
  return Math.max(1, Math.floor((concurrency - headroom) / executionsPerLane));
}
