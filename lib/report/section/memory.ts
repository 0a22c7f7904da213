import { code, heading, numberColumn, paragraph, tableOf } from "../document/blocks.ts";
import { cellColumnCount, cellColumns } from "../document/cell-labels.ts";
import type { Block } from "../document/document.ts";
import { megabytesText, sizeText } from "../document/format-measure.ts";
import { number } from "../document/format-number.ts";
import type { ReportView } from "../view/report-view.ts";
import { publishedOf, seriesIn } from "../view/select.ts";
import type { SeriesView } from "../view/series-view.ts";
import { hasPublished, publishedCaption } from "./published-column.ts";

/** Max Memory Used: a peak since the environment began, so that it only grows. */
export function memorySection(view: ReportView): readonly Block[] {
  return [
    heading(2, "Memory used"),
    paragraph("The peak since the environment began, as the REPORT line gives it."),
    memoryTable(view),
  ];
}

function memoryTable(view: ReportView): Block {
  const rows = seriesIn(view, "cold");
  const isPublished = hasPublished(view, rows);
  const { warmOperations, sizes } = view.plan;
  const operations = sizes.warmEnvironments === 0 ? [] : warmOperations;
  const warmOf = (row: SeriesView, operation: string) =>
    seriesIn(view, "warm", operation).find((series) => series.cell.id === row.cell.id);
  return tableOf<SeriesView>(
    {
      id: "memory-used",
      caption: `Max Memory Used: median [95 % interval] over environments, MB; n counts first requests.${publishedCaption(view, isPublished)}`,
      rowHeaders: cellColumnCount(view),
    },
    [
      ...cellColumns<SeriesView>(view, (row) => row.cell),
      numberColumn("n", (row) => sizeText(row.maxMemoryUsedMb)),
      numberColumn("First request MB", (row) => megabytesText(row.maxMemoryUsedMb)),
      ...operations.map((operation) =>
        numberColumn<SeriesView>(["Warm ", code(operation), " MB"], (row) =>
          megabytesText(warmOf(row, operation)?.maxMemoryUsedMb),
        ),
      ),
      isPublished
        ? numberColumn("Published MB", (row) => number(publishedOf(view, row)?.maxMemoryUsedMb, 0))
        : undefined,
    ],
    rows,
  );
}
