import type { Cell } from "../../contract/types/contract.ts";
import { publishedSeries } from "../view/published.ts";
import type { ReportView } from "../view/report-view.ts";
import type { SeriesView } from "../view/series-view.ts";

type Row = Pick<SeriesView, "operation" | "phase"> & { readonly cell: Cell };

/** True when the source has a figure for one of the rows: without any there is no column. */
export function hasPublished(view: ReportView, rows: readonly Row[]): boolean {
  return rows.some(
    ({ cell, operation, phase }) =>
      publishedSeries(view.plan, cell, operation, phase) !== undefined,
  );
}

/** Under which conditions the column beside was measured, as part of a caption. */
export function publishedCaption(view: ReportView, isPublished: boolean): string {
  const { published, simulated } = view;
  if (!isPublished || published === undefined) return "";
  const { region, architecture, memoryMb } = published.conditions;
  const where = `AWS Lambda, ${region}, ${architecture}, ${memoryMb} MB`;
  const comparable = simulated ? "; absolute times there and here are not comparable" : "";
  return ` Published: the source's own figures (${where}${comparable}); they are in no statistic.`;
}

/** The published ratio is Python over Rust; it stands beside that comparison and no other. */
export function publishedRatio(
  view: ReportView,
  { cell, operation, phase }: Row,
  quantity: "durationMs" | "sdkCallMs",
): number | undefined {
  if (view.subject.baselineVariant !== "rust") return undefined;
  const published = publishedSeries(view.plan, cell, operation, phase);
  return quantity === "durationMs" ? published?.durationRatio : published?.sdkCallRatio;
}
