import type { ReportView } from "../../view/report-view.ts";
import { seriesIn } from "../../view/select.ts";
import type { SeriesView } from "../../view/series-view.ts";
import type { SizeFigures } from "./figures.ts";
import { publishedPlace, publishedRowOf } from "./published.ts";
import { work } from "./quantities.ts";

/** A size's figures beside the common ones of its warm series. */
export interface SizeRow extends SizeFigures {
  readonly series: SeriesView;
}

/** Sizes of which something was measured. */
export function sizeRows(view: ReportView, sizes: readonly SizeFigures[]): readonly SizeRow[] {
  const warm = seriesIn(view, "warm", work);
  return sizes.flatMap((size) => {
    const series = warm.find(({ cell }) => cell.id === size.cell.id);
    return series === undefined ? [] : [{ ...size, series }];
  });
}

export function isPublished(rows: readonly SizeRow[]): boolean {
  return rows.some(({ cell }) => publishedRowOf(cell) !== undefined);
}

/** What a caption says of the published column; nothing where there is none. */
export function publishedText(view: ReportView, rows: readonly SizeRow[]): string {
  if (!isPublished(rows)) return "";
  const comparable = view.simulated ? "; absolute times there and here are not comparable" : "";
  return ` Published: the source's own figures (${publishedPlace}${comparable}); they are in no statistic.`;
}
