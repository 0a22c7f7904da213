import type { Plan, StoppingLook } from "../contract/types/contract.ts";
import { nextLook } from "../plan/blocks.ts";

/** What a look at the samples found of the ratios. */
type Found = Pick<StoppingLook, "ratios" | "wide" | "widest">;

/** What was made before a look. */
type Spent = Pick<StoppingLook, "blocks" | "minutes">;

/**
 * Whether a run with a stopping rule goes on, and until which look. It ends when every ratio is as
 * precise as it is to be, whichever way the ratios point: an interval's width says nothing of where it
 * lies, so that ending by it favours no verdict, as ending by significance would (Chow and Robbins,
 * Annals of Mathematical Statistics 36, 1965; Kelley, Darku and Chattopadhyay, Psychological Methods
 * 23, 2018). Otherwise it ends where the plan has no more blocks, or where the blocks before the next
 * look are not expected to fit into the minutes. Throws RangeError on a plan without a rule.
 */
export function stoppingLook(plan: Plan, found: Found, spent: Spent): StoppingLook {
  const { stopping } = plan;
  if (stopping === undefined) throw new RangeError(`${plan.runId} has no stopping rule`);
  const look = { ...spent, ...found };
  if (found.ratios > 0 && found.wide === 0) return { ...look, endedBy: "precision" };
  const most = plan.blocks.length;
  if (spent.blocks >= most) return { ...look, endedBy: stopping.mostBlocksBy };
  const next = Math.min(most, nextLook(spent.blocks));
  const expectedMinutes = (spent.minutes / spent.blocks) * next;
  if (expectedMinutes > stopping.maxMinutes) return { ...look, endedBy: "maxMinutes" };
  return { ...look, nextLook: next };
}
