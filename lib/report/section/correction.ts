import { remark } from "../document/blocks.ts";
import type { Note } from "../document/document.ts";
import { count, plural } from "../document/format-number.ts";
import { environmentsForFamily } from "../view/after-correction.ts";
import type { Comparison } from "../view/comparisons.ts";
import type { ReportView } from "../view/report-view.ts";

/** What so many verdicts in one report are held against. */
export function correctionText({ comparisons }: ReportView): string {
  const { tested, undone } = correctionOf(comparisons.variants);
  return `Among ${plural(tested, "comparison")} with the baseline some would be called different by chance: faster or slower must also pass the Mann-Whitney test of the environments' medians with Holm's correction over all of them at 5 %. What does not is "undecided (one of many)", here ${count(undone.length)}. An experiment's own quantities against the baseline are corrected among themselves; verdicts between sizes or settings of one variant are not corrected.`;
}

/** Where verdicts were undone that so few environments could not have, however large the difference. */
export function correctionNote({ comparisons }: ReportView): readonly Note[] {
  const { tested, undone } = correctionOf(comparisons.variants);
  const sides = undone.map((each) => Math.min(each.environments, each.baselineEnvironments));
  const most = Math.max(0, ...sides);
  const needed = environmentsForFamily(tested);
  if (undone.length === 0 || most >= needed) return [];
  return [
    remark(
      `${plural(undone.length, "verdict")} of faster or slower ${undone.length === 1 ? "is" : "are"} undecided for their number alone: over ${plural(tested, "comparison")} it takes ${needed} environments a side for any difference, however large, to be told from chance, and here are ${count(most)} (--cold ${needed}). The intervals are as they would be.`,
    ),
  ];
}

/** How many comparisons the correction goes over, and those whose verdict it took. */
function correctionOf(comparisons: readonly Comparison[]) {
  return {
    tested: comparisons.filter(({ adjustedPValue }) => adjustedPValue !== undefined).length,
    undone: comparisons.filter(({ undecidedReason }) => undecidedReason === "one-of-many"),
  };
}
