import type { Comparison } from "../../analysis/comparisons.ts";
import { variantLabel } from "../../analysis/report-subject.ts";
import type { ReportView } from "../../analysis/report-view.ts";
import type { Cell } from "../../contract/types/contract.ts";
import { sizeColumns, sizeLabel } from "../document/cell-labels.ts";
import {
  type Block,
  code,
  heading,
  list,
  makeTable,
  numberColumn,
  paragraph,
  strong,
  type Table,
  type Text,
} from "../document/document.ts";
import { ratioText } from "../document/format.ts";
import { comparisonsOf, listArchitectures } from "./columns.ts";

type Change = "smaller" | "larger" | "not told apart" | "not known";

/**
 * Describes how the baseline's lead changes from the smallest to the largest size, by operation. Only intervals that
 * do not overlap count as a change: a deliberately strict criterion.
 */
function leadChange(view: ReportView, variant: string): readonly Text[] {
  return listArchitectures(view).flatMap((architecture) => {
    const warm = comparisonsOf(view, variant, "warm", "durationMs").filter(
      ({ cell }) => architecture === undefined || cell.architecture === architecture,
    );
    const sizes = [...new Set(warm.map((comparison) => comparison.cell.memoryMb))];
    const ends = view.plan.warmOperations.flatMap((operation) => findEnds(warm, operation));
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

/** Returns the comparisons at the smallest and at the largest memory size. */
function findEnds(warm: readonly Comparison[], operation: string): readonly Ends[] {
  const bySize = warm
    .filter((comparison) => comparison.operation === operation)
    .sort((a, b) => a.cell.memoryMb - b.cell.memoryMb);
  const least = bySize[0];
  const most = bySize.at(-1);
  return least === undefined || most === undefined ? [] : [{ operation, least, most }];
}

function changeSentence(view: ReportView, variant: string, ends: readonly Ends[]): Text {
  const baseline = variantLabel(view.subject, view.subject.baselineVariant);
  const { least, most } = ends[0] as Ends;
  const from = sizeLabel(view, least.cell);
  const to = sizeLabel(view, most.cell);
  const order: readonly Change[] = ["smaller", "larger", "not told apart", "not known"];
  const parts = order.flatMap((change) => {
    const same = ends.filter((end) => describeChange(end) === change);
    if (same.length === 0) return [];
    const texts = same.map(
      (end) => `${end.operation} (${ratioText(end.least)} to ${ratioText(end.most)})`,
    );
    return [`${changePhrases[change]} for ${texts.join(", ")}`];
  });
  return [
    strong("With memory:"),
    ` from ${from} to ${to} the lead of ${baseline} over ${variantLabel(view.subject, variant)} in warm Duration ${parts.join("; ")}.`,
  ];
}

const changePhrases: Readonly<Record<Change, string>> = {
  smaller: "shrinks",
  larger: "grows",
  "not told apart": "does not change measurably",
  "not known": "is unknown",
};

function describeChange({ least, most }: Ends): Change {
  if (least.low === undefined || least.high === undefined) return "not known";
  if (most.low === undefined || most.high === undefined) return "not known";
  if (most.high < least.low) return "smaller";
  return most.low > least.high ? "larger" : "not told apart";
}

/** Shows a variant's ratio by memory: one row per size, one column per operation. */
export function leadSection(view: ReportView): readonly Block[] {
  const baseline = view.subject.baselineVariant;
  const others = view.variants.filter((variant) => variant !== baseline);
  if (others.length === 0 || !view.variants.includes(baseline)) return [];
  const sizes = view.sizes.length;
  return [
    heading(
      2,
      "How the lead changes with memory",
      `Each operation's ratio to ${variantLabel(view.subject, baseline)}, size by size.`,
    ),
    paragraph(
      sizes === 1
        ? "Only one size was run, so how the lead changes with memory is unknown."
        : "Below 1769 MB a function has a share of a vCPU that grows with its memory. If the intervals of two sizes do not overlap, the lead has changed between them; if they do, no change is claimed.",
    ),
    ...leadChanges(view, others),
    ...others.map((variant, index) => leadTable(view, variant, `lead-${index}`)),
  ];
}

function leadChanges(view: ReportView, variants: readonly string[]): readonly Block[] {
  const changes = variants.flatMap((variant) => leadChange(view, variant));
  return changes.length === 0 ? [] : [list(changes)];
}

function leadTable(view: ReportView, variant: string, id: string): Table {
  const cells = view.sizes.flat().filter((cell) => cell.variant === variant);
  const { coldOperation, warmOperations, sizes } = view.plan;
  const warm = sizes.warmEnvironments === 0 ? [] : warmOperations;
  const label = variantLabel(view.subject, variant);
  const baseline = variantLabel(view.subject, view.subject.baselineVariant);
  return makeTable<Cell>(
    {
      id,
      caption: `${label} vs. ${baseline}: ratio of Durations [95% CI] by memory; above 1 ${label} takes longer.`,
    },
    [
      ...sizeColumns<Cell>(view, (cell) => cell),
      numberColumn("Cold start", (cell) =>
        ratioText(view.rowOf(cell, "cold", coldOperation)?.compared.initAndDurationMs),
      ),
      ...warm.map((operation) =>
        numberColumn<Cell>(["Warm ", code(operation)], (cell) =>
          ratioText(view.rowOf(cell, "warm", operation)?.compared.durationMs),
        ),
      ),
    ],
    cells,
  );
}
