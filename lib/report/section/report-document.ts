import { hasDeployments } from "../../analysis/cell-pairs.ts";
import { variantLabel } from "../../analysis/report-subject.ts";
import type { ReportView } from "../../analysis/report-view.ts";
import { type Block, heading, list, type ReportDocument, type Text } from "../document/document.ts";
import { missing, shareText } from "../document/format.ts";
import { foldSections } from "../document/sections.ts";
import type { OwnPart } from "../experiment-report.ts";
import type { Answer } from "../first-screen/first-screen.ts";
import { coldRunsSection, coldSection, secondSection } from "./cold.ts";
import { conditionsSection } from "./conditions.ts";
import { averagesSections, costSection, frontierBlocks, runCostSection } from "./cost.ts";
import { distributionSection } from "./distribution.ts";
import { factorSection } from "./factors.ts";
import { firstByteSection } from "./first-byte.ts";
import { groupedSections, type SectionGroups } from "./groups.ts";
import { limitSection } from "./limits.ts";
import { methodSection, precisionSection } from "./method.ts";
import { onLambdaSection } from "./on-lambda.ts";
import { runSection } from "./opening.ts";
import { cpuModelSection } from "./origins.ts";
import { packageSection } from "./packages.ts";
import { instrumentSection, processorSection } from "./processor.ts";
import { qualitySection } from "./quality.ts";
import { recommendationSection } from "./recommendation.ts";
import { summaryTableBlocks } from "./summary-table.ts";
import { memorySection, warmSection, warmupSection } from "./warm.ts";

/** The charts of a report. Each is empty if the medium has none or nothing was measured. */
interface ReportCharts {
  /** Empty if this is the chart on the first screen. */
  readonly cold: readonly Block[];
  readonly warm: readonly Block[];
  readonly ratio: readonly Block[];
  readonly distribution: readonly Block[];
  readonly cost: readonly Block[];
}

/** Returns the report: the answer, its comparisons in tables, and the rest in folded sections. */
export function reportDocument(
  view: ReportView,
  answer: Answer,
  charts: ReportCharts,
  own: OwnPart,
): ReportDocument {
  const averages = view.manifest.imported?.averages;
  const title = titleOf(view);
  if (averages !== undefined) {
    const sections = [...averagesSections(view, averages), ...runSection(view)];
    return { title, blocks: [answer.block, ...sections, ...foldSections(conditionsSection(view))] };
  }
  return {
    title,
    blocks: [
      answer.block,
      heading(2, "All comparisons"),
      ...summaryTableBlocks(view),
      list(legend(view)),
      ...groupedSections(view, sectionGroups(view, answer, charts, own)),
    ],
  };
}

/** A title such as `DynamoDB: Rust vs. Python` is not that of a run of only one of them. */
function titleOf({ subject, variants: [first = "", ...others] }: ReportView): string {
  if (others.length > 0 || !subject.title.includes(" vs. ")) return subject.title;
  return `${subject.title.split(":", 1)[0]}: ${variantLabel(subject, first)}`;
}

/** Returns the legend for all tables, shown once. */
function legend(view: ReportView): readonly Text[] {
  const { margin, subject } = view;
  const figures = `12.3 [11.9, 12.8] is a mean with its 95% CI; n = 80 in 8 is 80 calls in 8 environments; ${missing} is not measured.`;
  if (view.variants.length === 1) return [figures];
  const noise = hasDeployments(view.plan) ? " the ratio lies beyond A/A noise," : "";
  return [
    figures,
    `Ratios are to the variant ${subject.baselineVariant}. Faster, slower: the whole CI lies beyond ${shareText(margin)},${noise} and the test is significant after correction. The same: the whole CI lies within ${shareText(margin)}. Undecided: this run cannot tell.`,
  ];
}

function sectionGroups(
  view: ReportView,
  answer: Answer,
  charts: ReportCharts,
  own: OwnPart,
): SectionGroups {
  const ofRun = (blocks: readonly Block[]) => unlessImported(view, blocks);
  return {
    cold: coldSection(view, charts.cold),
    warm: [
      ...warmSection(view, charts.warm),
      ...ofRun(secondSection(view)),
      ...firstByteSection(view),
      ...distributionSection(view, charts.distribution),
      ...warmupSection(view),
      ...processorSection(view),
      ...cpuModelSection(view),
    ],
    cost: [
      ...costSection(view),
      ...frontierBlocks(view, charts.cost),
      ...recommendationSection(view),
      ...ofRun(runCostSection(view)),
    ],
    size: [...ofRun(packageSection(view)), ...memorySection(view)],
    evidence: evidenceSections(view, answer, own, charts.ratio),
  };
}

/** Leaves the sections out of an import's report: its second calls, build, instrument and run cost are unknown. */
function unlessImported({ manifest }: ReportView, blocks: readonly Block[]): readonly Block[] {
  return manifest.imported === undefined ? blocks : [];
}

function evidenceSections(
  view: ReportView,
  answer: Answer,
  own: OwnPart,
  ratios: readonly Block[],
): readonly Block[] {
  return [
    ...runSection(view),
    ...answerSection(view, answer, own, ratios),
    ...factorSection(view),
    ...limitSection(view),
    ...precisionSection(view),
    ...own.sections(view),
    ...onLambdaSection(view),
    ...conditionsSection(view),
    ...unlessImported(view, instrumentSection(view)),
    ...qualitySection(view),
    ...methodSection(view, own.limits),
    ...coldRunsSection(view),
  ];
}

/** Shows the sentences that did not fit on the first screen, and the evidence for the answer. */
function answerSection(
  view: ReportView,
  { more }: Answer,
  own: OwnPart,
  ratios: readonly Block[],
): readonly Block[] {
  const evidence = own.evidence?.(view) ?? [];
  const blocks = [...(more.length === 0 ? [] : [list(more)]), ...evidence, ...ratios];
  const takeaway = "Each variant against the baseline, and what the answer rests on.";
  return blocks.length === 0 ? [] : [heading(2, "The answer in detail", takeaway), ...blocks];
}
