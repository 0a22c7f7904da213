import { coldQuantity } from "../../analysis/cold-quantity.ts";
import type { Best } from "../../analysis/recommendation.ts";
import { variantLabel } from "../../analysis/report-subject.ts";
import type { ReportView } from "../../analysis/report-view.ts";
import { seriesIn } from "../../analysis/select.ts";
import { sizeLabel } from "../document/cell-labels.ts";
import { count, number } from "../document/format.ts";
import { joined } from "./sentences.ts";
import { sizesText } from "./size-choice.ts";

/** What a run of one variant answers: what it took, by memory size, and which size is the fastest. */
export function aloneText(view: ReportView, variant: string): string {
  const fastest = view.recommendation?.variants.find((each) => each.variant === variant)?.fastest;
  const quantity = coldQuantity(view.plan);
  const starts = quantity === "durationMs" ? "first requests" : "cold starts";
  const label = variantLabel(view.subject, variant);
  return [
    ...(view.sizeChoices === undefined
      ? fastestSize(view, label, fastest)
      : sizesText(view, variant)),
    ...timesBySize(view, `Its ${starts}`, "cold", quantity),
    ...timesBySize(view, "Its warm calls", "warm", "durationMs"),
  ].join(" ");
}

function fastestSize(view: ReportView, label: string, fastest: Best | undefined): string[] {
  switch (fastest?.kind) {
    case "decided":
      return [`${label} is fastest on a warm call at ${sizeLabel(view, fastest.cell)}.`];
    case "undecided": {
      const bySize = fastest.among.toSorted((a, b) => a.memoryMb - b.memoryMb);
      const sizes = joined(
        bySize.map((cell) => sizeLabel(view, cell)),
        "or",
      );
      return [`This run cannot tell at which size ${label} is fastest on a warm call: ${sizes}.`];
    }
    default:
      return [`Only ${label} was run, so there is nothing to compare.`];
  }
}

/** More sizes than these are told by their range. */
const mostSizes = 6;

/** Each size's median, where there is one series a size and few of them; else the medians' range. */
function timesBySize(
  view: ReportView,
  what: string,
  phase: "cold" | "warm",
  metric: "initAndDurationMs" | "durationMs",
): readonly string[] {
  const measured = seriesIn(view, phase).flatMap((series) => {
    const median = series[metric]?.median;
    return median === undefined ? [] : [{ cell: series.cell, median }];
  });
  if (measured.length === 0) return [];
  const sizes = new Set(measured.map(({ cell }) => cell.id)).size;
  if (sizes === measured.length && sizes > 1 && sizes <= mostSizes) {
    const each = measured.map(
      ({ cell, median }) => `${number(median)} ms at ${sizeLabel(view, cell)}`,
    );
    return [`${what} took ${joined(each)} (medians).`];
  }
  const medians = measured.map(({ median }) => median);
  const ends = [Math.min(...medians), Math.max(...medians)].map((ms) => number(ms));
  const which = measured.length === 1 ? "median" : `medians of ${count(measured.length)} series`;
  return [`${what} took ${[...new Set(ends)].join(" to ")} ms (${which}).`];
}
