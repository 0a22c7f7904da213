import type { Plan, Sample, StoppingLook } from "../contract/types/contract.ts";
import { type CollectedSamples, collectSamples } from "./collect-samples.ts";
import { type Comparison, compareSizes, compareVariants } from "./comparisons.ts";

/** How precise the ratios of a report are, against what they are to be. */
export interface Precision {
  /** Ratios there are: what a mean of 0 is divided by, or divides, has none. */
  readonly ratios: number;
  /** Those that are not as precise as asked for, or have no interval yet; the widest first. */
  readonly wide: readonly WideRatio[];
  /** The widest of all. Absent: none has an interval. */
  readonly widest?: WideRatio;
}

export interface WideRatio {
  readonly comparison: Comparison;
  /** As halfWidthOf; absent without an interval. */
  readonly halfWidth?: number;
}

/**
 * Half the width of an interval as a share of its ratio, taken of the logarithm as the interval is: a
 * ratio and its inverse are equally precise. Undefined without an interval.
 */
export function relativeHalfWidth({
  low,
  high,
}: Pick<Comparison, "low" | "high">): number | undefined {
  if (low === undefined || high === undefined) return undefined;
  return Math.expm1(Math.log(high / low) / 2);
}

/** Ratios held against a half-width. */
export function measurePrecision(
  comparisons: readonly Comparison[],
  untilPrecision: number,
): Precision {
  const ratios = comparisons
    .filter(({ undecidedReason }) => undecidedReason !== "not-positive")
    .map((comparison) => ({ comparison, ...given(relativeHalfWidth(comparison)) }))
    .sort((one, other) => knownWidth(other) - knownWidth(one));
  const widest = ratios.find(({ halfWidth }) => halfWidth !== undefined);
  return {
    ratios: ratios.length,
    wide: ratios.filter((ratio) => knownWidth(ratio) > untilPrecision),
    ...(widest !== undefined && { widest }),
  };
}

/** No interval is wider than any. */
function knownWidth({ halfWidth = Number.POSITIVE_INFINITY }: WideRatio): number {
  return halfWidth;
}

function given(halfWidth: number | undefined): Pick<WideRatio, "halfWidth"> {
  return halfWidth === undefined ? {} : { halfWidth };
}

/**
 * How precise the report of a run would be that ended now: by the same pairs, series and intervals,
 * so that what a run is ended by is what its report says. For a plan with a stopping rule; throws
 * RangeError on another.
 */
export async function precisionSoFar(
  plan: Plan,
  baselineVariant: string,
  samples: AsyncIterable<Sample>,
): Promise<Precision> {
  if (plan.stopping === undefined) throw new RangeError(`${plan.runId} has no stopping rule`);
  const noCost = { add: () => {} };
  const collected = await collectSamples(plan, samples, noCost, () => ({}));
  const { variants } = compareVariants(plan, baselineVariant, collected);
  return measurePrecision(
    ruledComparisons(plan, variants, collected),
    plan.stopping.untilPrecision,
  );
}

/** The ratios that a stopping rule waits for: those of variants; of a variant alone, those of its sizes. */
export function ruledComparisons(
  plan: Plan,
  variants: readonly Comparison[],
  samples: CollectedSamples,
): readonly Comparison[] {
  return variants.length > 0 ? variants : compareSizes(plan, samples);
}

/** The figures that the stopping rule decides by. */
export function describeFound({
  ratios,
  wide,
  widest,
}: Precision): Pick<StoppingLook, "ratios" | "wide" | "widest"> {
  const halfWidth = widest?.halfWidth;
  return { ratios, wide: wide.length, ...(halfWidth !== undefined && { widest: halfWidth }) };
}
