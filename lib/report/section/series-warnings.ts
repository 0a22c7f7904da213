import type { ReportView } from "../../analysis/report-view.ts";
import type { SeriesView } from "../../analysis/series-view.ts";
import type { Warning } from "../../statistics/warnings.ts";
import {
  type Block,
  code,
  details,
  makeTable,
  proseColumn,
  rowHeader,
} from "../document/document.ts";
import { count, number, percent } from "../document/format.ts";
import { limited } from "./columns.ts";

interface Row {
  readonly series: SeriesView;
  readonly text: string;
}

/** Series whose Duration is to be read with care. Too few environments show in every table already. */
export function seriesWarnings(view: ReportView): readonly Block[] {
  const rows = view.series.flatMap((series) =>
    series.durationWarnings.flatMap((warning): readonly Row[] => {
      const text = warningText(warning);
      return text === undefined ? [] : [{ series, text }];
    }),
  );
  if (rows.length === 0) return [];
  return [
    details(`Series to read with care (${count(rows.length)})`, [
      ...limited(rows, (shown) =>
        makeTable<Row>(
          {
            id: "series-warnings",
            caption:
              "What the Durations of a series show beside their median. Nothing was left out for it.",
          },
          [
            rowHeader("Cell", ({ series }) => series.cell.id),
            rowHeader("Phase", ({ series }) => series.phase),
            rowHeader("Operation", ({ series }) => [code(series.operation)]),
            proseColumn("To mind", ({ text }) => text),
          ],
          shown,
        ),
      ),
    ]),
  ];
}

function warningText(warning: Warning): string | undefined {
  switch (warning.kind) {
    case "too-few-environments":
      return undefined;
    case "drift":
      return `drift: the later blocks take ${number(warning.laterToEarlier, 2)} times as long as the earlier ones (p = ${warning.pValue.toFixed(4)})`;
    case "wide-interval":
      return `wide: the interval spans ${percent(warning.relativeWidth)} of the median`;
    case "far-outliers":
      return `${count(warning.count)} of ${count(warning.n)} environments lie far out; they stay in the statistics`;
  }
}
