import { type Ratio, ratioOfMedians } from "../../statistics/ratio.ts";
import { mediansOf, type Series } from "../../statistics/series.ts";
import { mannWhitney } from "../../statistics/shift.ts";
import { type UndecidedReason, type VerdictKind, verdictOf } from "../../statistics/verdict.ts";

/** What came of holding one series against another: the ratio of their medians, and a verdict. */
export interface Compared {
  readonly environments: number;
  readonly baselineEnvironments: number;
  /** Above 1 it is more than the baseline. Absent without an interval. */
  readonly ratio?: number;
  readonly low?: number;
  readonly high?: number;
  readonly environmentsNeeded?: number;
  readonly verdict: VerdictKind;
  /**
   * `one-of-many`: the interval has a verdict that chance, in so many comparisons, may have made.
   * `differs`: the test tells the two apart, and the interval does not say on which side of the margin.
   */
  readonly undecidedReason?: UndecidedReason | "one-of-many" | "differs";
  /** Two-sided Mann-Whitney; absent where a side has no environment. */
  readonly pValue?: number;
  /** Holm's, over the comparisons that it was corrected with; absent where it was not. */
  readonly adjustedPValue?: number;
}

/** Two series' ratio before the verdict. */
export interface RatioOfSeries {
  readonly ratio: Ratio;
  readonly environments: number;
  readonly baselineEnvironments: number;
  readonly pValue?: number;
}

export function ratioOfSeries(
  above: Series,
  below: Series,
  seed: number,
  draws?: number,
): RatioOfSeries {
  const [medians, baselineMedians] = [mediansOf(above), mediansOf(below)];
  const test = mannWhitney(medians, baselineMedians);
  return {
    ratio: ratioOfMedians(above, below, { seed, ...(draws !== undefined && { draws }) }),
    environments: medians.length,
    baselineEnvironments: baselineMedians.length,
    ...(test.kind === "mann-whitney" && { pValue: test.pValue }),
  };
}

/** The ratio with its verdict; without a noise floor it rests on the interval and the margin. */
export function withVerdict<Pair extends RatioOfSeries>(
  pair: Pair,
  noiseFloor?: Ratio,
): Omit<Pair, "ratio" | "pValue"> & Compared {
  const { ratio, pValue, ...rest } = pair;
  const verdict = verdictOf(ratio, noiseFloor === undefined ? {} : { noiseFloor });
  return {
    ...rest,
    ...(ratio.kind === "ratio" && { ratio: ratio.ratio, low: ratio.low, high: ratio.high }),
    ...(ratio.kind === "insufficient" && { environmentsNeeded: ratio.needed }),
    verdict: verdict.kind,
    ...(verdict.kind === "undecided" && { undecidedReason: verdict.reason }),
    ...(pValue !== undefined && { pValue }),
  };
}
