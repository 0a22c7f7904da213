import type { Comparison } from "../../analysis/comparisons.ts";
import { type LambdaDirection, lambdaDirection } from "../../analysis/on-lambda.ts";
import { variantLabel } from "../../analysis/report-subject.ts";
import type { ReportView } from "../../analysis/report-view.ts";
import type { Row, RowComparison } from "../../analysis/rows.ts";
import type { Cell } from "../../contract/types/contract.ts";
import { shortLabel, sizeLabel } from "../document/cell-labels.ts";
import {
  link,
  makeTable,
  numberColumn,
  rowHeader,
  type Span,
  type Table,
  type Text,
  verdictColumn,
} from "../document/document.ts";
import {
  groupedNumber,
  missing,
  number,
  plural,
  shareText,
  shortSpan,
  usdText,
  verdictWords,
} from "../document/format.ts";
import { sizeCostRowId } from "../section/recommendation.ts";
import { summaryRowId } from "../section/summary-table.ts";
import { joined } from "./number-phrases.ts";
import { isSound, soundComparisons } from "./sound-comparisons.ts";
import { shownRow, warmOperation } from "./warm-operation.ts";

/** The most rows of the first screen's table. */
export const mostRows = 6;
/** The most sizes shown side by side: the smallest, the largest and some between. */
const mostColumns = 3;

/** Returns a table of the variants by size: times and cost as measured, ratios to the baseline, and verdicts. */
export function variantTable(view: ReportView): Table | undefined {
  if (view.series.every(({ n }) => n === 0)) return undefined;
  const sizes = shownSizes(view);
  const rows = tableRows(view, sizes.flat());
  const unit = hasCosts(view) ? "ms, $/M" : "ms";
  return makeTable<AnswerRow>(
    { id: "answer", ...captioned(view, rows) },
    [
      rowHeader(callsText(view), ({ label }) => label),
      ...sizes.map((cells) =>
        numberColumn<AnswerRow>(`${sizeLabel(view, cells[0] as Cell)}, ${unit}`, ({ cellText }) =>
          cellText(cells),
        ),
      ),
      // A ratio that is not a range shows its verdict: `~` or `?`.
      view.onLambda === undefined
        ? undefined
        : verdictColumn<AnswerRow>("verdict", ({ verdict }) => verdict),
    ],
    rows,
  );
}

interface AnswerRow {
  readonly label: string;
  readonly variant: string;
  readonly isRatio: boolean;
  readonly verdict: string;
  cellText(cells: readonly Cell[]): Text;
}

/** A longer name of an operation leaves no room for two sizes. The sentences above the table have it. */
const longestCalls = 20;

/** Returns `cold (warm get)`. */
function callsText(view: ReportView): string {
  const warm = warmOperation(view);
  if (warm === undefined) return "cold start";
  const calls = `cold (warm ${warm.name})`;
  return calls.length <= longestCalls ? calls : "cold (warm)";
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

/** Returns the rows of the variants, and below as many of them as fit their ratios. */
function tableRows(view: ReportView, cells: readonly Cell[]): readonly AnswerRow[] {
  const shown = shownVariants(view);
  const compared = shown.filter((variant) => hasRatios(view, variant));
  const room = mostRows - shown.length;
  const withRatios =
    room > 0 && shown.includes(view.subject.baselineVariant) ? compared.slice(-room) : [];
  return shown.flatMap((variant) => [
    variantRow(view, variant, cells),
    ...(withRatios.includes(variant) ? [ratioRow(view, variant, cells)] : []),
  ]);
}

function variantRow(view: ReportView, variant: string, cells: readonly Cell[]): AnswerRow {
  const isBaseline = variant === view.subject.baselineVariant;
  const compared = shownComparisons(view, variant, cells);
  return {
    label: shortLabel(view, variant),
    variant,
    isRatio: false,
    verdict: isBaseline ? "baseline" : verdictWord(compared.map(({ verdict }) => verdict)),
    cellText: (own) => timesText(view, own, variant),
  };
}

function ratioRow(view: ReportView, variant: string, cells: readonly Cell[]): AnswerRow {
  const ranges = shownComparisons(view, variant, cells).flatMap(({ onLambda }) => onLambda ?? []);
  const place = view.onLambda === undefined ? "" : " on Lambda";
  return {
    label: `vs. ${shortLabel(view, view.subject.baselineVariant)}${place}`,
    variant,
    isRatio: true,
    verdict: verdictWord(ranges.map(lambdaDirection)),
    cellText: (own) => ratiosText(view, own, variant),
  };
}

/** Returns whether any ratio of the variant can be shown: of a local run, only those predicted for Lambda are. */
function hasRatios(view: ReportView, variant: string): boolean {
  const compared = shownComparisons(view, variant, view.cells);
  return view.onLambda === undefined
    ? compared.length > 0
    : compared.some(({ onLambda }) => onLambda !== undefined);
}

/** Returns the variant's comparisons at these cells: of cold starts, and of the warm operation that is shown. */
function shownComparisons(
  view: ReportView,
  variant: string,
  cells: readonly Cell[],
): readonly RowComparison[] {
  const operation = warmOperation(view)?.operation;
  const cold = soundComparisons(view, variant, "cold", "initAndDurationMs");
  const warm = soundComparisons(view, variant, "warm", "durationMs");
  return [...cold, ...warm.filter((each) => each.operation === operation)].filter(({ cell }) =>
    cells.some(({ id }) => id === cell.id),
  );
}

type Word = Comparison["verdict"] | LambdaDirection;

/** Returns `slower`, `slower 2/4` if two of four comparisons are, `mixed`, or the word that all of them share. */
function verdictWord(words: readonly Word[]): string {
  const [first] = words;
  if (first === undefined) return missing;
  const timesOf = (wanted: Word) => words.filter((word) => word === wanted).length;
  const [slower, faster] = [timesOf("slower"), timesOf("faster")];
  if (slower > 0 && faster > 0) return "mixed";
  if (slower + faster > 0) {
    const n = slower + faster;
    return `${slower > 0 ? "slower" : "faster"}${n === words.length ? "" : ` ${n}/${words.length}`}`;
  }
  if (timesOf("equivalent") === words.length) return verdictWords.equivalent;
  return timesOf("either") > 0 ? "either" : verdictWords.undecided;
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

/** Returns `297 (4.00) $0.22`, each figure a link to its row below. */
function timesText(view: ReportView, cells: readonly Cell[], variant: string): Text {
  const cell = cells.find((each) => each.variant === variant);
  const cold = shownRow(view, cell, "cold");
  const warm = shownRow(view, cell, "warm");
  return [
    ...bracketed(
      view,
      figureSpan(view, cold, cold?.initAndDurationMs?.mean),
      figureSpan(view, warm, warm?.durationMs.mean),
    ),
    ...costSpans(view, cell),
  ];
}

function hasCosts({ recommendation }: ReportView): boolean {
  const sizes = (recommendation?.variants ?? []).flatMap((each) => each.sizes);
  return sizes.some(({ usdPerMillion }) => usdPerMillion !== undefined);
}

function costSpans(view: ReportView, cell: Cell | undefined): readonly Span[] {
  const choice = view.recommendation?.variants.find(({ variant }) => variant === cell?.variant);
  const size = choice?.sizes.find((each) => each.cell.id === cell?.id);
  if (size?.usdPerMillion === undefined) return [];
  return [" ", link(usdText(size.usdPerMillion), sizeCostRowId(view, size))];
}

function bracketed(view: ReportView, cold: Span, warm: Span): readonly Span[] {
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
  if (compared === undefined || !isSound(compared)) return missing;
  if (view.onLambda !== undefined) {
    return compared.onLambda === undefined ? missing : shortSpan(compared.onLambda);
  }
  if (compared.verdict === "undecided" || compared.ratio === undefined) return "?";
  if (compared.verdict === "equivalent") return "~";
  return link(`${number(compared.ratio, 2)}×`, summaryRowId(view, compared));
}

/** Says what the table shows, and how many variants and sizes it omits. */
function captioned(
  view: ReportView,
  rows: readonly AnswerRow[],
): Pick<Table, "caption" | "notShown"> {
  const others = view.variants.length - rows.filter(({ isRatio }) => !isRatio).length;
  const sizes = view.sizes.length - shownSizes(view).length;
  const left = [
    ...(others === 0 ? [] : [plural(others, "other variant")]),
    ...(sizes === 0 ? [] : [plural(sizes, "other size")]),
  ];
  const caption = [
    timesCaption(view),
    ...(rows.some(({ isRatio }) => isRatio) ? [ratioCaption(view)] : []),
    ...(left.length === 0 ? [] : [`Not shown here: ${joined(left)}.`]),
  ].join(" ");
  return {
    caption,
    ...(others > 0 && { notShown: `Not shown here: ${plural(others, "other variant")}.` }),
  };
}

function timesCaption(view: ReportView): string {
  const brackets = warmOperation(view) === undefined ? "" : ", in brackets the warm Duration";
  const cost = hasCosts(view) ? "; then $ per million calls" : "";
  return `Means${view.simulated ? ", simulated" : ""}, ms: Init and first Duration together${brackets}${cost}.`;
}

function ratioCaption(view: ReportView): string {
  const baseline = variantLabel(view.subject, view.subject.baselineVariant);
  return view.onLambda === undefined
    ? `Ratios are to ${baseline}: ~ is the same within ${shareText(view.margin)}, ? is undecided.`
    : `Ratios to ${baseline} are 90% ranges on Lambda. Verdicts count comparisons: slower 2/4 is slower in 2 of 4.`;
}
