import { heading, list, strong } from "../document/blocks.ts";
import type { Block, Text } from "../document/document.ts";
import { percent } from "../document/format-number.ts";
import { labelOf } from "../report-subject.ts";
import type { Comparison } from "../view/comparisons.ts";
import type { ReportView } from "../view/report-view.ts";
import { variantsRun } from "../view/select.ts";
import { glanceTable } from "./glance.ts";
import { leadChange } from "./lead-change.ts";
import { publishedLead } from "./published-lead.ts";
import { comparisonLabel, type LabelledRatio, ratioRange } from "./ratio-words.ts";

/** The run's answer, no stronger than its verdicts. */
export function answerSection(view: ReportView): readonly Block[] {
  const glance = glanceTable(view);
  return [heading(2, "The answer"), list(answers(view)), ...(glance === undefined ? [] : [glance])];
}

export function answers(view: ReportView): readonly Text[] {
  const { baselineVariant } = view.subject;
  const run = variantsRun(view);
  if (!run.includes(baselineVariant)) {
    return [
      `The baseline ${labelOf(view.subject, baselineVariant)} was not run: there is nothing to compare with.`,
    ];
  }
  const others = run.filter((variant) => variant !== baselineVariant);
  if (others.length === 0) return ["Only one variant was run: there is nothing to compare."];
  const published = publishedLead(view);
  return [
    // The variant farthest from the baseline in kind is the question's; builds of the same come after.
    ...others.toReversed().flatMap((variant) => variantAnswers(view, variant)),
    ...(published === undefined ? [] : [published]),
  ];
}

function variantAnswers(view: ReportView, variant: string): readonly Text[] {
  const of = (phase: Comparison["phase"], quantity: Comparison["quantity"]) =>
    view.comparisons.variants.filter(
      (comparison) =>
        comparison.cell.variant === variant &&
        comparison.phase === phase &&
        comparison.quantity === quantity,
    );
  const warm = of("warm", "durationMs");
  const sdk = of("warm", "sdkCallMs");
  const cold = of("cold", "initAndDurationMs");
  return [
    ...(warm.length === 0 ? [] : [sentence(view, "Warm, Duration", variant, warm)]),
    ...(sdk.length === 0 ? [] : [sentence(view, "Warm, the SDK call alone", variant, sdk)]),
    ...(cold.length === 0 ? [] : [sentence(view, "Cold, Init and first request", variant, cold)]),
    ...leadChange(view, variant),
  ];
}

/** Which verdicts came out how often, and between which ratios. */
function sentence(
  view: ReportView,
  what: string,
  variant: string,
  comparisons: readonly Comparison[],
): Text {
  const name = labelOf(view.subject, variant);
  const baseline = labelOf(view.subject, view.subject.baselineVariant);
  const verdicts = verdictCounts(view, comparisons);
  const known = comparisons.flatMap((comparison): readonly LabelledRatio[] =>
    comparison.ratio === undefined
      ? []
      : [{ ...comparison, ratio: comparison.ratio, label: comparisonLabel(view, comparison) }],
  );
  const range =
    known.length === 0
      ? "no ratio has an interval"
      : `its median is ${ratioRange(known)} times that of ${baseline}`;
  return [strong(`${what}:`), ` ${name} against ${baseline} is ${verdicts}; ${range}.`];
}

function verdictCounts(view: ReportView, comparisons: readonly Comparison[]): string {
  const total = comparisons.length;
  const within = `equivalent (within ${percent(view.margin)})`;
  const words = [
    ["slower", "slower"],
    ["faster", "faster"],
    ["equivalent", within],
    ["undecided", "undecided"],
  ] as const;
  const parts = words.flatMap(([verdict, word]) => {
    const n = comparisons.filter((comparison) => comparison.verdict === verdict).length;
    if (n === 0) return [];
    if (n < total) return [`${word} in ${n} of ${total} comparisons`];
    return [total === 1 ? word : `${word} in all ${total} comparisons`];
  });
  return parts.join(", ").replace(/( of \d+ comparisons)(?=.*\1)/g, "");
}
