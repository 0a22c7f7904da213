import { collectSamples } from "../analysis/collect-samples.ts";
import { madePlan, statedTraffic } from "../analysis/report-subject.ts";
import { reportView } from "../analysis/report-view.ts";
import { sizeChoicesMade } from "../analysis/size-choice.ts";
import { summarize } from "../analysis/summary.ts";
import { defined } from "../contract/defined.ts";
import { runCostTotal } from "../cost/invocation-cost.ts";
import { coldChart } from "../report/chart/cold-chart.ts";
import { costChart } from "../report/chart/cost-chart.ts";
import { distributionChart } from "../report/chart/distribution-chart.ts";
import { warmChart } from "../report/chart/memory-chart.ts";
import { ratioChart } from "../report/chart/ratio-chart.ts";
import { sizesChart } from "../report/chart/sizes-chart.ts";
import {
  type ExperimentReport,
  type RenderedReport,
  type ReportInputs,
  renderedReport,
} from "../report/experiment-report.ts";
import { lastLine } from "../report/first-screen/last-line.ts";
import { chartTitles, viewAnswer } from "../report/first-screen/view-answer.ts";
import { runComment } from "../report/pull-request-comment.ts";
import { seriesCsv } from "../report/render/csv.ts";
import { placeNotes } from "../report/section/opening.ts";
import { reportDocument } from "../report/section/report-document.ts";
import { computeReport } from "./compute/report.ts";
import { dynamodbReport } from "./dynamodb/report.ts";
import { dynamodbBatchReport } from "./dynamodb-batch/report.ts";
import { firstRequestReport } from "./first-request/report.ts";
import { multicoreReport } from "./multicore/report.ts";
import { s3FanoutReport } from "./s3-fanout/report.ts";
import { sha256Report } from "./sha256/report.ts";

/** Renders a run's report in every form. Pure: the same inputs give the same bytes. */
export async function renderReport(inputs: ReportInputs): Promise<RenderedReport> {
  const { manifest, subject, prices } = inputs;
  const traffic = statedTraffic(inputs.traffic ?? {}, manifest);
  const runCost = runCostTotal(prices, manifest.prices.region, inputs.plan);
  const experiment = experimentReport(inputs.plan.experiment);
  const { metricsOf } = experiment;
  const samples = await collectSamples(inputs.plan, inputs.samples, runCost, metricsOf, inputs);
  const plan = madePlan(inputs.plan, manifest, samples);
  const read = {
    ...{ plan, manifest, subject, prices, samples, traffic, runCost: runCost.total() },
    ...defined({ sizeChoices: sizeChoicesMade(inputs.plan, manifest, samples) }),
  };
  const own = experiment.part(read);
  const summary = summarize(read, { ...experiment, ...own });
  const view = reportView(summary);
  const titles = chartTitles(view);
  const cold = coldChart(view, titles.cold);
  const [first = cold[0]] = own.chart?.(view) ?? sizesChart(view);
  const answer = viewAnswer(view, own, first);
  const charts = {
    cold: cold.filter((chart) => chart !== first),
    warm: warmChart(view, titles.warm),
    ratio: ratioChart(view, titles.ratio),
    distribution: distributionChart(view),
    cost: costChart(view),
  };
  return renderedReport(summary, reportDocument(view, answer, charts, own), {
    answer,
    notes: placeNotes(view),
    csv: seriesCsv(view.series),
    summary,
    comment: runComment(view, answer),
    ...defined({ lastLine: lastLine(view, answer) }),
  });
}

/** Reports of the experiments that have their own parts. */
const reports: ReadonlyMap<string, ExperimentReport> = new Map([
  ["dynamodb", dynamodbReport],
  ["first-request", firstRequestReport],
  ["compute", computeReport],
  ["multicore", multicoreReport],
  ["s3-fanout", s3FanoutReport],
  ["dynamodb-batch", dynamodbBatchReport],
  ["sha256", sha256Report],
]);

/** The common report without additions. */
const common: ExperimentReport = {
  metrics: [],
  metricsOf: () => ({}),
  part: () => ({ sections: () => [], limits: [] }),
};

/** Returns an experiment's additions to the common report, by its id. */
export function experimentReport(id: string): ExperimentReport {
  return reports.get(id) ?? common;
}
