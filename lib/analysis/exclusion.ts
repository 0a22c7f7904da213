import type { Contradiction, ExclusionReason } from "../contract/exclusion-reasons.ts";
import type { Plan, Sample } from "../contract/types/contract.ts";

/**
 * Returns the decision for each sample of a plan's run: the reason why it does not count, or undefined if it does.
 * @param plan its samples are read in one stream, which sound-trials.ts searches for contradictions
 */
export function exclusionBy(
  plan: Plan,
): (sample: Sample, contradiction?: Contradiction) => ExclusionReason | undefined {
  const cells = new Set(plan.cells.map(({ id }) => id));
  const countingBlocks = new Set(plan.instrumented?.blocks.map(({ index }) => index));
  return (sample, contradiction) =>
    foreignReason(plan, cells, sample) ??
    contradiction ??
    sample.rejected?.reason ??
    instrumentedReason(sample, countingBlocks);
}

/** Whether a sample is not of the plan's run or cells: it counts in none of the run's figures, costs included. */
export function isForeign(reason: ExclusionReason | undefined): boolean {
  return reason === "of-another-run" || reason === "cell-not-in-plan";
}

/** A sample that is not of this run counts in none of its statistics, whatever its own label. */
function foreignReason(
  { runId, target }: Plan,
  cells: ReadonlySet<string>,
  sample: Sample,
): ExclusionReason | undefined {
  if (sample.runId !== runId || sample.target !== target) return "of-another-run";
  return cells.has(sample.cell.id) ? undefined : "cell-not-in-plan";
}

/** Times taken while instructions were counted are valgrind's, even if no label says so. */
function instrumentedReason(
  { instructions, block }: Sample,
  countingBlocks: ReadonlySet<number>,
): ExclusionReason | undefined {
  return instructions !== undefined || countingBlocks.has(block) ? "instrumented" : undefined;
}
