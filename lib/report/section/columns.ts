import type { Comparison } from "../../analysis/comparisons.ts";
import type { PublishedSource } from "../../analysis/published.ts";
import type { ReportView } from "../../analysis/report-view.ts";
import type { Row, RowComparison } from "../../analysis/rows.ts";
import type { Compared } from "../../analysis/series-ratio.ts";
import { groupBy } from "../../contract/group-by.ts";
import type { Cell } from "../../contract/types/contract.ts";
import { sizeLabel } from "../document/cell-labels.ts";
import { type Block, paragraph, type Table } from "../document/document.ts";
import {
  count,
  number,
  ratioText,
  shareText,
  verdictText,
  verdictWords,
} from "../document/format.ts";

/** Returns whether the source has a figure for any of the rows. If not, there is no column. */
export function hasPublished(rows: readonly Row[]): boolean {
  return rows.some(({ published }) => published !== undefined);
}

/** Returns the part of a caption that states the conditions of the published figures. */
export function publishedCaption(view: ReportView, isPublished: boolean): string {
  const { published } = view;
  if (!isPublished || published === undefined) return "";
  return publishedConditions(view, "figures", publishedPlace(published));
}

/** Returns the sentence of a caption that says where published figures were measured. */
export function publishedConditions(
  { simulated }: Pick<ReportView, "simulated">,
  figures: string,
  place: string,
): string {
  const comparable = simulated ? "; absolute times there and here are not comparable" : "";
  return ` Published: the source's own ${figures} (${place}${comparable}); no statistic uses them.`;
}

/** Returns the sentence of a caption that says that costs of a local run are not an actual bill; empty on AWS. */
export function simulatedBillNote({ simulated }: Pick<ReportView, "simulated">): string {
  return simulated ? " As if AWS had billed these durations: simulated, not an actual bill." : "";
}

/** Returns `AWS Lambda, ap-northeast-1, arm64, 128 MB`. */
export function publishedPlace({ conditions }: Pick<PublishedSource, "conditions">): string {
  const { region, architecture, memoryMb } = conditions;
  const size = memoryMb === undefined ? undefined : `${count(memoryMb)} MB`;
  return ["AWS Lambda", region, architecture, size].filter((part) => part !== undefined).join(", ");
}

/** Returns the published ratio, which is to the source's baseline; undefined if this run has a different baseline. */
export function publishedRatio(
  view: ReportView,
  { published }: Row,
  quantity: "durationMs" | "sdkCallMs",
): number | undefined {
  if (view.published?.baselineVariant !== view.subject.baselineVariant) return undefined;
  return quantity === "durationMs" ? published?.durationRatio : published?.sdkCallRatio;
}

/** A figure with its interval and its place. */
interface Placed {
  readonly value: number | undefined;
  readonly text: string;
}

/** Returns the smallest and the largest figure, each with its own text. Returns undefined if there is none. */
export function rangeText(figures: readonly Placed[]): string | undefined {
  const known = figures.filter((figure) => figure.value !== undefined);
  const sorted = known.sort((a, b) => (a.value ?? 0) - (b.value ?? 0));
  const least = sorted[0];
  const most = sorted.at(-1);
  if (least === undefined || most === undefined) return undefined;
  return least.text === most.text ? least.text : `${least.text} to ${most.text}`;
}

/** Returns the smallest and the largest ratio, each with its interval and its place. */
export function ratioRange(
  view: ReportView,
  comparisons: readonly Comparison[],
): string | undefined {
  return rangeText(
    comparisons.map((comparison) => ({
      value: comparison.ratio,
      text: `${ratioText(comparison)} (${formatPlace(view, comparison)})`,
    })),
  );
}

/** Returns `0.5 [..] (512 MB) to ... times as long`, or `no ratio has an interval`. */
function timesText(view: ReportView, comparisons: readonly Comparison[]): string {
  const range = ratioRange(view, comparisons);
  return range === undefined ? "no ratio has an interval" : `${range} times as long`;
}

/** Returns `34.3 to 827 ms`: the smallest and the largest measured value, for a section's takeaway. */
export function spanText(values: readonly (number | undefined)[], unit = "ms"): string {
  const known = values.filter((value) => value !== undefined);
  if (known.length === 0) return "Nothing was measured.";
  const ends = [Math.min(...known), Math.max(...known)].map((value) =>
    unit === "$" ? `$${number(value)}` : number(value),
  );
  return `${[...new Set(ends)].join(" to ")}${unit === "$" ? "" : ` ${unit}`}.`;
}

/** Returns a variant's comparisons of one quantity with the baseline, size by size. */
export function comparisonsOf(
  view: ReportView,
  variant: string,
  phase: Comparison["phase"],
  quantity: Comparison["quantity"],
): readonly RowComparison[] {
  return view.comparisons.variants.filter(
    (comparison) =>
      comparison.cell.variant === variant &&
      comparison.phase === phase &&
      comparison.quantity === quantity,
  );
}

/** Groups rows by variant and architecture, in order of first appearance. */
export function byVariant<Row extends { readonly cell: Cell }>(
  rows: readonly Row[],
): readonly (readonly [Row, ...Row[]])[] {
  const keyOf = ({ cell }: Row) => JSON.stringify([cell.variant, cell.architecture]);
  return [...groupBy(rows, keyOf).values()];
}

/** Returns `put, 512 MB` for a warm comparison and `512 MB` for a cold one: a run has only one cold operation. */
function formatPlace(view: ReportView, comparison: Comparison): string {
  const size = sizeLabel(view, comparison.cell);
  return comparison.phase === "warm" ? `${comparison.operation}, ${size}` : size;
}

/** Whether a quantity is a time or an amount, such as a cost. */
export type Sense = "time" | "amount";

const verdictPhrases = {
  time: { slower: "slower", faster: "faster" },
  amount: { slower: "more", faster: "less" },
} as const;

/** Counts the comparisons with each verdict. */
export function verdictCounts(
  view: ReportView,
  comparisons: readonly Compared[],
  sense: Sense = "time",
): string {
  const total = comparisons.length;
  const texts = [
    ["slower", verdictPhrases[sense].slower],
    ["faster", verdictPhrases[sense].faster],
    ["equivalent", `${verdictWords.equivalent} (within ${shareText(view.margin)})`],
    ["undecided", `${verdictWords.undecided}${undecidedText(comparisons)}`],
  ] as const;
  const found = texts.flatMap(([verdict, phrase]) => {
    const n = comparisons.filter((comparison) => comparison.verdict === verdict).length;
    return n === 0 ? [] : [{ phrase, n }];
  });
  const [only] = found;
  if (only !== undefined && found.length === 1) {
    return total === 1 ? only.phrase : `${only.phrase} in all ${total} comparisons`;
  }
  return `${found.map(({ phrase, n }) => `${phrase} in ${n}`).join(", ")} of ${total} comparisons`;
}

/** Counts the comparisons that are not significant after correction, and those that differ by an unknown amount. */
function undecidedText(comparisons: readonly Compared[]): string {
  const reasons = [
    ["one-of-many", `not significant after correction`],
    ["differs", "different, but possibly by less than the margin"],
  ] as const;
  const found = reasons.flatMap(([reason, phrase]) => {
    const n = comparisons.filter(({ undecidedReason }) => undecidedReason === reason).length;
    return n === 0 ? [] : [`${n} ${phrase}`];
  });
  return found.length === 0 ? "" : ` (${found.join(", ")})`;
}

/** Returns the number of comparisons with each verdict, and the range of ratios. */
export function sentence(view: ReportView, comparisons: readonly Comparison[]): string {
  return ` ${verdictCounts(view, comparisons)}; ${timesText(view, comparisons)}.`;
}

/** Like verdictText, but for an amount: less or more instead of faster or slower. */
export function senseText(compared: Compared | undefined, sense: Sense): string {
  const verdict = compared?.verdict;
  return verdict === "faster" || verdict === "slower"
    ? verdictPhrases[sense][verdict]
    : verdictText(compared);
}

/** Returns a block, with its attempt if the trial was repeated. */
export function blockText({ block, attempt = 0 }: { block: number; attempt?: number }): string {
  return attempt === 0 ? String(block) : `${block}, attempt ${attempt}`;
}

/** The most rows listed on a page. The data has all. */
const onPage = {
  room: 1000,
  more: (n: number) => `${count(n)} more rows are in summary.json and in the samples.`,
};

/** Returns a table of the first rows, and the number of rows omitted. */
export function limited<Row>(
  rows: readonly Row[],
  tableFor: (rows: readonly Row[]) => Table,
  { room, more } = onPage,
): readonly Block[] {
  const table = tableFor(rows.slice(0, room));
  return rows.length <= room ? [table] : [table, paragraph(more(rows.length - room))];
}
