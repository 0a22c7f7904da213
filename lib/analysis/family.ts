import type { Plan } from "../contract/types/contract.ts";
import { adjustedBySwaps, type ComparedSides } from "../statistics/block-swaps.ts";
import { holmAdjusted } from "../statistics/shift.ts";
import type { UndecidedReason, VerdictKind } from "../statistics/verdict.ts";

/** A comparison's verdict and its p-values. */
export interface Tested {
  readonly verdict: VerdictKind;
  /**
   * `one-of-many`: the interval's verdict may be due to chance among so many comparisons. `few-calls`: the ratio
   * depends on a handful of calls. `differs`: the test is significant, but the interval crosses the margin.
   */
  readonly undecidedReason?: UndecidedReason | "few-calls" | "one-of-many" | "differs";
  /** Two-sided Mann-Whitney p-value; absent if a side has no environment. */
  readonly pValue?: number;
  /**
   * The p-value corrected over its family: by swaps of blocks within one run, by Holm for two runs and
   * for an import. Absent if it was not corrected.
   */
  readonly adjustedPValue?: number;
}

/** Default share of families in which a false difference is accepted. */
export const familyErrorRate = 0.05;

/**
 * Adds the adjusted p-values. A faster or slower verdict that is not significant after correction becomes undecided:
 * the interval and the test must agree. If only the test is significant, because the interval reaches to both sides
 * of the margin, the reason is `differs`: ranks of two modes, or of a heavy tail, can differ where the means do not
 * (decision 0022).
 */
export function withAdjusted<Each extends Tested>(
  family: readonly Each[],
  adjusted: readonly (number | undefined)[],
  errorRate: number = familyErrorRate,
): readonly Each[] {
  return family.map((compared, index) => corrected(compared, adjusted[index], errorRate));
}

/** The fields of a comparison that the correction reads. */
interface InFamily extends Pick<Tested, "pValue"> {
  readonly descriptive?: true;
}

/** Returns the comparisons without descriptive ones, which would count another one's difference twice. */
export function primaryOnly<Each extends Pick<InFamily, "descriptive">>(
  family: readonly Each[],
): readonly Each[] {
  return family.filter(({ descriptive }) => descriptive === undefined);
}

/** Corrects comparisons of series that share no blocks, by Holm's method. */
export function afterCorrection<Each extends Tested & InFamily>(
  family: readonly Each[],
): readonly Each[] {
  return withAdjusted(family, adjustedApart(family, byHolm));
}

function byHolm(family: readonly InFamily[]): readonly (number | undefined)[] {
  const pValues = family.flatMap(({ pValue }) => pValue ?? []);
  const adjusted = holmAdjusted(pValues).values();
  return family.map(({ pValue }) => (pValue === undefined ? undefined : adjusted.next().value));
}

interface InRun extends InFamily {
  readonly sides?: ComparedSides;
}

/** Returns the adjusted p-values of a run: by swaps of blocks, or by Holm for an import, which has no blocks. */
export function adjustedInRun(
  { seed, target }: Pick<Plan, "seed" | "target">,
  comparisons: readonly InRun[],
): readonly (number | undefined)[] {
  if (target === "imported") return adjustedApart(comparisons, byHolm);
  return adjustedApart(comparisons, (family) =>
    adjustedBySwaps(
      family.map(({ sides = { above: [], below: [] } }) => sides),
      seed,
    ),
  );
}

/** Returns adjusted p-values. Primary comparisons are corrected among themselves, descriptive ones among all. */
function adjustedApart<Each extends InFamily>(
  comparisons: readonly Each[],
  adjust: (family: readonly Each[]) => readonly (number | undefined)[],
): readonly (number | undefined)[] {
  const primary = primaryOnly(comparisons);
  const ofPrimary = adjust(primary).values();
  if (primary.length === comparisons.length) return [...ofPrimary];
  const ofAll = adjust(comparisons);
  return comparisons.map((each, index) =>
    each.descriptive === undefined ? ofPrimary.next().value : ofAll[index],
  );
}

function corrected<Each extends Tested>(
  compared: Each,
  adjustedPValue: number | undefined,
  errorRate: number,
): Each {
  if (adjustedPValue === undefined) return compared;
  const isCalled = compared.verdict === "faster" || compared.verdict === "slower";
  const isSignificant = adjustedPValue < errorRate;
  if (isCalled && !isSignificant) {
    return { ...compared, adjustedPValue, verdict: "undecided", undecidedReason: "one-of-many" };
  }
  if (isSignificant && compared.undecidedReason === "interval-crosses-margin") {
    return { ...compared, adjustedPValue, undecidedReason: "differs" };
  }
  return { ...compared, adjustedPValue };
}

/**
 * Returns the fewest environments per side with which a difference can pass the correction over so many comparisons:
 * the exact test's smallest p-value is 2 / C(2n, n).
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
