import { variantLabel } from "../../analysis/report-subject.ts";
import type { ReportView } from "../../analysis/report-view.ts";
import type { Row } from "../../analysis/rows.ts";
import type { Cell } from "../../contract/types/contract.ts";
import { sizeLabel } from "../document/cell-labels.ts";
import {
  link,
  makeTable,
  numberColumn,
  rowHeader,
  type Span,
  type Table,
  type Text,
} from "../document/document.ts";
import { groupedNumber, missing, number, percent, plural, shortSpan } from "../document/format.ts";
import { summaryRowId } from "../section/summary-table.ts";
import { shortLabel } from "./view-topics.ts";
import { shownRow, warmOperation } from "./warm-operation.ts";

/** The most rows of the first screen's table. */
export const mostRows = 6;
/** The most sizes shown side by side: the smallest, the largest and some between. */
const mostColumns = 3;

/** Returns a table of the variants by size: cold start and warm call as measured, and the ratios to the baseline. */
export function variantTable(view: ReportView): Table | undefined {
  if (view.series.every(({ n }) => n === 0)) return undefined;
  const sizes = shownSizes(view);
  const rows = tableRows(view);
  return makeTable<AnswerRow>(
    { id: "answer", caption: captionText(view, rows) },
    [
      rowHeader(callsText(view), ({ label }) => label),
      ...sizes.map((cells) =>
        numberColumn<AnswerRow>(sizeLabel(view, cells[0] as Cell), ({ cellText }) =>
          cellText(cells),
        ),
      ),
    ],
    rows,
  );
}

interface AnswerRow {
  readonly label: string;
  readonly variant: string;
  cellText(cells: readonly Cell[]): Text;
}

/** Returns `cold start (warm get), ms`. */
function callsText(view: ReportView): string {
  const warm = warmOperation(view);
  const call = warm === undefined ? "" : ` (warm ${warm.name})`;
  return `cold start${call}, ms`;
}

/** Returns the smallest and the largest size, and as many between as fit. */
function shownSizes(view: ReportView): readonly (readonly Cell[])[] {
  const sizes = view.sizes.toSorted(([a], [b]) => (a?.memoryMb ?? 0) - (b?.memoryMb ?? 0));
  return spread(sizes, mostColumns);
}

/** Returns the first and the last item, and as many between as fit, evenly spaced. */
export function spread<Item>(items: readonly Item[], most: number): readonly Item[] {
  if (items.length <= most) return items;
  const step = (items.length - 1) / (most - 1);
  return Array.from({ length: most }, (_, index) => items[Math.round(index * step)] as Item);
}

/** Returns the rows of the variants, then as many ratios as fit. */
function tableRows(view: ReportView): readonly AnswerRow[] {
  const { baselineVariant } = view.subject;
  const shown = shownVariants(view);
  const hasRatios = view.onLambda === undefined || view.onLambda.ratios.length > 0;
  const others =
    hasRatios && shown.includes(baselineVariant)
      ? shown.filter((variant) => variant !== baselineVariant)
      : [];
  const ratios = others.slice(-(mostRows - shown.length)).filter(() => shown.length < mostRows);
  return [
    ...shown.map(
      (variant): AnswerRow => ({
        label: shortLabel(view, variant),
        variant,
        cellText: (cells) => timesText(view, cells, variant),
      }),
    ),
    ...ratios.map(
      (variant): AnswerRow => ({
        label: `${shortLabel(view, variant)}/${shortLabel(view, baselineVariant)}${view.onLambda === undefined ? "" : " on Lambda"}`,
        variant,
        cellText: (cells) => ratiosText(view, cells, variant),
      }),
    ),
  ];
}

/** Returns all variants if a row is left for a ratio; otherwise the baseline, the quickest and the slowest. */
function shownVariants(view: ReportView): readonly string[] {
  const variants = view.variants;
  if (variants.length < mostRows) return variants;
  const ranked = variants.toSorted((a, b) => meanTime(view, a) - meanTime(view, b));
  const shown = [variants[0], ranked[0], ranked.at(-1)];
  return variants.filter((variant) => shown.includes(variant));
}

/** Returns the geometric mean of a variant's cold starts, or of its warm calls if it has none. */
function meanTime(view: ReportView, variant: string): number {
  const meansOf = (phase: "cold" | "warm", quantity: "initAndDurationMs" | "durationMs") =>
    view.rows[phase]
      .filter(({ cell }) => cell.variant === variant)
      .flatMap((series) => series[quantity]?.mean ?? []);
  const cold = meansOf("cold", "initAndDurationMs");
  const means = cold.length > 0 ? cold : meansOf("warm", "durationMs");
  if (means.length === 0) return Number.POSITIVE_INFINITY;
  return Math.exp(means.reduce((sum, mean) => sum + Math.log(mean), 0) / means.length);
}

/** Returns `297 (4.00)`, each figure a link to its row below. */
function timesText(view: ReportView, cells: readonly Cell[], variant: string): Text {
  const cell = cells.find((each) => each.variant === variant);
  const cold = shownRow(view, cell, "cold");
  const warm = shownRow(view, cell, "warm");
  return bracketed(
    view,
    figureSpan(view, cold, cold?.initAndDurationMs?.mean),
    figureSpan(view, warm, warm?.durationMs.mean),
  );
}

function bracketed(view: ReportView, cold: Span, warm: Span): Text {
  return warmOperation(view) === undefined ? [cold] : [cold, " (", warm, ")"];
}

function figureSpan(view: ReportView, series: Row | undefined, mean: number | undefined): Span {
  if (series === undefined || mean === undefined) return missing;
  return link(groupedNumber(mean), summaryRowId(view, series));
}

function ratiosText(view: ReportView, cells: readonly Cell[], variant: string): Text {
  const cell = cells.find((each) => each.variant === variant);
  return bracketed(
    view,
    ratioSpan(view, shownRow(view, cell, "cold"), "initAndDurationMs"),
    ratioSpan(view, shownRow(view, cell, "warm"), "durationMs"),
  );
}

/** Returns the range on Lambda for a local run; otherwise the ratio, `~` if equivalent or `?` if undecided. */
function ratioSpan(
  view: ReportView,
  row: Row | undefined,
  quantity: "initAndDurationMs" | "durationMs",
): Span {
  const compared = row?.compared[quantity];
  if (compared === undefined) return missing;
  if (view.onLambda !== undefined) {
    return compared.onLambda === undefined ? missing : shortSpan(compared.onLambda);
  }
  if (compared.verdict === "undecided" || compared.ratio === undefined) return "?";
  if (compared.verdict === "equivalent") return "~";
  return link(`${number(compared.ratio, 2)}×`, summaryRowId(view, compared));
}

/** Says what the table shows, and how many variants and sizes it omits. */
function captionText(view: ReportView, rows: readonly AnswerRow[]): string {
  const hasRatios = rows.length > new Set(rows.map(({ variant }) => variant)).size;
  const shown = new Set(rows.map(({ variant }) => variant)).size;
  const others = view.variants.length - shown;
  const sizes = view.sizes.length - shownSizes(view).length;
  const notShown = [
    ...(others === 0 ? [] : [plural(others, "other variant")]),
    ...(sizes === 0 ? [] : [plural(sizes, "other size")]),
  ];
  return [
    `Means${view.simulated ? ", simulated" : ""}, ms: Init and first Duration together${warmOperation(view) === undefined ? "" : ", in brackets the warm Duration"}.`,
    ...(hasRatios ? [ratioCaption(view)] : []),
    ...(notShown.length === 0 ? [] : [`Not shown here: ${notShown.join(" and ")}.`]),
  ].join(" ");
}

function ratioCaption(view: ReportView): string {
  const baseline = variantLabel(view.subject, view.subject.baselineVariant);
  return view.onLambda === undefined
    ? `Ratios are to ${baseline}: ~ is the same within ${percent(view.margin)}, ? is undecided.`
    : `Ratios to ${baseline} are 90% ranges on Lambda.`;
}
