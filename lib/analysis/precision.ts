import { defined } from "../contract/defined.ts";
import type { Plan, Sample, StoppingLook } from "../contract/types/contract.ts";
import { type CollectedSamples, collectSamples } from "./collect-samples.ts";
import { type Comparison, compareSizes, compareVariants } from "./comparisons.ts";

/** Precision of a report's ratios against the target. */
export interface Precision {
  /** Number of ratios; a comparison with a mean of 0 has none. */
  readonly ratios: number;
  /** Ratios that are less precise than requested, or have no interval yet; the widest first. */
  readonly wide: readonly WideRatio[];
  /** The widest of all; absent if none has an interval. */
  readonly widest?: WideRatio;
}

export interface WideRatio {
  readonly comparison: Comparison;
  /** The relative half-width (relativeHalfWidth); absent without an interval. */
  readonly halfWidth?: number;
}

/**
 * Returns half the width of an interval relative to its ratio; undefined without an interval. It is computed on the
 * log scale, as the interval is: a ratio and its inverse are equally precise.
 */
export function relativeHalfWidth({
  low,
  high,
}: Pick<Comparison, "low" | "high">): number | undefined {
  if (low === undefined || high === undefined) return undefined;
  return Math.expm1(Math.log(high / low) / 2);
}

/** Compares ratios with a target half-width. */
export function measurePrecision(
  comparisons: readonly Comparison[],
  untilPrecision: number,
): Precision {
  const ratios = comparisons
    .filter(({ undecidedReason }) => undecidedReason !== "not-positive")
    .map((comparison) => ({ comparison, ...defined({ halfWidth: relativeHalfWidth(comparison) }) }))
    .sort((one, other) => knownWidth(other) - knownWidth(one));
  const widest = ratios.find(({ halfWidth }) => halfWidth !== undefined);
  return {
    ratios: ratios.length,
    wide: ratios.filter((ratio) => knownWidth(ratio) > untilPrecision),
    ...(widest !== undefined && { widest }),
  };
}

/** Returns the half-width; a missing interval counts as wider than any. */
function knownWidth({ halfWidth = Number.POSITIVE_INFINITY }: WideRatio): number {
  return halfWidth;
}

/**
 * Returns the precision that the report would have if the run ended now, from the same pairs, series and intervals.
 * Throws RangeError if the plan has no stopping rule.
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

/** Returns the ratios that a stopping rule waits for: those of variants or, if there is only one, of its sizes. */
export function ruledComparisons(
  plan: Plan,
  variants: readonly Comparison[],
  samples: CollectedSamples,
): readonly Comparison[] {
  return variants.length > 0 ? variants : compareSizes(plan, samples);
}

/** Returns the figures that the stopping rule decides by. */
export function describeFound({
  ratios,
  wide,
  widest,
}: Precision): Pick<StoppingLook, "ratios" | "wide" | "widest"> {
  const halfWidth = widest?.halfWidth;
  return { ratios, wide: wide.length, ...(halfWidth !== undefined && { widest: halfWidth }) };
}
