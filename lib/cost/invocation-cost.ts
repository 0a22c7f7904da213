import type { LambdaPrice } from "./prices.ts";

/** What of an invocation is charged. */
export interface BilledInvocation {
  /**
   * Billed Duration, ms. It is the whole bill: since 2025-08-01 it holds Init, and with SnapStart
   * the billed restore; adding either to it would charge it twice
   * (aws.amazon.com/blogs/compute/aws-lambda-standardizes-billing-for-init-phase/).
   */
  readonly billedDurationMs: number;
  /** As configured. */
  readonly memoryMb: number;
}

const mbInGb = 1024;

/**
 * What one invocation costs, USD, the request fee included and no free tier taken off. Throws
 * RangeError on a duration or a memory size that is no finite number of 0 and more.
 */
export function invocationCostUsd(invocation: BilledInvocation, price: LambdaPrice): number {
  checkAmount("billedDurationMs", invocation.billedDurationMs);
  checkAmount("memoryMb", invocation.memoryMb);
  const gbSeconds = (invocation.memoryMb / mbInGb) * (invocation.billedDurationMs / 1000);
  return gbSeconds * price.gbSecondUsd + price.requestUsd;
}

function checkAmount(field: string, value: number): void {
  if (Number.isFinite(value) && value >= 0) return;
  throw new RangeError(`${field}: found ${value}; allowed: a finite number of 0 and more`);
}
