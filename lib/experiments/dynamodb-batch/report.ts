import type { ExperimentReport } from "../../report/experiment-report.ts";
import { leadSection } from "../../report/section/lead.ts";

/** The report of `dynamodb-batch`: how the lead changes with memory. */
export const dynamodbBatchReport: ExperimentReport = {
  metrics: [],
  metricsOf: () => ({}),
  part: () => ({
    sections: leadSection,
    limits: [
      "Each call makes two requests, one after the other, with five items of less than 300 bytes; the ratio is different for other work.",
    ],
  }),
};
