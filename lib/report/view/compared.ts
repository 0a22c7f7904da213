import { type Ratio, ratioOfMedians } from "../../statistics/ratio.ts";
import type { Series } from "../../statistics/series.ts";
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
  readonly undecidedReason?: UndecidedReason;
}

/** Two series' ratio before the verdict. */
export interface RatioOfSeries {
  readonly ratio: Ratio;
  readonly environments: number;
  readonly baselineEnvironments: number;
}

export function ratioOfSeries(above: Series, below: Series, seed: number): RatioOfSeries {
  const measured = (series: Series) => series.units.filter((unit) => unit.values.length > 0).length;
  return {
    ratio: ratioOfMedians(above, below, { seed }),
    environments: measured(above),
    baselineEnvironments: measured(below),
  };
}

/** The ratio with its verdict; without a noise floor it rests on the interval and the margin. */
export function withVerdict<Pair extends RatioOfSeries>(
  pair: Pair,
  noiseFloor?: Ratio,
): Omit<Pair, "ratio"> & Compared {
  const { ratio, ...rest } = pair;
  const verdict = verdictOf(ratio, noiseFloor === undefined ? {} : { noiseFloor });
  return {
    ...rest,
    ...(ratio.kind === "ratio" && { ratio: ratio.ratio, low: ratio.low, high: ratio.high }),
    ...(ratio.kind === "insufficient" && { environmentsNeeded: ratio.needed }),
    verdict: verdict.kind,
    ...(verdict.kind === "undecided" && { undecidedReason: verdict.reason }),
  };
}
