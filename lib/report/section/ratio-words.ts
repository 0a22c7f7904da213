import { dimensionsOf, sizeLabel } from "../document/cell-labels.ts";
import { ratioText } from "../document/format-measure.ts";
import type { Comparison } from "../view/comparisons.ts";
import type { ReportView } from "../view/report-view.ts";

/** A figure with its interval, and where it was found. */
export interface Placed {
  readonly value: number | undefined;
  readonly text: string;
}

/** The smallest and the largest, each in its words; undefined where there is none. */
export function rangeText(figures: readonly Placed[]): string | undefined {
  const known = figures.filter((figure) => figure.value !== undefined);
  const sorted = known.sort((a, b) => (a.value ?? 0) - (b.value ?? 0));
  const least = sorted[0];
  const most = sorted.at(-1);
  if (least === undefined || most === undefined) return undefined;
  return least === most ? least.text : `${least.text} to ${most.text}`;
}

/** The smallest and the largest ratio, each with its interval and where it was found. */
export function ratioRange(
  view: ReportView,
  comparisons: readonly Comparison[],
): string | undefined {
  return rangeText(
    comparisons.map((comparison) => ({
      value: comparison.ratio,
      text: `${ratioText(comparison)} (${placeOf(view, comparison)})`,
    })),
  );
}

/** `put, 512 MB` of a warm comparison, `512 MB` of a cold one, whose operation is the run's only. */
function placeOf(view: ReportView, comparison: Comparison): string {
  const size = sizeLabel(view, comparison.cell);
  return comparison.phase === "warm" ? `${comparison.operation}, ${size}` : size;
}

/** Architectures of the run, each to be told apart only when there are several. */
export function architecturesOf(view: ReportView): readonly (string | undefined)[] {
  if (!dimensionsOf(view).architecture) return [undefined];
  return [...new Set(view.plan.cells.map((cell) => cell.architecture))];
}
