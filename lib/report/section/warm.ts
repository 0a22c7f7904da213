import { code, heading, numberColumn, paragraph, tableOf, textColumn } from "../document/blocks.ts";
import { cellColumnCount, cellColumns } from "../document/cell-labels.ts";
import type { Block, Table } from "../document/document.ts";
import { measureText, ratioText, sizeText, verdictText } from "../document/format-measure.ts";
import { number } from "../document/format-number.ts";
import { labelOf } from "../report-subject.ts";
import type { ReportView } from "../view/report-view.ts";
import { comparisonOf, publishedOf, seriesIn } from "../view/select.ts";
import type { SeriesView } from "../view/series-view.ts";
import { hasPublished, publishedCaption, publishedRatio } from "./published-column.ts";
import { baselineOr, callsSdk } from "./second.ts";

function noWarmCalls({ manifest }: ReportView): string {
  return manifest.imported === undefined
    ? "No warm calls were planned in this run."
    : "Every invocation that was read had an Init Duration: none was warm.";
}

/** The later calls: Lambda's Duration, and the SDK call inside it by the function's own clock. */
export function warmSection(view: ReportView, chart: readonly Block[]): readonly Block[] {
  const rows = seriesIn(view, "warm");
  if (rows.length === 0) {
    return [heading(2, "Warm"), paragraph(noWarmCalls(view))];
  }
  return [
    heading(2, "Warm"),
    paragraph(
      view.manifest.imported !== undefined
        ? "Invocations without an Init Duration: the second ones in their environments are among them, and none is discarded as a warm-up. Each counts as an environment of its own."
        : "Calls after the discarded warm-up ones. An environment's calls share a process and a moment, so that the median is over the environments' own medians and the interval counts environments, not calls.",
    ),
    heading(3, "Duration"),
    ...chart,
    warmTable(view, "durationMs"),
    ...(callsSdk(view, rows) ? sdkCallBlocks(view) : []),
  ];
}

function sdkCallBlocks(view: ReportView): readonly Block[] {
  return [
    heading(3, "SDK call"),
    paragraph(
      `The time inside the SDK alone: what the function itself adds around it is left out.${summedNote(view)}`,
    ),
    warmTable(view, "sdkCallMs"),
  ];
}

/** Of calls that ran at the same time: their times together are more than the whole. */
function summedNote(view: ReportView): string {
  const isSummed = seriesIn(view, "warm").some(
    ({ sdkCallMs, durationMs }) => (sdkCallMs.median ?? 0) > (durationMs.median ?? 0),
  );
  return isSummed ? " Calls that run at the same time are summed: more than the Duration." : "";
}

const quantityNames = { durationMs: "Duration", sdkCallMs: "SDK call" } as const;

function warmTable(view: ReportView, quantity: keyof typeof quantityNames): Table {
  const rows = seriesIn(view, "warm");
  const isPublished = hasPublished(view, rows);
  const baseline = labelOf(view.subject, view.subject.baselineVariant);
  const name = quantityNames[quantity];
  const compared = (row: SeriesView) => comparisonOf(view, row, quantity);
  return tableOf<SeriesView>(
    {
      id: `warm-${quantity === "durationMs" ? "duration" : "sdk-call"}`,
      caption: `Warm ${name}: median [95 % interval], ms; ratio to ${baseline} (2: twice as long).${publishedCaption(view, isPublished)}`,
      rowHeaders: cellColumnCount(view) + 1,
    },
    [
      textColumn("Operation", (row) => [code(row.operation)]),
      ...cellColumns<SeriesView>(view, (row) => row.cell),
      numberColumn("n in environments", (row) => sizeText(row[quantity])),
      numberColumn(`${name} ms`, (row) => measureText(row[quantity])),
      numberColumn("Ratio", (row) => baselineOr(view, row, ratioText(compared(row)))),
      textColumn("Verdict", (row) => baselineOr(view, row, verdictText(compared(row)), "baseline")),
      ...(isPublished
        ? [
            numberColumn<SeriesView>("Published ms", (row) =>
              number(publishedOf(view, row)?.[quantity]),
            ),
            numberColumn<SeriesView>("Published ratio", (row) =>
              number(publishedRatio(view, row, quantity)),
            ),
          ]
        : []),
    ],
    rows,
  );
}
