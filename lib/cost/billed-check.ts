import type { Telemetry } from "../contract/types/contract.ts";

export type BilledCheck =
  | { readonly kind: "ok" }
  | {
      readonly kind: "mismatch";
      readonly billedDurationMs: number;
      /** ceil(init + duration), ms. */
      readonly expectedMs: number;
    }
  | {
      readonly kind: "unknown";
      readonly reason: "no-billed-duration" | "restored" | "not-successful";
    };

/** Durations are printed to two decimals, rounded or cut: each figure is off by up to a step. */
const printedStepMs = 0.01;
/** What adding two printed figures in binary may be off by, far below a step. */
const binaryMs = 1e-6;

/**
 * Whether Billed Duration is the ceiling of init plus duration, as Lambda bills every invocation
 * since 2025-08-01 (aws.amazon.com/blogs/compute/aws-lambda-standardizes-billing-for-init-phase/).
 * A remark on the data's quality: the bill stays what Lambda says. Unknown where it is not
 * said, after a SnapStart restore, and where the invocation failed (Init may then have run twice).
 */
export function checkBilled(telemetry: Telemetry): BilledCheck {
  const { billedDurationMs, durationMs, initDurationMs = 0 } = telemetry;
  if (billedDurationMs === undefined) return { kind: "unknown", reason: "no-billed-duration" };
  if (telemetry.status !== undefined || telemetry.errorType !== undefined) {
    return { kind: "unknown", reason: "not-successful" };
  }
  if (telemetry.restoreDurationMs !== undefined) return { kind: "unknown", reason: "restored" };
  const sumMs = initDurationMs + durationMs;
  const figures = telemetry.initDurationMs === undefined ? 1 : 2;
  const toleranceMs = figures * printedStepMs + binaryMs;
  const lowestMs = Math.ceil(sumMs - toleranceMs);
  const highestMs = Math.ceil(sumMs + toleranceMs);
  if (billedDurationMs >= lowestMs && billedDurationMs <= highestMs) return { kind: "ok" };
  return { kind: "mismatch", billedDurationMs, expectedMs: Math.ceil(sumMs) };
}
