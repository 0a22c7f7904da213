import type { ExperimentReport } from "../../report/experiment-report.ts";
import { leadSection } from "../../report/section/lead.ts";

/** Of `dynamodb-batch`: how the lead changes with memory. */
export const dynamodbBatchReport: ExperimentReport = {
  metrics: [],
  metricsOf: () => ({}),
  part: () => ({
    sections: leadSection,
    limits: [
      "Two requests one after another, five items of less than 300 bytes: other work has another ratio.",
    ],
  }),
};
