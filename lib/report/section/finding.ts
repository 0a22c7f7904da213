import { labelOf } from "../report-subject.ts";
import type { Comparison } from "../view/comparisons.ts";
import type { ReportView } from "../view/report-view.ts";
import { variantsRun } from "../view/select.ts";
import { ratioRange } from "./ratio-words.ts";
import { verdictCounts } from "./verdict-words.ts";

const asked = [
  ["warm Duration", "warm", "durationMs"],
  ["Init and first request", "cold", "initAndDurationMs"],
] as const;

/** The answer in one sentence: the variant that is farthest from the baseline, warm and cold. */
export function finding(view: ReportView): string {
  const { subject } = view;
  const run = variantsRun(view);
  const farthest = run.findLast((variant) => variant !== subject.baselineVariant);
  if (farthest === undefined) return "Only one variant was run: there is nothing to compare.";
  if (!run.includes(subject.baselineVariant)) {
    const baseline = labelOf(subject, subject.baselineVariant);
    return `The baseline ${baseline} was not run: there is nothing to compare with.`;
  }
  const parts = asked.flatMap(([what, phase, quantity]) => {
    const comparisons = view.comparisons.variants.filter(
      (comparison) =>
        comparison.cell.variant === farthest &&
        comparison.phase === phase &&
        comparison.quantity === quantity,
    );
    return comparisons.length === 0 ? [] : [`${what} ${comparedText(view, comparisons)}`];
  });
  const pair = `${labelOf(subject, farthest)} against ${labelOf(subject, subject.baselineVariant)}`;
  return `${pair}: ${parts.length === 0 ? "nothing was measured of both" : parts.join("; ")}.`;
}

function comparedText(view: ReportView, comparisons: readonly Comparison[]): string {
  const range = ratioRange(view, comparisons);
  const times = range === undefined ? "no ratio has an interval" : `${range} times as long`;
  return `${verdictCounts(view, comparisons)}, ${times}`;
}
