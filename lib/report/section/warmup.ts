import type { WarmupFailure } from "../collect/warmup-failures.ts";
import {
  code,
  heading,
  numberColumn,
  paragraph,
  proseColumn,
  tableOf,
} from "../document/blocks.ts";
import { cellColumnCount, cellColumns } from "../document/cell-labels.ts";
import type { Block, Text } from "../document/document.ts";
import { measureText, sizeText } from "../document/format-measure.ts";
import { count, number } from "../document/format-number.ts";
import type { ReportView } from "../view/report-view.ts";
import { publishedOf, seriesIn } from "../view/select.ts";
import type { SeriesView } from "../view/series-view.ts";
import { publishedCaption } from "./published-column.ts";

/** The call that a variant makes in Init to warm its client; nothing where none makes one. */
export function warmupSection(view: ReportView): readonly Block[] {
  const rows = seriesIn(view, "cold").filter(
    (row) => row.warmupMs !== undefined || failuresOf(view, row).length > 0,
  );
  if (rows.length === 0) return [];
  return [
    heading(2, "Warm-up calls in Init"),
    paragraph(
      "A variant that warms its client makes one call before it is ready: part of Init, billed with it, its answer thrown away. Where it failed, the environment's first request was not warmed; it stays in the statistics.",
    ),
    warmupTable(view, rows),
  ];
}

function warmupTable(view: ReportView, rows: readonly SeriesView[]): Block {
  const published = (row: SeriesView) => publishedOf(view, row)?.warmupMs;
  const isPublished = rows.some((row) => published(row) !== undefined);
  const failed = (row: SeriesView) =>
    failuresOf(view, row).reduce((sum, failure) => sum + failure.count, 0);
  return tableOf<SeriesView>(
    {
      id: "warm-up-calls",
      caption: `Warm-up call in Init, failed ones included: median [95 % interval] over environments, ms, by the function's own clock.${publishedCaption(view, isPublished)}`,
      rowHeaders: cellColumnCount(view),
    },
    [
      ...cellColumns<SeriesView>(view, (row) => row.cell),
      numberColumn("n", (row) => sizeText(row.warmupMs)),
      numberColumn("Warm-up ms", (row) => measureText(row.warmupMs)),
      numberColumn("Failed", (row) => count(failed(row))),
      proseColumn("Failures", (row) => failuresText(failuresOf(view, row))),
      isPublished ? numberColumn("Published ms", (row) => number(published(row))) : undefined,
    ],
    rows,
  );
}

function failuresOf(view: ReportView, { cell }: SeriesView): readonly WarmupFailure[] {
  return view.warmupFailures.filter(({ cellId }) => cellId === cell.id);
}

function failuresText(failures: readonly WarmupFailure[]): Text {
  if (failures.length === 0) return "none";
  return failures.flatMap((failure, index) => [
    ...(index === 0 ? [] : ["; "]),
    code(failure.type),
    ` (${count(failure.count)})`,
  ]);
}
