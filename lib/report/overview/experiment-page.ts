import type { Manifest } from "../../contract/types/contract.ts";
import type { Block, Note, ReportDocument, Text } from "../document/document.ts";
import type { OwnPart } from "../experiment-report.ts";
import { finding } from "../section/finding.ts";
import { placeNotes } from "../section/opening.ts";
import type { ReportView } from "../view/report-view.ts";

/**
 * An experiment's report as data, report.json: what the report of a whole run is put together from,
 * so that no sample is read for it again.
 */
export interface ExperimentPage {
  readonly schemaVersion: 1;
  readonly experiment: string;
  readonly title: string;
  readonly question: string;
  readonly status: Manifest["status"];
  readonly counts: Manifest["counts"];
  /** What was found, in one sentence. */
  readonly finding: Text;
  /** What must be known of the place before a number is read. */
  readonly notes: readonly Note[];
  /** For the terminal. */
  readonly headline: string;
  readonly blocks: readonly Block[];
}

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
