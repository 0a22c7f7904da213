import { holmAdjusted } from "../../statistics/shift.ts";
import type { SeriesChange } from "./compare-runs.ts";

/** The share of comparisons in which one false difference is accepted. */
const familyErrorRate = 0.05;

/**
 * The changes with their adjusted p-values; one that is called faster or slower, and may be chance in
 * so many series, is undecided. Holm's correction is a test beside the interval's verdict: both must hold.
 */
export function afterCorrection(changes: readonly SeriesChange[]): readonly SeriesChange[] {
  const tested = changes.filter(({ pValue }) => pValue !== undefined);
  const adjusted = holmAdjusted(tested.map(({ pValue = 1 }) => pValue));
  const adjustedOf = new Map(tested.map((change, index) => [change, adjusted[index] ?? 1]));
  return changes.map((change) => corrected(change, adjustedOf.get(change)));
}

function corrected(change: SeriesChange, adjustedPValue: number | undefined): SeriesChange {
  if (adjustedPValue === undefined) return change;
  const isCalled = change.verdict === "faster" || change.verdict === "slower";
  if (!isCalled || adjustedPValue < familyErrorRate) return { ...change, adjustedPValue };
  return { ...change, adjustedPValue, verdict: "undecided", isOneOfMany: true };
}

/**
 * Environments a side below which no difference, however large, passes the correction over as many
 * series: the exact test's smallest p-value is 2 / C(2n, n).
 */
export function environmentsForFamily(series: number): number {
  let environments = 1;
  let arrangements = 2;
  while ((2 / arrangements) * series >= familyErrorRate) {
    environments += 1;
    arrangements = (arrangements * (2 * environments) * (2 * environments - 1)) / environments ** 2;
  }
  return environments;
}
