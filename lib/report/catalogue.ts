import { computeReport } from "./catalogue/compute/report.ts";
import { dynamodbReport } from "./catalogue/dynamodb/report.ts";
import { firstRequestReport } from "./catalogue/first-request/report.ts";
import { multicoreReport } from "./catalogue/multicore/report.ts";
import { s3FanoutReport } from "./catalogue/s3-fanout/report.ts";
import type { ExperimentReport } from "./experiment-report.ts";
import { answers } from "./section/answer.ts";

/** Experiments whose report has parts of its own. */
const reports: ReadonlyMap<string, ExperimentReport> = new Map([
  ["dynamodb", dynamodbReport],
  ["first-request", firstRequestReport],
  ["compute", computeReport],
  ["multicore", multicoreReport],
  ["s3-fanout", s3FanoutReport],
]);

/** The common report alone. */
const common: ExperimentReport = {
  quantities: [],
  quantitiesOf: () => ({}),
  part: () => ({ answer: answers, sections: () => [], limits: [] }),
};

/** What the experiment of that id adds to the common report. */
export function experimentReport(id: string): ExperimentReport {
  return reports.get(id) ?? common;
}
