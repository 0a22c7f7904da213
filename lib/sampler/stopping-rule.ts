import type { Plan, StoppingLook } from "../contract/types/contract.ts";
import { lookAfter, type Skips, withoutSkipped } from "../plan/blocks.ts";
import { countSamples } from "../plan/stopping.ts";

/** The ratios, as found by a look at the samples. */
type Found = Pick<StoppingLook, "ratios" | "wide" | "widest">;

/** The blocks and minutes used before a look. */
interface Spent extends Pick<StoppingLook, "blocks" | "minutes"> {
  /** Trials that the look decided to skip. @default every trial is made */
  readonly skips?: Skips;
  /** Whether the run's cap allows no further block. @default it does */
  readonly isSpent?: boolean;
}

/**
 * Decides whether a run with a stopping rule continues, and until which look. It ends when every ratio has reached
 * the precision, whatever the ratio: an interval's width does not depend on where it lies, so that this favours no
 * verdict, as stopping at significance would (Chow and Robbins, Annals of Mathematical Statistics 36, 1965; Kelley,
 * Darku and Chattopadhyay, Psychological Methods 23, 2018). It also ends if the plan has no more blocks, or if the
 * blocks before the next look are not expected to fit into the minutes. A run that chooses sizes ends when they are
 * chosen, or when its samples are used up. Throws RangeError on a plan without a rule.
 */
export function stoppingLook(plan: Plan, found: Found, spent: Spent): StoppingLook {
  const { stopping } = plan;
  if (stopping === undefined) throw new RangeError(`${plan.runId} has no stopping rule`);
  const { skips, isSpent, ...made } = spent;
  const look = { ...made, ...found };
  if (found.ratios > 0 && found.wide === 0) return { ...look, endedBy: "precision" };
  if (isSpent === true) return { ...look, endedBy: "maxCostUsd" };
  const next = lookAfter(plan, spent.blocks);
  if (next === undefined) return { ...look, endedBy: stopping.mostBlocksBy };
  if (skips !== undefined && samplesBefore(plan, next, skips) > stopping.maxSamples) {
    return { ...look, endedBy: "maxSamples" };
  }
  const expectedMinutes = spent.minutes * growth(plan, spent, next);
  if (expectedMinutes > stopping.maxMinutes) return { ...look, endedBy: "maxMinutes" };
  return { ...look, nextLook: next };
}

/** Returns the expected duration of the run at the next look, as a multiple of its duration so far. */
function growth(plan: Plan, { blocks, skips }: Spent, next: number): number {
  if (skips === undefined) return next / blocks;
  return samplesBefore(plan, next, skips) / samplesBefore(plan, blocks, skips);
}

function samplesBefore(plan: Plan, blocks: number, skips: Skips): number {
  const measuredPlan = withoutSkipped({ ...plan, blocks: plan.blocks.slice(0, blocks) }, skips);
  return countSamples(plan, measuredPlan.blocks);
}
