import {
  type Choice,
  cheapestChoice,
  type LeastCost,
  sizeToTake,
  type UndecidedCost,
} from "../../analysis/findings.ts";
import type { Recommendation } from "../../analysis/recommendation.ts";
import type { ReportView } from "../../analysis/report-view.ts";
import { shortLabel, sizeLabel } from "../document/cell-labels.ts";
import { link, type Span, strong, type Text } from "../document/document.ts";
import { count, number, plural, shareText, unlimitedText, usdText } from "../document/format.ts";
import { lossText } from "../lost-calls-text.ts";
import { sizeCostRowId } from "../section/recommendation.ts";
import { joined } from "./number-phrases.ts";

/** Recommends a variant and a size for the requested traffic, and says what the others cost. */
export function adviceText(view: ReportView): Text {
  const { recommendation } = view;
  if (recommendation === undefined) {
    return "No size is recommended: no warm call was measured.";
  }
  const choice = cheapestChoice(recommendation, view.margin);
  const isUnlimited = view.cost.cells.some((cell) => cell.isUnlimited);
  if (isUnlimited) return `No size is recommended: ${unlimitedText}.`;
  if (choice === undefined) return `No size is recommended: ${noChoiceText(view)}.`;
  return [
    ...takeSpans(view, recommendation, choice.cheapest),
    ...alikeTexts(view, choice).map((text) => ` ${text}`),
    ...shownDearer(choice, view.cost.requestUsdPerMillion).flatMap((other) =>
      dearerSpans(view, other),
    ),
    ...leftOutTexts(view).map((text) => ` ${text}`),
  ];
}

/** Returns `Take 256 MB: $0.51 per million (fee $0.20) at 1% cold, 33.1 ms warm. 128 MB, at $0.51, takes 2.1× as long.` */
function takeSpans(
  view: ReportView,
  traffic: Recommendation,
  cheapest: LeastCost,
): readonly Span[] {
  const { take, slower } = sizeToTake(cheapest);
  const { variants, cells, cost } = view;
  const isOnSizes = variants.length === 1 && cells.length > 1;
  const subject = isOnSizes ? "" : `${shortLabel(view, cheapest.variant)} at `;
  const fee = cost.requestUsdPerMillion;
  const time = take.warmMs === undefined ? "" : `, ${number(take.warmMs)} ms warm`;
  const [longest] = slower;
  const longer = (longest?.warmMs ?? 0) / (take.warmMs ?? Number.POSITIVE_INFINITY);
  return [
    strong(`Take ${subject}${sizeLabel(view, take.cell)}:`),
    " ",
    link(usdText(take.usdPerMillion), sizeCostRowId(view, take)),
    ` per million${fee === undefined ? "" : ` (fee ${usdText(fee)})`}`,
    ` at ${trafficText(traffic)}${time}.`,
    ...(longest === undefined || !(longer > 1 + view.margin)
      ? []
      : [
          ` ${sizeLabel(view, longest.cell)}, at `,
          link(usdText(longest.usdPerMillion), sizeCostRowId(view, longest)),
          `, takes ${number(longer, 1)}× as long.`,
        ]),
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
  const how = lossText(leftOut.flatMap(({ unsound }) => unsound.reasons));
  return others.length === 0
    ? [`${place(first)} is left out: ${lost} ${how}.`]
    : [
        `${plural(leftOut.length, "size")} are left out, as calls ${how}: ${joined([place(first), ...others.slice(0, 1).map(place), ...(others.length > 1 ? [plural(others.length - 1, "other")] : [])], "and")}.`,
      ];
}

function noChoiceText(view: ReportView): string {
  const { leftOut = [], variants = [] } = view.recommendation ?? {};
  return leftOut.length > 0 && variants.length === 0
    ? `calls ${lossText(leftOut.flatMap(({ unsound }) => unsound.reasons))} at every size`
    : noCostText(view);
}

/** Returns the fastest size of the cheapest variant and its cost. Undefined if undecided, or if it is the same size. */
export function fastestText(view: ReportView): Text | undefined {
  const { recommendation } = view;
  const choice = recommendation && cheapestChoice(recommendation, view.margin);
  const spans = choice === undefined ? [] : fastestSpans(view, choice.cheapest);
  return spans.length === 0 ? undefined : spans;
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
  const costs = alike.length === 1 ? "costs" : "cost";
  const whether = (others: readonly LeastCost[], why: string) =>
    others.length === 0
      ? []
      : [`Whether ${costsText(view, others, "or")} costs more is undecided${why}.`];
  return [
    ...(alike.length === 0
      ? []
      : [`${costsText(view, alike, "and")} ${costs} the same within ${shareText(view.margin)}.`]),
    ...whether(crossing, ""),
    ...whether(few, ": too few environments for an interval"),
  ];
}

/** Returns `Python at 512 MB ($0.27)`: names the first few and counts the rest. */
function costsText(view: ReportView, others: readonly LeastCost[], word: "and" | "or"): string {
  const named = others.slice(0, mostNamed).map(({ variant, size }) => {
    const place = `${shortLabel(view, variant)} at ${sizeLabel(view, size.cell)}`;
    return `${place} (${usdText(size.usdPerMillion)})`;
  });
  const notNamed = others.length - named.length;
  return joined(notNamed === 0 ? named : [...named, plural(notNamed, "other variant")], word);
}

/** Returns the least and the most expensive variant; only the latter if the request fee is most of every cost. */
function shownDearer({ alike, undecided, dearer }: Choice, fee = 0): Choice["dearer"] {
  const others = [...alike, ...undecided, ...dearer].map(({ size }) => size.usdPerMillion);
  if (others.every((usd) => fee > usd / 2)) return dearer.slice(-1);
  return dearer.filter((_, index) => index === 0 || index === dearer.length - 1);
}

/** Returns ` Python costs 2.40× as much.` */
function dearerSpans(
  view: ReportView,
  { variant, size, multiple }: Choice["dearer"][number],
): readonly Span[] {
  const amount = link(`${number(multiple.times)}×`, sizeCostRowId(view, size));
  return [` ${shortLabel(view, variant)} costs `, amount, " as much."];
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

/** Returns `1% cold`, or the share in an imported log: `the log's 8% cold starts (12 of 150 calls)`. */
function trafficText({ coldShare, logged }: Recommendation): string {
  if (logged === undefined) return `${shareText(coldShare)} cold`;
  const { cold, warm } = logged;
  return `the log's ${shareText(coldShare)} cold starts (${count(cold)} of ${plural(cold + warm, "call")})`;
}
