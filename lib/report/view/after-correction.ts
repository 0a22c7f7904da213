import { holmAdjusted } from "../../statistics/shift.ts";
import type { Compared } from "./compared.ts";

/** The share of families in which one false difference is accepted. */
const familyErrorRate = 0.05;

/**
 * The comparisons with their adjusted p-values; one that is called faster or slower, and may be chance
 * in so many, is undecided. Holm's correction is a test beside the interval's verdict: both must hold.
 * What only the test sees, because the interval reaches to both sides of the margin, `differs`: the
 * ranks of two modes, or of a heavy tail, tell apart what their medians cannot (decision 0022).
 */
export function afterCorrection<Each extends Compared>(family: readonly Each[]): readonly Each[] {
  const tested = family.filter(({ pValue }) => pValue !== undefined);
  const adjusted = holmAdjusted(tested.map(({ pValue = 1 }) => pValue));
  const adjustedOf = new Map(tested.map((compared, index) => [compared, adjusted[index] ?? 1]));
  return family.map((compared) => corrected(compared, adjustedOf.get(compared)));
}

function corrected<Each extends Compared>(
  compared: Each,
  adjustedPValue: number | undefined,
): Each {
  if (adjustedPValue === undefined) return compared;
  const isCalled = compared.verdict === "faster" || compared.verdict === "slower";
  const isToldApart = adjustedPValue < familyErrorRate;
  if (isCalled && !isToldApart) {
    return { ...compared, adjustedPValue, verdict: "undecided", undecidedReason: "one-of-many" };
  }
  if (isToldApart && compared.undecidedReason === "interval-crosses-margin") {
    return { ...compared, adjustedPValue, undecidedReason: "differs" };
  }
  return { ...compared, adjustedPValue };
}

/**
 * Environments a side below which no difference, however large, passes the correction over as many
 * comparisons: the exact test's smallest p-value is 2 / C(2n, n).
 */
export function environmentsForFamily(comparisons: number): number {
  let environments = 1;
  let arrangements = 2;
  while ((2 / arrangements) * comparisons >= familyErrorRate) {
    environments += 1;
    arrangements = (arrangements * (2 * environments) * (2 * environments - 1)) / environments ** 2;
  }
  return environments;
}
