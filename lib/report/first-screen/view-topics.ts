import type { Comparison } from "../../analysis/comparisons.ts";
import { type ReportSubject, variantLabel } from "../../analysis/report-subject.ts";
import type { ReportView } from "../../analysis/report-view.ts";
import type { RowComparison } from "../../analysis/rows.ts";
import { sizeLabel } from "../document/cell-labels.ts";
import { comparisonsOf } from "../section/columns.ts";
import { summaryRowId } from "../section/summary-table.ts";
import { type Placed, startPhrases, type Topic, warmPhrases } from "./topic.ts";

/**
 * Returns the label without its part in brackets. If several variants would then share a label, only the baseline is
 * shortened: `Rust` and `Rust (tuned build)`.
 */
export function shortLabel(view: ReportView, variant: string): string {
  const short = (id: string) => shortened(view.subject, id);
  const isShared = view.variants.some((id) => id !== variant && short(id) === short(variant));
  return isShared && variant !== view.subject.baselineVariant
    ? variantLabel(view.subject, variant)
    : short(variant);
}

function shortened(subject: ReportSubject, variant: string): string {
  const label = variantLabel(subject, variant);
  const short = label.replace(/ \([^()]*\)$/, "");
  return short === "" ? label : short;
}

/** Compares every variant with the baseline: the cold start (Init plus the first Duration), and a warm call. */
export function viewTopics(view: ReportView): readonly Topic[] {
  return [
    ...topicsOf(view, startPhrases, "cold", "initAndDurationMs"),
    ...topicsOf(view, warmPhrases, "warm", "durationMs"),
  ];
}

/** Returns every variant's comparisons of one quantity with the baseline. */
export function topicsOf(
  view: ReportView,
  phrases: Topic["phrases"],
  phase: Comparison["phase"],
  quantity: Comparison["quantity"],
): readonly Topic[] {
  const { baselineVariant } = view.subject;
  return view.variants
    .filter((variant) => variant !== baselineVariant)
    .map((variant) => ({
      subject: shortLabel(view, variant),
      against: shortLabel(view, baselineVariant),
      phrases,
      compared: comparisonsOf(view, variant, phase, quantity).map((each) => placed(view, each)),
    }));
}

function placed(view: ReportView, comparison: RowComparison): Placed {
  return {
    ...comparison,
    row: summaryRowId(view, comparison),
    size: sizeLabel(view, comparison.cell),
  };
}
