import { heading, numberColumn, paragraph, tableOf, textColumn } from "../document/blocks.ts";
import { cellColumnCount, cellColumns, sizeColumns } from "../document/cell-labels.ts";
import type { Block, Table } from "../document/document.ts";
import {
  measureText,
  megabytesText,
  ratioText,
  sizeText,
  verdictText,
} from "../document/format-measure.ts";
import { missing, number } from "../document/format-number.ts";
import { labelOf } from "../report-subject.ts";
import type { Compared } from "../view/compared.ts";
import type { Comparison } from "../view/comparisons.ts";
import type { ReportView } from "../view/report-view.ts";
import { comparisonOf, publishedOf, seriesIn } from "../view/select.ts";
import type { SeriesView } from "../view/series-view.ts";
import { hasPublished, publishedCaption } from "./published-column.ts";

/** Init and the first request, by variant and memory. */
export function coldSection(view: ReportView): readonly Block[] {
  return [
    heading(2, "Cold start"),
    paragraph(
      view.manifest.imported === undefined
        ? `A new execution environment each time: Init, then the first ${view.plan.coldOperation} in the handler. A sample counts only with Init reported and a boot id not seen before.`
        : "Invocations of which Lambda reported an Init Duration, or a Restore Duration: no boot id verifies that their environment was new.",
    ),
    coldTable(view),
    coldRatioTable(view),
  ];
}

function coldTable(view: ReportView): Table {
  const rows = seriesIn(view, "cold");
  const isPublished = hasPublished(view, rows);
  return tableOf<SeriesView>(
    {
      id: "cold-start",
      caption: `Cold start: median [95 % interval] over environments, ms and MB.${publishedCaption(view, isPublished)}`,
      rowHeaders: cellColumnCount(view),
    },
    [
      ...cellColumns<SeriesView>(view, (row) => row.cell),
      numberColumn("n", (row) => sizeText(row.durationMs)),
      numberColumn("Init ms", (row) => measureText(row.initDurationMs)),
      numberColumn("First Duration ms", (row) => measureText(row.durationMs)),
      numberColumn("Init + first ms", (row) => measureText(row.initAndDurationMs)),
      numberColumn("Billed ms", (row) => measureText(row.billedDurationMs)),
      numberColumn("Max memory MB", (row) => megabytesText(row.maxMemoryUsedMb)),
      isPublished
        ? numberColumn("Published: Init / first / billed ms / memory MB", (row) =>
            publishedCold(view, row),
          )
        : undefined,
    ],
    rows,
  );
}

function publishedCold(view: ReportView, row: SeriesView): string {
  const published = publishedOf(view, row);
  if (published === undefined) return missing;
  const { initDurationMs, durationMs, billedDurationMs, maxMemoryUsedMb } = published;
  return [initDurationMs, durationMs, billedDurationMs, maxMemoryUsedMb]
    .map((value) => number(value, 0))
    .join(" / ");
}

function coldRatioTable(view: ReportView): Table {
  const baseline = labelOf(view.subject, view.subject.baselineVariant);
  const rows = seriesIn(view, "cold").filter(
    (series) => comparisonOf(view, series, "durationMs") !== undefined,
  );
  const ratio = (quantity: Comparison["quantity"]) => (row: SeriesView) =>
    ratioText(comparisonOf(view, row, quantity));
  const total = (row: SeriesView) => comparisonOf(view, row, "initAndDurationMs");
  return tableOf<SeriesView>(
    {
      id: "cold-ratio",
      caption: `Cold start against ${baseline}: ratio of medians [95 % interval]; 2 means twice as long as ${baseline}. The verdict is on Init + first.`,
      rowHeaders: sizeColumns(view, (row: SeriesView) => row.cell).length + 1,
    },
    [
      ...cellColumns<SeriesView>(view, (row) => row.cell),
      numberColumn("n, and baseline's", (row) => comparedText(total(row))),
      numberColumn("Init", ratio("initDurationMs")),
      numberColumn("First Duration", ratio("durationMs")),
      numberColumn("Init + first", ratio("initAndDurationMs")),
      textColumn("Verdict", (row) => verdictText(total(row))),
    ],
    rows,
  );
}

/** Environments on either side of a comparison. */
export function comparedText(comparison: Compared | undefined): string {
  if (comparison === undefined) return missing;
  return `${comparison.environments}, ${comparison.baselineEnvironments}`;
}
