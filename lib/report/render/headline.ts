import type { ReportDocument } from "../document/document.ts";
import type { OwnPart } from "../experiment-report.ts";
import { openingNotes } from "../section/opening.ts";
import { recommendationSentences } from "../section/recommendation.ts";
import type { ReportView } from "../view/report-view.ts";
import { renderTerminal } from "./terminal.ts";

/** What a run prints when it ends: the notes, the answer, the headline tables. */
export function renderHeadline(view: ReportView, document: ReportDocument, own: OwnPart): string {
  return renderTerminal(
    view.subject.title,
    [...openingNotes(view), ...own.answer(view), ...recommendationSentences(view)],
    document,
  );
}
