import type { Plan, Sample, StoppingLook } from "../contract/types/contract.ts";
import { collectSamples } from "./collect/collect-samples.ts";
import { comparisonsOf } from "./view/comparisons.ts";
import { type Precision, precisionOf } from "./view/precision.ts";

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
  const { variants } = comparisonsOf(plan, baselineVariant, collected);
  return precisionOf(variants, plan.stopping.untilPrecision);
}

/** The figures that the stopping rule decides by. */
export function foundOf({
  ratios,
  wide,
  widest,
}: Precision): Pick<StoppingLook, "ratios" | "wide" | "widest"> {
  const halfWidth = widest?.halfWidth;
  return { ratios, wide: wide.length, ...(halfWidth !== undefined && { widest: halfWidth }) };
}
