import type { ReportView } from "../../analysis/report-view.ts";
import type { Block, ReportDocument } from "../document/document.ts";
import type { OwnPart } from "../experiment-report.ts";
import { answerSection } from "./answer.ts";
import { coldRunsSection, coldSection, secondSection } from "./cold.ts";
import { conditionsSection } from "./conditions.ts";
import { averagesDocument, costSection, frontierBlocks, runCostSection } from "./cost.ts";
import { distributionSection } from "./distribution.ts";
import { methodSection, precisionSection } from "./method.ts";
import { opening } from "./opening.ts";
import { cpuModelSection } from "./origins.ts";
import { packageSection } from "./packages.ts";
import { instrumentSection, processorSection } from "./processor.ts";
import { qualitySection } from "./quality.ts";
import { recommendationSection } from "./recommendation.ts";
import { memorySection, warmSection, warmupSection } from "./warm.ts";

/** The pictures of a report; none where the medium has none or nothing was measured. */
interface ReportCharts {
  readonly cold: readonly Block[];
  readonly warm: readonly Block[];
  readonly ratio: readonly Block[];
  readonly distribution: readonly Block[];
  readonly cost: readonly Block[];
}

/** The report, from the question to the limits, with the experiment's own part after the answer. */
export function reportDocument(
  view: ReportView,
  charts: ReportCharts,
  own: OwnPart,
): ReportDocument {
  const { imported } = view.manifest;
  // Of what others invoked there is no second call known, no build, no instrument and no bill of ours.
  const ofRun = (blocks: readonly Block[]) => (imported === undefined ? blocks : []);
  if (imported?.averages !== undefined) return averagesDocument(view, imported.averages);
  return {
    title: view.subject.title,
    blocks: [
      ...opening(view),
      ...answerSection(view, own, charts),
      ...precisionSection(view),
      ...own.sections(view),
      ...coldSection(view),
      ...ofRun(secondSection(view)),
      ...warmSection(view, charts.warm),
      ...distributionSection(view, charts.distribution),
      ...warmupSection(view),
      ...processorSection(view),
      ...cpuModelSection(view),
      ...memorySection(view),
      ...ofRun(packageSection(view)),
      ...costSection(view),
      ...frontierBlocks(view, charts.cost),
      ...recommendationSection(view),
      ...conditionsSection(view),
      ...ofRun(instrumentSection(view)),
      ...ofRun(runCostSection(view)),
      ...qualitySection(view),
      ...methodSection(view, own.limits),
      ...coldRunsSection(view),
    ],
  };
}
