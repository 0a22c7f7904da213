import { runCostTotal } from "../cost/run-cost.ts";
import { experimentReport } from "./catalogue.ts";
import { coldChart } from "./chart/cold-chart.ts";
import { costChart } from "./chart/cost-chart.ts";
import { distributionChart } from "./chart/distribution-chart.ts";
import { ratioChart } from "./chart/ratio-chart.ts";
import { warmChart } from "./chart/warm-chart.ts";
import { collectSamples } from "./collect/collect-samples.ts";
import type { RenderedReport, ReportInputs } from "./experiment-report.ts";
import { madePlan } from "./made-plan.ts";
import { experimentPage } from "./overview/experiment-page.ts";
import { renderHeadline } from "./render/headline.ts";
import { renderHtml } from "./render/html.ts";
import { renderMarkdown } from "./render/markdown.ts";
import { seriesCsv } from "./render/series-csv.ts";
import { reportDocument } from "./section/report-document.ts";
import { defaultTraffic } from "./traffic.ts";
import { reportView } from "./view/report-view.ts";

/** A run's report in every form. Pure: the same inputs give the same bytes. */
export async function renderReport(inputs: ReportInputs): Promise<RenderedReport> {
  const { manifest, subject, prices, traffic = defaultTraffic, split } = inputs;
  const runCost = runCostTotal(prices, manifest.prices.region, inputs.plan);
  const experiment = experimentReport(inputs.plan.experiment);
  const { quantitiesOf } = experiment;
  const samples = await collectSamples(inputs.plan, inputs.samples, runCost, quantitiesOf, {
    ...(split !== undefined && { split }),
  });
  const plan = madePlan(inputs.plan, manifest, samples);
  const read = { plan, manifest, subject, prices, samples, traffic, runCost: runCost.total() };
  const own = experiment.part(read);
  const view = reportView(read, { ...experiment, ...own });
  const charts = {
    cold: coldChart(view),
    warm: warmChart(view),
    ratio: ratioChart(view),
    distribution: distributionChart(view),
    cost: costChart(view),
  };
  const document = reportDocument(view, charts, own);
  const headline = renderHeadline(view, document, own);
  const page = experimentPage(view, document, own, headline);
  return {
    files: {
      "manifest.json": json(view.manifest),
      "summary.json": json(view),
      "report.md": renderMarkdown(document),
      "report.html": renderHtml(document),
      "report.json": `${JSON.stringify(page)}\n`,
      "series.csv": seriesCsv(view.series),
    },
    page,
    headline,
    manifest: view.manifest,
  };
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
