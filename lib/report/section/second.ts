import { serviceOf } from "../../contract/service-of.ts";
import { heading, numberColumn, paragraph, tableOf, textColumn } from "../document/blocks.ts";
import { cellColumnCount, cellColumns } from "../document/cell-labels.ts";
import type { Block } from "../document/document.ts";
import { measureText, ratioText, sizeText, verdictText } from "../document/format-measure.ts";
import { missing, number } from "../document/format-number.ts";
import { labelOf } from "../report-subject.ts";
import type { ReportView } from "../view/report-view.ts";
import { comparisonOf, publishedOf, seriesIn } from "../view/select.ts";
import type { SeriesView } from "../view/series-view.ts";
import { hasPublished, publishedCaption } from "./published-column.ts";

/** The invocation after the first: what one-time work is gone by then. */
export function secondSection(view: ReportView): readonly Block[] {
  const rows = seriesIn(view, "second");
  const isPublished = hasPublished(view, rows);
  const baseline = labelOf(view.subject, view.subject.baselineVariant);
  const compared = (row: SeriesView) => comparisonOf(view, row, "durationMs");
  const table = tableOf<SeriesView>(
    {
      id: "second",
      caption: `Second invocation: median [95 % interval], ms; ratio of Durations to ${baseline} (2: twice as long).${publishedCaption(view, isPublished)}`,
      rowHeaders: cellColumnCount(view),
    },
    [
      ...cellColumns<SeriesView>(view, (row) => row.cell),
      numberColumn("n", (row) => sizeText(row.durationMs)),
      numberColumn("Duration ms", (row) => measureText(row.durationMs)),
      callsSdk(view, rows)
        ? numberColumn("SDK call ms", (row) => measureText(row.sdkCallMs))
        : undefined,
      numberColumn("Ratio", (row) => baselineOr(view, row, ratioText(compared(row)))),
      textColumn("Verdict", (row) => baselineOr(view, row, verdictText(compared(row)), "baseline")),
      isPublished
        ? numberColumn("Published runs ms", (row) => publishedRuns(view, row))
        : undefined,
    ],
    rows,
  );
  return [
    heading(2, "Second invocation"),
    paragraph(
      `The next ${view.plan.coldOperation} in the same environment: what separates it from the first is work done once a process.`,
    ),
    table,
  ];
}

/** False where functions have no service to call, and none says that it called one. */
export function callsSdk({ plan }: ReportView, rows: readonly SeriesView[]): boolean {
  return serviceOf(plan) !== undefined || rows.some(({ sdkCallMs }) => sdkCallMs.n > 0);
}

/** The baseline is 1 by definition, and no measurement of itself. */
export function baselineOr(
  view: ReportView,
  { cell }: Pick<SeriesView, "cell">,
  text: string,
  forBaseline = "1 (baseline)",
): string {
  return cell.variant === view.subject.baselineVariant ? forBaseline : text;
}

function publishedRuns(view: ReportView, row: SeriesView): string {
  const runs = publishedOf(view, row)?.durationRunsMs;
  return runs === undefined ? missing : runs.map((run) => number(run)).join("; ");
}
