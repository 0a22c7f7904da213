import type { ExperimentPage } from "../../overview/experiment-page.ts";
import { renderCsv } from "../../render/csv.ts";
import { renderHtml } from "../../render/html.ts";
import { renderMarkdown } from "../../render/markdown.ts";
import { renderTerminal } from "../../render/terminal.ts";
import type { RenderedReport } from "../../render-report.ts";
import { answer, engineDocument, engineFinding, engineNotes } from "./report.ts";
import { type EngineInputs, type EngineView, engineView } from "./view.ts";

/** The report of a comparison of engines in every form. Pure: the same inputs give the same bytes. */
export async function renderEngineReport(inputs: EngineInputs): Promise<RenderedReport> {
  const view = await engineView(inputs);
  const document = engineDocument(view);
  const { title } = view.subject;
  const headline = renderTerminal(title, [...engineNotes(view), ...answer(view)], document);
  const page: ExperimentPage = {
    schemaVersion: 1,
    experiment: view.plan.experiment,
    title,
    question: view.subject.question,
    status: view.manifest.status,
    counts: view.manifest.counts,
    finding: engineFinding(view),
    notes: engineNotes(view),
    headline,
    blocks: document.blocks,
  };
  return {
    files: {
      "manifest.json": json(view.manifest),
      "summary.json": json(view),
      "report.md": renderMarkdown(document),
      "report.html": renderHtml(document),
      "report.json": `${JSON.stringify(page)}\n`,
      "series.csv": enginesCsv(view),
    },
    page,
    headline,
    manifest: view.manifest,
  };
}

/** A line an engine and operation, unrounded. */
function enginesCsv({ engines, inFiles }: EngineView): string {
  const header = [
    "engine",
    "operation",
    "rounds",
    "requests",
    "medianMs",
    "lowMs",
    "highMs",
    "p95Ms",
    "p99Ms",
    "totalMedianMs",
    "memoryMedianKb",
    "diskBytes",
    "timesAsQuick",
    "timesAsQuickLow",
    "timesAsQuickHigh",
  ];
  const rows = [...engines, ...inFiles].flatMap(({ id, start, operations }) => [
    [
      id,
      "start_up",
      start.startup.environments,
      start.startup.n,
      start.startup.median,
      start.startup.low,
      start.startup.high,
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
      start.timesAsQuick?.ratio,
      start.timesAsQuick?.low,
      start.timesAsQuick?.high,
    ],
    ...operations.map(({ operation, requests, total, timesAsQuick, ...each }) => [
      ...[id, operation, requests.environments, requests.n, requests.median, requests.low],
      ...[requests.high, each.p95Ms.value, each.p99Ms.value, total.median],
      ...[each.memoryKb.median, each.diskBytes.median],
      ...[timesAsQuick?.ratio, timesAsQuick?.low, timesAsQuick?.high],
    ]),
  ]);
  return renderCsv(header, rows);
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
