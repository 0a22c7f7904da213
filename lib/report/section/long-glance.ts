import { code, numberColumn, tableOf, textColumn } from "../document/blocks.ts";
import { cellColumnCount, cellColumns } from "../document/cell-labels.ts";
import type { Table } from "../document/document.ts";
import { medianText, ratioText, sizeText, verdictText } from "../document/format-measure.ts";
import { labelOf } from "../report-subject.ts";
import type { ReportView } from "../view/report-view.ts";
import { comparisonOf, seriesIn } from "../view/select.ts";
import type { SeriesView } from "../view/series-view.ts";
import type { Glance } from "./glance.ts";
import { baselineOr } from "./second.ts";

/** A glance of many variants: a row each. */
export function longGlanceTable(view: ReportView, glance: Glance): Table {
  const { quantity, operations, phase } = glance;
  const baseline = labelOf(view.subject, view.subject.baselineVariant);
  const compared = (row: SeriesView) => comparisonOf(view, row, quantity);
  return tableOf<SeriesView>(
    {
      id: glance.id,
      caption: `${glance.what} (${operations.join(", ")}): medians, ms; ratio to ${baseline} [95 % interval], 2 means twice as long.`,
      rowHeaders: cellColumnCount(view),
      headline: true,
    },
    [
      ...cellColumns<SeriesView>(view, (row) => row.cell),
      operations.length === 1 ? undefined : textColumn("Operation", (row) => [code(row.operation)]),
      numberColumn("n", (row) => sizeText(row[quantity])),
      numberColumn("ms", (row) => medianText(row[quantity])),
      numberColumn("Ratio", (row) => baselineOr(view, row, ratioText(compared(row)))),
      textColumn("Verdict", (row) => baselineOr(view, row, verdictText(compared(row)), "baseline")),
    ],
    operations.flatMap((operation) => seriesIn(view, phase, operation)),
  );
}
