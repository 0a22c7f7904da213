import { strong } from "../document/blocks.ts";
import { sizeLabel } from "../document/cell-labels.ts";
import type { Text } from "../document/document.ts";
import { ratioText } from "../document/format-measure.ts";
import { labelOf } from "../report-subject.ts";
import type { Comparison } from "../view/comparisons.ts";
import type { ReportView } from "../view/report-view.ts";
import { architecturesOf } from "./ratio-words.ts";

type Change = "smaller" | "larger" | "not told apart" | "not known";

/**
 * How the baseline's lead differs between the smallest and the largest size, operation by
 * operation. Only intervals that do not overlap make a change: a strict reading, on purpose.
 */
export function leadChange(view: ReportView, variant: string): readonly Text[] {
  return architecturesOf(view).flatMap((architecture) => {
    const warm = view.comparisons.variants.filter(
      (comparison) =>
        comparison.phase === "warm" &&
        comparison.quantity === "durationMs" &&
        comparison.cell.variant === variant &&
        (architecture === undefined || comparison.cell.architecture === architecture),
    );
    const sizes = [...new Set(warm.map((comparison) => comparison.cell.memoryMb))];
    const ends = view.plan.warmOperations.flatMap((operation) => endsOf(warm, operation));
    const isUnthrottled = view.manifest.machine?.cpuQuota === "unthrottled";
    const isLead = ends.some(({ least }) => least.verdict === "slower");
    return sizes.length < 2 || isUnthrottled || !isLead
      ? []
      : [changeSentence(view, variant, ends)];
  });
}

interface Ends {
  readonly operation: string;
  readonly least: Comparison;
  readonly most: Comparison;
}

/** The comparison at the smallest and at the largest memory. */
function endsOf(warm: readonly Comparison[], operation: string): readonly Ends[] {
  const bySize = warm
    .filter((comparison) => comparison.operation === operation)
    .sort((a, b) => a.cell.memoryMb - b.cell.memoryMb);
  const least = bySize[0];
  const most = bySize.at(-1);
  return least === undefined || most === undefined ? [] : [{ operation, least, most }];
}

function changeSentence(view: ReportView, variant: string, ends: readonly Ends[]): Text {
  const baseline = labelOf(view.subject, view.subject.baselineVariant);
  const { least, most } = ends[0] as Ends;
  const from = sizeLabel(view, least.cell);
  const to = sizeLabel(view, most.cell);
  const order: readonly Change[] = ["smaller", "larger", "not told apart", "not known"];
  const parts = order.flatMap((change) => {
    const those = ends.filter((end) => changeOf(end) === change);
    if (those.length === 0) return [];
    const named = those.map(
      (end) => `${end.operation} (${ratioText(end.least)} to ${ratioText(end.most)})`,
    );
    return [`${changeWords[change]} for ${named.join(", ")}`];
  });
  return [
    strong("With memory:"),
    ` from ${from} to ${to} the lead of ${baseline} over ${labelOf(view.subject, variant)} in warm Duration ${parts.join("; ")}.`,
  ];
}

const changeWords: Readonly<Record<Change, string>> = {
  smaller: "shrinks",
  larger: "grows",
  "not told apart": "shows no change that can be claimed",
  "not known": "cannot be told",
};

function changeOf({ least, most }: Ends): Change {
  if (least.low === undefined || least.high === undefined) return "not known";
  if (most.low === undefined || most.high === undefined) return "not known";
  if (most.high < least.low) return "smaller";
  return most.low > least.high ? "larger" : "not told apart";
}
