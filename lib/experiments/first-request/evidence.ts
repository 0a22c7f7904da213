import type { Comparison } from "../../analysis/comparisons.ts";
import { variantLabel } from "../../analysis/report-subject.ts";
import type { ReportView } from "../../analysis/report-view.ts";
import { sizeLabel } from "../../report/document/cell-labels.ts";
import { code, strong, type Text } from "../../report/document/document.ts";
import { insufficient, ratioText } from "../../report/document/format.ts";
import {
  comparisonsOf,
  rangeText,
  ratioRange,
  type Sense,
  sentence,
  verdictCounts,
} from "../../report/section/columns.ts";
import { breakdown, type FirstRequestFigures, type Handshake, noJitter, ring } from "./figures.ts";

/** Lists each piece of evidence with its interval; missing ones are named. */
export function evidenceItems(view: ReportView, figures: FirstRequestFigures): readonly Text[] {
  return [
    handshakeItem(view, figures.handshakes),
    buildItem(view, noJitter, "The same crypto library without CPU-jitter entropy"),
    buildItem(view, ring, "Another crypto library"),
  ];
}

function handshakeItem(view: ReportView, handshakes: readonly Handshake[]): Text {
  const name = strong("First vs. second TLS handshake of one process:");
  if (handshakes.length === 0) return [name, ` unknown, because ${breakdown} was not run.`];
  const at = (handshake: Handshake) => sizeLabel(view, handshake.cell);
  const ratios = rangeText(
    handshakes.map((handshake) => ({
      value: handshake.firstToSecond.ratio,
      text: `${ratioText(handshake.firstToSecond)} (${at(handshake)})`,
    })),
  );
  if (ratios === undefined) return [name, ` ${withoutRatio(handshakes)}.`];
  const shares = rangeText(
    handshakes.map((handshake) => ({
      value: handshake.firstToRequest?.ratio,
      text: `${ratioText(handshake.firstToRequest)} (${at(handshake)})`,
    })),
  );
  const baseline = variantLabel(view.subject, view.subject.baselineVariant);
  const share =
    shares === undefined
      ? ""
      : ` It takes ${shares} times as long as the whole first request of ${baseline}.`;
  return [name, ` the first takes ${ratios} times as long.${share}`];
}

/** States why there is no ratio, from the cell with the most environments. */
function withoutRatio(handshakes: readonly Handshake[]): string {
  const compared = handshakes.map(({ firstToSecond }) => firstToSecond);
  const most = compared.reduce((best, one) => (one.environments > best.environments ? one : best));
  const { environments, environmentsNeeded } = most;
  if (environments === 0) return "not measured";
  return environmentsNeeded === undefined
    ? "no ratio: a mean is 0"
    : insufficient(environments, environmentsNeeded);
}

function buildItem(view: ReportView, variant: string, what: string): Text {
  const name = [strong(what), " (", code(variant), "), first request:"];
  const comparisons = comparisonsOf(view, variant, "cold", "durationMs");
  return comparisons.length === 0
    ? [...name, " unknown, because it was not run with its baseline."]
    : [...name, sentence(view, comparisons)];
}

/** Lists how each change affects a caller's waiting time, and the cost. */
export function changeItems(view: ReportView): readonly Text[] {
  return changesRun(view).flatMap((variant): readonly Text[] => {
    const comparisons = (quantity: Comparison["quantity"]) =>
      comparisonsOf(view, variant, "cold", quantity);
    const parts = [
      part(view, "first request", comparisons("durationMs"), "time"),
      part(view, "billed, Init included,", comparisons("billedDurationMs"), "amount"),
    ].filter((text) => text !== undefined);
    return parts.length === 0
      ? []
      : [[strong(`${variantLabel(view.subject, variant)}:`), ` ${parts.join("; ")}.`]];
  });
}

/** Lists the variants that change the baseline; the breakdown does different work. */
export function changesRun(view: ReportView): readonly string[] {
  const { baselineVariant } = view.subject;
  return view.variants.filter((variant) => variant !== baselineVariant && variant !== breakdown);
}

function part(
  view: ReportView,
  what: string,
  comparisons: readonly Comparison[],
  sense: Sense,
): string | undefined {
  if (comparisons.length === 0) return undefined;
  const verdicts = verdictCounts(view, comparisons, sense);
  const range = ratioRange(view, comparisons);
  return range === undefined ? `${what}: ${verdicts}` : `${what} ${range}, ${verdicts}`;
}
