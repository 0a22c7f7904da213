import {
  type Choice,
  cheapestChoice,
  type LeastCost,
  type UndecidedCost,
} from "../../analysis/findings.ts";
import type { Recommendation } from "../../analysis/recommendation.ts";
import type { ReportView } from "../../analysis/report-view.ts";
import { shortLabel, sizeLabel } from "../document/cell-labels.ts";
import { link, type Span, strong, type Text } from "../document/document.ts";
import { count, plural, shareText, usdText } from "../document/format.ts";
import { howRunLost } from "../lost-calls-text.ts";
import { sizeCostRowId } from "../section/recommendation.ts";
import {
  isShownInPercent,
  joined,
  joinedSizes,
  percentText,
  roundedTimes,
  timesText,
} from "./number-phrases.ts";

/** Recommends a variant and a size for the requested traffic, and says what the others cost. */
export function adviceText(view: ReportView): Text {
  const { recommendation } = view;
  if (recommendation === undefined) {
    return "No size is recommended: no warm call was measured.";
  }
  const choice = cheapestChoice(recommendation, view.margin);
  if (choice === undefined) return `No size is recommended: ${noChoiceText(view)}.`;
  const { cheapest, dearer } = choice;
  const isMinor = hardlyDecides(view, choice);
  const shown = isMinor ? dearer.slice(-1) : shownDearer(dearer);
  return [
    strong(trafficText(recommendation)),
    ...takeSpans(view, cheapest),
    ...alikeTexts(view, choice).map((text) => `; ${text}`),
    ...shown.flatMap((other, index) => dearerSpans(view, other, { index, isMinor })),
    `${isMinor ? "; cost hardly decides" : ""}.`,
    ...leftOutTexts(view).map((text) => ` ${text}`),
  ];
}

/** Returns `head at 512 MB is left out: 8 calls failed, answered wrongly or did not report.` */
function leftOutTexts({ recommendation, ...view }: ReportView): readonly string[] {
  const { leftOut = [] } = recommendation ?? {};
  const [first, ...others] = leftOut;
  if (first === undefined) return [];
  const place = ({ cell }: typeof first) =>
    `${shortLabel(view, cell.variant)} at ${sizeLabel(view, cell)}`;
  const lost = plural(first.lost, "call");
  return others.length === 0
    ? [`${place(first)} is left out: ${lost} ${howRunLost(view.manifest)}.`]
    : [
        `${plural(leftOut.length, "size")} are left out, as calls ${howRunLost(view.manifest)}: ${joined([place(first), ...others.slice(0, 1).map(place), ...(others.length > 1 ? [plural(others.length - 1, "other")] : [])], "and")}.`,
      ];
}

function noChoiceText(view: ReportView): string {
  const { leftOut = [], variants = [] } = view.recommendation ?? {};
  return leftOut.length > 0 && variants.length === 0
    ? `calls ${howRunLost(view.manifest)} at every size`
    : noCostText(view);
}

/** Returns the fastest size of the cheapest variant and its cost. Undefined if undecided, or if it is the same size. */
export function fastestText(view: ReportView): Text | undefined {
  const { recommendation } = view;
  const choice = recommendation && cheapestChoice(recommendation, view.margin);
  const spans = choice === undefined ? [] : fastestSpans(view, choice.cheapest);
  return spans.length === 0 ? undefined : spans;
}

/**
 * Returns ` take Rust at 128 MB, $0.21 per million calls ($0.20 of it the request fee)`, or for the sizes of one
 * function ` take 128 or 256 MB, $0.27–0.28/million ($0.20 fee)`, which fits in one line below its table.
 */
function takeSpans(view: ReportView, choice: LeastCost): readonly Span[] {
  const { variants, cells, cost } = view;
  const isOnSizes = variants.length === 1 && cells.length > 1;
  const subject = isOnSizes ? "" : `${shortLabel(view, choice.variant)} at `;
  const fee = cost.requestUsdPerMillion;
  const prices = pricesText(choice);
  const isShort = prices.includes("–");
  const feePart = isShort ? " fee" : isOnSizes ? " request fee" : " of it the request fee";
  return [
    ` take ${subject}${sizesText(view, choice)}, `,
    link(prices, sizeCostRowId(view, choice.size)),
    isOnSizes || isShort ? "/million" : " per million calls",
    fee === undefined ? "" : ` (${usdText(fee)}${feePart})`,
  ];
}

/** Returns whether the request fee, which is the same for all, is most of the cost of every other variant. */
function hardlyDecides({ cost }: ReportView, choice: Choice): boolean {
  const { alike, undecided, dearer } = choice;
  const others = [...alike, ...undecided, ...dearer].map(({ size }) => size.usdPerMillion);
  const { requestUsdPerMillion: fee = 0 } = cost;
  return others.length > 0 && others.every((usd) => fee > usd / 2);
}

const mostNamed = 2;

/** Returns why there is no cost: no region, no price for it, or no calls. */
function noCostText({ cost, manifest }: ReportView): string {
  const priced = cost.cells.filter(({ priceAbsent }) => priceAbsent === undefined);
  if (cost.cells.length > 0 && priced.length === 0) {
    return manifest.region === undefined && manifest.target !== "local"
      ? "the region is not recorded, and so no price is known"
      : `no price of ${cost.pricesRegion} is known`;
  }
  const isWarm = priced.some(({ warm }) => warm.some(({ environments }) => environments > 0));
  const isCold = priced.some(({ coldEnvironments }) => coldEnvironments > 0);
  const missing = [...(isWarm ? [] : ["warm call"]), ...(isCold ? [] : ["cold start"])];
  return missing.length === 0
    ? "no variant has both a cold start and a warm call that count"
    : `no ${joined(missing, "and no")} with a bill counts`;
}

/** Names the variants that cost the same, and those whose cost is undecided. */
function alikeTexts(view: ReportView, { alike, undecided }: Choice): readonly string[] {
  const open = (reason: UndecidedCost["reason"]) =>
    undecided.filter((other) => other.reason === reason);
  const [few, crossing] = [open("too-few"), open("interval-crosses-margin")];
  const cost = alike.length === 1 ? "costs" : "cost";
  return [
    ...(alike.length === 0
      ? []
      : [`${costsText(view, alike, "and")} ${cost} the same within ${shareText(view.margin)}`]),
    ...(crossing.length === 0
      ? []
      : [`whether ${costsText(view, crossing, "or")} costs more is undecided`]),
    ...(few.length === 0
      ? []
      : [
          `whether ${costsText(view, few, "or")} costs more is undecided: too few environments for an interval`,
        ]),
  ];
}

/** Returns `Python at 512 MB ($0.27)`: names the first few and counts the rest. */
function costsText(view: ReportView, others: readonly LeastCost[], word: "and" | "or"): string {
  const named = others
    .slice(0, mostNamed)
    .map((other) => `${placeText(view, other)} (${pricesText(other)})`);
  const notNamed = others.length - named.length;
  return joined(notNamed === 0 ? named : [...named, plural(notNamed, "other variant")], word);
}

/** Keeps the least and the most expensive variant. The table shows the others. */
function shownDearer(dearer: Choice["dearer"]): Choice["dearer"] {
  return dearer.filter((_, index) => index === 0 || index === dearer.length - 1);
}

/** Returns `; Python costs 2.5× as much`, or `; Python 1.2×` if cost hardly decides. Later ones omit the verb. */
function dearerSpans(
  view: ReportView,
  { variant, size, multiple }: Choice["dearer"][number],
  { index, isMinor }: { readonly index: number; readonly isMinor: boolean },
): readonly Span[] {
  const times = roundedTimes(multiple);
  const inPercent = isShownInPercent(times);
  const amount = link(inPercent ? percentText(times) : timesText(times), sizeCostRowId(view, size));
  const [joint, verb] = index === 0 ? ["; ", isMinor ? " " : " costs "] : [", ", " "];
  const unit = inPercent ? "% more" : isMinor ? "×" : "× as much";
  return [`${joint}${shortLabel(view, variant)}${verb}`, amount, unit];
}

/** Returns `Python is fastest at 1,769 MB, $0.39 per million calls.` */
function fastestSpans(view: ReportView, { variant, size }: LeastCost): readonly Span[] {
  const found = view.recommendation?.variants.find((each) => each.variant === variant);
  if (found?.fastest.kind !== "decided" || found.fastest.cell.id === size.cell.id) return [];
  const { cell } = found.fastest;
  const quickest = found.sizes.find((each) => each.cell.id === cell.id);
  const usd = quickest?.usdPerMillion;
  const costs: readonly Span[] =
    quickest === undefined || usd === undefined
      ? []
      : [", ", link(usdText(usd), sizeCostRowId(view, quickest)), " per million calls"];
  return [`${shortLabel(view, variant)} is fastest at ${sizeLabel(view, cell)}`, ...costs, "."];
}

/** Returns `128 or 256 MB`: the size, and those whose cost may be the same. */
function sizesText(view: ReportView, { size, alike }: LeastCost): string {
  const [first, ...others] = [size, ...alike].map(({ cell }) => sizeLabel(view, cell));
  return others.length > mostNamed
    ? `${first} (in cost this run cannot tell ${plural(others.length, "other size")} from it)`
    : joinedSizes([first as string, ...others], "or");
}

/** Returns `$0.24–0.26`: the lowest and the highest price of the sizes that sizesText names. */
function pricesText({ size, alike }: LeastCost): string {
  const named = alike.length > mostNamed ? [size] : [size, ...alike];
  const prices = named.flatMap(({ usdPerMillion }) => usdPerMillion ?? []);
  const [least, most] = [Math.min(...prices), Math.max(...prices)].map(usdText);
  return least === most ? `${least}` : `${least}–${most?.slice(1)}`;
}

function placeText(view: ReportView, choice: LeastCost): string {
  return `${shortLabel(view, choice.variant)} at ${sizesText(view, choice)}`;
}

/** Returns `Assuming 1% cold starts:`, or the share in an imported log: `At the log's 8% cold starts (12 of 150):`. */
function trafficText({ coldShare, logged }: Recommendation): string {
  if (logged === undefined) return `Assuming ${shareText(coldShare)} cold starts:`;
  const { cold, warm } = logged;
  return `At the log's ${shareText(coldShare)} cold starts (${count(cold)} of ${plural(cold + warm, "call")}):`;
}
