import type { ExperimentReport } from "../../report/experiment-report.ts";
import { leadSection } from "../../report/section/lead.ts";
import { publishedWorkload } from "../published-workload.ts";

/** The report of `dynamodb-batch`: how the lead changes with memory. */
export const dynamodbBatchReport: ExperimentReport = {
  metrics: [],
  metricsOf: () => ({}),
  published: publishedWorkload("light", "batch_write_get"),
  part: () => ({
    sections: leadSection,
    limits: [
      "Each call makes two requests, one after the other, with five items of less than 300 bytes; the ratio is different for other work.",
    ],
  }),
};
