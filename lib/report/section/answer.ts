import { answerNote, heading, list, paragraph, strong } from "../document/blocks.ts";
import type { Block, Text } from "../document/document.ts";
import { count, percent, plural } from "../document/format-number.ts";
import type { OwnPart } from "../experiment-report.ts";
import { plain } from "../render/plain-text.ts";
import { labelOf } from "../report-subject.ts";
import type { Comparison } from "../view/comparisons.ts";
import type { ReportView } from "../view/report-view.ts";
import { variantsRun } from "../view/select.ts";
import { finding } from "./finding.ts";
import { glanceBlocks } from "./glance.ts";
import { leadChange } from "./lead-change.ts";
import { ratioRange } from "./ratio-words.ts";
import { verdictCounts } from "./verdict-words.ts";

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
    ...glanceBlocks(view),
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
  const baseline = labelOf(view.subject, baselineVariant);
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
  const baseline = labelOf(view.subject, view.subject.baselineVariant);
  const sentences = asked.flatMap(([what, phase, quantity]): readonly Text[] => {
    const comparisons = view.comparisons.variants.filter(
      (comparison) =>
        comparison.cell.variant === variant &&
        comparison.phase === phase &&
        comparison.quantity === quantity,
    );
    return comparisons.length === 0 ? [] : [[strong(what), sentence(view, comparisons)]];
  });
  return [
    paragraph([strong(labelOf(view.subject, variant)), " against ", strong(baseline)]),
    list([...sentences, ...leadChange(view, variant)]),
  ];
}

/** Which verdicts came out how often, and between which ratios. */
export function sentence(view: ReportView, comparisons: readonly Comparison[]): string {
  const range = ratioRange(view, comparisons);
  const times = range === undefined ? "no ratio has an interval" : `${range} times as long`;
  return ` ${verdictCounts(view, comparisons)}; ${times}.`;
}
