import type { Comparison } from "../../analysis/comparisons.ts";
import { variantLabel } from "../../analysis/report-subject.ts";
import type { ReportView } from "../../analysis/report-view.ts";
import { findComparison, listSizes, variantsRun } from "../../analysis/select.ts";
import type { Cell } from "../../contract/types/contract.ts";
import { sizeColumns, sizeLabel } from "../document/cell-labels.ts";
import {
  answerNote,
  type Block,
  code,
  heading,
  list,
  makeTable,
  numberColumn,
  paragraph,
  plain,
  strong,
  type Table,
  type Text,
} from "../document/document.ts";
import { count, percent, plural, ratioText } from "../document/format.ts";
import type { OwnPart } from "../experiment-report.ts";
import { comparisonsOf, listArchitectures, timesText, verdictCounts } from "./columns.ts";
import { finding } from "./opening.ts";
import { summaryTableBlocks } from "./summary-table.ts";

/** The run's answer in a sentence, what it rests on, and both in pictures and in tables. */
export function answerSection(
  view: ReportView,
  own: OwnPart,
  charts: { readonly cold: readonly Block[]; readonly ratio: readonly Block[] },
): readonly Block[] {
  return [
    heading(2, "The answer"),
    answerNote([strong(plain(own.finding?.(view) ?? finding(view))), ` ${certainty(view)}`]),
    ...charts.cold,
    ...own.answer(view),
    ...summaryTableBlocks(view),
    ...charts.ratio,
  ];
}

/** What stands behind the sentence: how much was measured, where, and what the brackets are. */
function certainty({ plan, manifest, simulated, margin }: ReportView): string {
  const { environments, warmEnvironments } = plan.sizes;
  if (manifest.imported !== undefined) {
    return `In brackets: 95 % intervals. n: up to ${count(environments)} cold and ${count(warmEnvironments)} warm invocations a cell, imported, each counted as an environment of its own; a verdict stands where the whole interval lies beyond ${percent(margin)}.`;
  }
  const n =
    warmEnvironments === 0 || warmEnvironments === environments
      ? plural(environments, "planned new environment")
      : `${plural(environments, "planned new environment")} cold and ${count(warmEnvironments)} warm`;
  const place = simulated ? "simulated, not on AWS" : "on AWS Lambda";
  return `In brackets: 95 % intervals. n: ${n} a cell, ${place}; a verdict stands where the whole interval lies beyond ${percent(margin)}.`;
}

/** Every variant against the baseline: what the verdicts and the intervals say, and no more. */
export function answers(view: ReportView): readonly Block[] {
  const { baselineVariant } = view.subject;
  const baseline = variantLabel(view.subject, baselineVariant);
  const run = variantsRun(view);
  if (!run.includes(baselineVariant)) {
    return [paragraph(`The baseline ${baseline} was not run: there is nothing to compare with.`)];
  }
  const others = run.filter((variant) => variant !== baselineVariant);
  if (others.length === 0) {
    return [paragraph("Only one variant was run: there is nothing to compare.")];
  }
  // The variant defined last is the farthest from the baseline; other builds of the same come after.
  return others.toReversed().flatMap((variant) => variantAnswer(view, variant));
}

const asked = [
  ["Warm, Duration:", "warm", "durationMs"],
  ["Warm, the SDK call alone:", "warm", "sdkCallMs"],
  ["Cold, Init and first request:", "cold", "initAndDurationMs"],
] as const;

function variantAnswer(view: ReportView, variant: string): readonly Block[] {
  const baseline = variantLabel(view.subject, view.subject.baselineVariant);
  const sentences = asked.flatMap(([what, phase, quantity]): readonly Text[] => {
    const comparisons = comparisonsOf(view, variant, phase, quantity);
    return comparisons.length === 0 ? [] : [[strong(what), sentence(view, comparisons)]];
  });
  return [
    paragraph([strong(variantLabel(view.subject, variant)), " against ", strong(baseline)]),
    list([...sentences, ...leadChange(view, variant)]),
  ];
}

/** Which verdicts came out how often, and between which ratios. */
export function sentence(view: ReportView, comparisons: readonly Comparison[]): string {
  return ` ${verdictCounts(view, comparisons)}; ${timesText(view, comparisons)}.`;
}

type Change = "smaller" | "larger" | "not told apart" | "not known";

/**
 * How the baseline's lead differs between the smallest and the largest size, operation by
 * operation. Only intervals that do not overlap make a change: a strict reading, on purpose.
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

/** The comparison at the smallest and at the largest memory. */
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
    const those = ends.filter((end) => describeChange(end) === change);
    if (those.length === 0) return [];
    const named = those.map(
      (end) => `${end.operation} (${ratioText(end.least)} to ${ratioText(end.most)})`,
    );
    return [`${changeWords[change]} for ${named.join(", ")}`];
  });
  return [
    strong("With memory:"),
    ` from ${from} to ${to} the lead of ${baseline} over ${variantLabel(view.subject, variant)} in warm Duration ${parts.join("; ")}.`,
  ];
}

const changeWords: Readonly<Record<Change, string>> = {
  smaller: "shrinks",
  larger: "grows",
  "not told apart": "shows no change that can be claimed",
  "not known": "cannot be told",
};

function describeChange({ least, most }: Ends): Change {
  if (least.low === undefined || least.high === undefined) return "not known";
  if (most.low === undefined || most.high === undefined) return "not known";
  if (most.high < least.low) return "smaller";
  return most.low > least.high ? "larger" : "not told apart";
}

/** How a variant's ratio changes with memory: a row a size, a column an operation. */
export function leadSection(view: ReportView): readonly Block[] {
  const baseline = view.subject.baselineVariant;
  const others = variantsRun(view).filter((variant) => variant !== baseline);
  if (others.length === 0 || !variantsRun(view).includes(baseline)) return [];
  const sizes = listSizes(view).length;
  return [
    heading(2, "The lead as it changes with memory"),
    paragraph(
      sizes === 1
        ? "One size was run: how the lead changes with memory cannot be told from it."
        : "Below 1769 MB a function has a share of a vCPU that grows with its memory. Where two sizes' intervals do not overlap, the lead has changed between them; where they do, no change can be claimed.",
    ),
    ...others.map((variant, index) => leadTable(view, variant, `lead-${index}`)),
  ];
}

function leadTable(view: ReportView, variant: string, id: string): Table {
  const cells = listSizes(view).flatMap((group) =>
    group.filter((cell) => cell.variant === variant),
  );
  const { coldOperation, warmOperations, sizes } = view.plan;
  const warm = sizes.warmEnvironments === 0 ? [] : warmOperations;
  const label = variantLabel(view.subject, variant);
  const baseline = variantLabel(view.subject, view.subject.baselineVariant);
  return makeTable<Cell>(
    {
      id,
      caption: `${label} against ${baseline}: ratio of Durations [95 % interval] by memory; above 1 ${label} takes longer.`,
    },
    [
      ...sizeColumns<Cell>(view, (cell) => cell),
      numberColumn("First request, Init included", (cell) =>
        ratioText(
          findComparison(
            view,
            { cell, phase: "cold", operation: coldOperation },
            "initAndDurationMs",
          ),
        ),
      ),
      ...warm.map((operation) =>
        numberColumn<Cell>(["Warm ", code(operation)], (cell) =>
          ratioText(findComparison(view, { cell, phase: "warm", operation }, "durationMs")),
        ),
      ),
    ],
    cells,
  );
}
