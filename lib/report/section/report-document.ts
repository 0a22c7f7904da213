import type { Block, ReportDocument } from "../document/document.ts";
import type { ReportView } from "../view/report-view.ts";
import { answerSection } from "./answer.ts";
import { coldSection } from "./cold.ts";
import { coldRunsSection } from "./cold-runs.ts";
import { conditionsSection } from "./conditions.ts";
import { costSection } from "./cost.ts";
import { instrumentSection } from "./instrument.ts";
import { leadSection } from "./lead.ts";
import { methodSection } from "./method.ts";
import { opening } from "./opening.ts";
import { qualitySection } from "./quality.ts";
import { memorySection, packageSection } from "./resources.ts";
import { runCostSection } from "./run-cost.ts";
import { secondSection } from "./second.ts";
import { warmSection } from "./warm.ts";

/** The pictures of a report; none where the medium has none or nothing was measured. */
export interface ReportCharts {
  readonly cold: readonly Block[];
  readonly warm: readonly Block[];
  readonly ratio: readonly Block[];
}

/** The report, from the question to the limits. */
export function reportDocument(view: ReportView, charts: ReportCharts): ReportDocument {
  return {
    title: view.subject.title,
    blocks: [
      ...opening(view),
      ...answerSection(view),
      ...conditionsSection(view),
      ...coldSection(view, charts.cold),
      ...secondSection(view),
      ...warmSection(view, { duration: charts.warm, ratio: charts.ratio }),
      ...leadSection(view),
      ...memorySection(view),
      ...packageSection(view),
      ...costSection(view),
      ...instrumentSection(view),
      ...runCostSection(view),
      ...qualitySection(view),
      ...methodSection(view),
      ...coldRunsSection(view),
    ],
  };
}
