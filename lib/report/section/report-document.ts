import type { Block, ReportDocument } from "../document/document.ts";
import type { OwnPart } from "../experiment-report.ts";
import type { ReportView } from "../view/report-view.ts";
import { answerSection } from "./answer.ts";
import { averagesDocument } from "./averages.ts";
import { coldSection } from "./cold.ts";
import { coldRunsSection } from "./cold-runs.ts";
import { conditionsSection } from "./conditions.ts";
import { costSection } from "./cost.ts";
import { distributionSection } from "./distribution.ts";
import { frontierBlocks } from "./frontier.ts";
import { instrumentSection } from "./instrument.ts";
import { memorySection } from "./memory.ts";
import { methodSection } from "./method.ts";
import { opening } from "./opening.ts";
import { cpuModelSection } from "./origins.ts";
import { packageSection } from "./packages.ts";
import { precisionSection } from "./precision.ts";
import { processorSection } from "./processor.ts";
import { qualitySection } from "./quality.ts";
import { recommendationSection } from "./recommendation.ts";
import { runCostSection } from "./run-cost.ts";
import { secondSection } from "./second.ts";
import { warmSection } from "./warm.ts";
import { warmupSection } from "./warmup.ts";

/** The pictures of a report; none where the medium has none or nothing was measured. */
export interface ReportCharts {
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
