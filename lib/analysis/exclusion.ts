import type { Contradiction, ExclusionReason } from "../contract/exclusion-reasons.ts";
import type { Plan, Sample } from "../contract/types/contract.ts";

/**
 * Returns a function that gives the reason why a sample of the plan's run does not count; undefined if it counts.
 * Contradictions are found by sound-trials.ts, which reads all samples as one stream.
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

/** Returns whether a sample is not of the plan's run or cells. None of the run's figures include it, not even costs. */
export function isForeign(reason: ExclusionReason | undefined): boolean {
  return reason === "of-another-run" || reason === "cell-not-in-plan";
}

/** Returns the reason if a sample is not of this run, whatever its own label. */
function foreignReason(
  { runId, target }: Plan,
  cells: ReadonlySet<string>,
  sample: Sample,
): ExclusionReason | undefined {
  if (sample.runId !== runId || sample.target !== target) return "of-another-run";
  return cells.has(sample.cell.id) ? undefined : "cell-not-in-plan";
}

/** Excludes samples taken while instructions were counted, labelled or not: their times are valgrind's. */
function instrumentedReason(
  { instructions, block }: Sample,
  countingBlocks: ReadonlySet<number>,
): ExclusionReason | undefined {
  return instructions !== undefined || countingBlocks.has(block) ? "instrumented" : undefined;
}
