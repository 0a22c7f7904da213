import type { ExperimentPage, RenderedReport } from "../../experiment-report.ts";
import { renderHtml } from "../../render/html.ts";
import { renderMarkdown } from "../../render/markdown.ts";
import { renderTerminal } from "../../render/terminal.ts";
import { enginesCsv } from "./engines-csv.ts";
import { answer, engineDocument, engineFinding, engineNotes } from "./report.ts";
import { type EngineInputs, engineView } from "./view.ts";

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

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
