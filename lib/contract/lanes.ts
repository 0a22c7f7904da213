/** A lane takes two executions at once: the driver's and the measured function's. */
export const executionsPerLane = 2;
/** Executions left to whatever else runs in the account. */
export const headroom = 2;

/** https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html: of a new account. */
export const newAccountConcurrency = 10;

/** Cells that may be measured at the same time with so many concurrent executions; at least one. */
export function lanesCarried(concurrency: number): number {
  return Math.max(1, Math.floor((concurrency - headroom) / executionsPerLane));
}
