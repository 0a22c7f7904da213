import { dimensionsOf, sizeLabel } from "../document/cell-labels.ts";
import { ratioText } from "../document/format-measure.ts";
import type { Comparison } from "../view/comparisons.ts";
import type { ReportView } from "../view/report-view.ts";

/** A comparison that has a ratio, and what tells it apart in a sentence. */
export interface LabelledRatio extends Comparison {
  readonly ratio: number;
  readonly label: string;
}

/** `put, 512 MB`; a dimension that does not vary in the sentence's comparisons is still told. */
export function comparisonLabel(view: ReportView, comparison: Comparison): string {
  const size = sizeLabel(view, comparison.cell);
  return comparison.phase === "warm" ? `${comparison.operation}, ${size}` : size;
}

/** The smallest and the largest ratio, each with its interval and where it was found. */
export function ratioRange(ratios: readonly LabelledRatio[]): string {
  const sorted = [...ratios].sort((a, b) => a.ratio - b.ratio);
  const text = (ratio: LabelledRatio) => `${ratioText(ratio)} (${ratio.label})`;
  const least = sorted[0] as LabelledRatio;
  const most = sorted.at(-1) as LabelledRatio;
  return least === most ? text(least) : `${text(least)} to ${text(most)}`;
}

/** Architectures of the run, each to be told apart only when there are several. */
export function architecturesOf(view: ReportView): readonly (string | undefined)[] {
  if (!dimensionsOf(view).architecture) return [undefined];
  return [...new Set(view.plan.cells.map((cell) => cell.architecture))];
}
