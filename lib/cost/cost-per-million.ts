import { invocationCostUsd } from "./invocation-cost.ts";
import type { LambdaPrice } from "./prices.ts";

const million = 1_000_000;

/** One cell's medians. */
export interface BilledMedians {
  /** Of cold invocations, Init included, ms. */
  readonly coldBilledMs: number;
  /** Of warm invocations, ms. */
  readonly warmBilledMs: number;
  readonly memoryMb: number;
}

/**
 * What a million invocations cost, USD, when the share `coldShare` (0 to 1) of them is cold and
 * every one bills its phase's median; request fees included. Throws RangeError on another share.
 */
export function costPerMillionUsd(
  medians: BilledMedians,
  coldShare: number,
  price: LambdaPrice,
): number {
  if (!(coldShare >= 0 && coldShare <= 1)) {
    throw new RangeError(`coldShare: found ${coldShare}; allowed: 0 to 1`);
  }
  const { coldBilledMs, warmBilledMs, memoryMb } = medians;
  const coldUsd = invocationCostUsd({ billedDurationMs: coldBilledMs, memoryMb }, price);
  const warmUsd = invocationCostUsd({ billedDurationMs: warmBilledMs, memoryMb }, price);
  return million * (coldShare * coldUsd + (1 - coldShare) * warmUsd);
}

/**
 * The arithmetic of the published multicore study, USD a million: a GB of 1,000 MB, the duration
 * as measured, no request fee. Only for a column beside the study's own figures; AWS charges by
 * 1,024 MB and by the request.
 */
export function studyCostPerMillionUsd(
  { durationMs, memoryMb }: { readonly durationMs: number; readonly memoryMb: number },
  price: Pick<LambdaPrice, "gbSecondUsd">,
): number {
  return million * (memoryMb / 1000) * (durationMs / 1000) * price.gbSecondUsd;
}
