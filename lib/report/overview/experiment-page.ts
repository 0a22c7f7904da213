import type { ReportDocument } from "../document/document.ts";
import type { ExperimentPage, OwnPart } from "../experiment-report.ts";
import { finding } from "../section/finding.ts";
import { placeNotes } from "../section/opening.ts";
import type { ReportView } from "../view/report-view.ts";

export function experimentPage(
  view: ReportView,
  document: ReportDocument,
  own: OwnPart,
  headline: string,
): ExperimentPage {
  return {
    schemaVersion: 1,
    experiment: view.plan.experiment,
    title: document.title,
    question: view.subject.question,
    status: view.manifest.status,
    counts: view.manifest.counts,
    finding: own.finding?.(view) ?? finding(view),
    notes: placeNotes(view),
    headline,
    blocks: document.blocks,
  };
}
