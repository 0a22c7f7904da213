import type { Comparison } from "../../analysis/comparisons.ts";
import type { ReportView } from "../../analysis/report-view.ts";
import type { RowComparison } from "../../analysis/rows.ts";
import { shortLabel, sizeLabel } from "../document/cell-labels.ts";
import { summaryRowId } from "../section/summary-table.ts";
import { soundComparisons } from "./sound-comparisons.ts";
import { callWords, type Placed, type Topic } from "./topic.ts";

/** Compares every variant with the baseline: the cold start (Init plus the first Duration), and a warm call. */
export function viewTopics(view: ReportView): readonly Topic[] {
  return [...topicsOf(view, "cold", "initAndDurationMs"), ...topicsOf(view, "warm", "durationMs")];
}

/** Returns every variant's sound comparisons of one quantity with the baseline. */
export function topicsOf(
  view: ReportView,
  phase: Comparison["phase"],
  quantity: Comparison["quantity"],
): readonly Topic[] {
  const { baselineVariant } = view.subject;
  return view.variants
    .filter((variant) => variant !== baselineVariant)
    .map((variant) => ({
      subject: shortLabel(view, variant),
      against: shortLabel(view, baselineVariant),
      call: callWords[phase],
      compared: soundComparisons(view, variant, phase, quantity).map((each) => placed(view, each)),
    }));
}

function placed(view: ReportView, comparison: RowComparison): Placed {
  return {
    ...comparison,
    row: summaryRowId(view, comparison),
    size: sizeLabel(view, comparison.cell),
  };
}
