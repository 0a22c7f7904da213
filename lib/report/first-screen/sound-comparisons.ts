import type { Comparison } from "../../analysis/comparisons.ts";
import type { ReportView } from "../../analysis/report-view.ts";
import type { RowComparison } from "../../analysis/rows.ts";
import type { Cell } from "../../contract/types/contract.ts";
import { shortLabel, sizeLabel } from "../document/cell-labels.ts";
import { count } from "../document/format.ts";
import { howRunLost } from "../lost-calls-text.ts";
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

function lostAt({ comparisons }: ReportView, { id }: Pick<Cell, "id">): number {
  const own = comparisons.variants.flatMap(({ unsound }) =>
    unsound?.cellId === id ? unsound.calls : [],
  );
  return Math.max(0, ...own);
}

/** Returns `head at 512 MB is not compared with base: 8 of its calls failed, answered wrongly or did not report.`, one per variant. */
export function unsoundTexts(view: ReportView): readonly string[] {
  const { variants, cells, subject } = view;
  if (variants.length < 2) return [];
  return variants.flatMap((variant) => {
    const own = cells.filter((cell) => cell.variant === variant);
    const lossy = own.filter((cell) => lostAt(view, cell) > 0);
    if (lossy.length === 0) return [];
    const lost = lossy.reduce((sum, cell) => sum + lostAt(view, cell), 0);
    const sizes = joinedSizes(lossy.map((cell) => sizeLabel(view, cell)));
    const name = `${shortLabel(view, variant)}${lossy.length === own.length ? "" : ` at ${sizes}`}`;
    const isBaseline = variant === subject.baselineVariant;
    const what = isBaseline
      ? `Nothing is compared with ${name}`
      : `${name} is not compared with ${shortLabel(view, subject.baselineVariant)}`;
    return [`${what}: ${count(lost)} of its calls ${howRunLost(view.manifest)}.`];
  });
}
