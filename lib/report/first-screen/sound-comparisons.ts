import type { Comparison } from "../../analysis/comparisons.ts";
import type { ReportView } from "../../analysis/report-view.ts";
import type { RowComparison } from "../../analysis/rows.ts";
import { shortLabel, sizeLabel } from "../document/cell-labels.ts";
import { notComparedPhrase, type Phrase } from "../phrases.ts";
import { comparisonsOf } from "../section/columns.ts";
import { joinedSizes } from "./number-phrases.ts";

/**
 * Returns a variant's comparisons of one quantity with the baseline, without those of a cell that lost calls. A gate
 * does not compare such a cell either: the calls that are left may be the easy ones.
 */
export function soundComparisons(
  view: ReportView,
  variant: string,
  phase: Comparison["phase"],
  quantity: Comparison["quantity"],
): readonly RowComparison[] {
  return comparisonsOf(view, variant, phase, quantity).filter(isSound);
}

/** Returns whether neither side of the comparison lost calls. */
export function isSound({ unsound }: Pick<Comparison, "unsound">): boolean {
  return unsound === undefined;
}

/** Returns `Not compared: 8 of 90 warm calls of head at 512 MB failed.`, one for each variant that lost calls. */
export function unsoundTexts(view: ReportView): readonly Phrase[] {
  if (view.variants.length < 2) return [];
  const found = new Map(
    view.comparisons.variants.flatMap(({ unsound }) =>
      unsound === undefined ? [] : [[`${unsound.cellId} ${unsound.phases.join()}`, unsound]],
    ),
  );
  return view.variants.flatMap((variant) => {
    const own = view.cells.filter((cell) => cell.variant === variant);
    const unsound = [...found.values()].filter(({ cellId }) => own.some(({ id }) => id === cellId));
    if (unsound.length === 0) return [];
    const lossy = own.filter(({ id }) => unsound.some(({ cellId }) => cellId === id));
    const sizes = joinedSizes(lossy.map((cell) => sizeLabel(view, cell)));
    const place = lossy.length === own.length ? "" : ` at ${sizes}`;
    return [notComparedPhrase(`${shortLabel(view, variant)}${place}`, unsound)];
  });
}
