import { paragraph } from "../../document/blocks.ts";
import type { ExperimentReport } from "../../experiment-report.ts";
import { answers } from "../../section/answer.ts";
import { leadSection } from "../../section/lead.ts";
import { publishedDynamodb } from "./published.ts";
import { publishedLead } from "./published-lead.ts";

/** Of `dynamodb`: how the lead changes with memory, and what the source found. */
export const dynamodbReport: ExperimentReport = {
  quantities: [],
  quantitiesOf: () => ({}),
  published: publishedDynamodb,
  part: () => ({
    answer: (view) => {
      const published = publishedLead(view);
      return [...answers(view), ...(published === undefined ? [] : [paragraph(published)])];
    },
    sections: leadSection,
    limits: ["One item shape and four operations of one service: other work has another ratio."],
  }),
};
