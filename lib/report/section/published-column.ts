import type { Cell } from "../../contract/types/contract.ts";
import type { PublishedSource } from "../view/published.ts";
import type { ReportView } from "../view/report-view.ts";
import { publishedOf } from "../view/select.ts";
import type { SeriesView } from "../view/series-view.ts";

type Row = Pick<SeriesView, "operation" | "phase"> & { readonly cell: Cell };

/** True when the source has a figure for one of the rows: without any there is no column. */
export function hasPublished(view: ReportView, rows: readonly Row[]): boolean {
  return rows.some((row) => publishedOf(view, row) !== undefined);
}

/** Under which conditions the column beside was measured, as part of a caption. */
export function publishedCaption(view: ReportView, isPublished: boolean): string {
  const { published, simulated } = view;
  if (!isPublished || published === undefined) return "";
  const comparable = simulated ? "; absolute times there and here are not comparable" : "";
  return ` Published: the source's own figures (${publishedPlace(published)}${comparable}); they are in no statistic.`;
}

/** `AWS Lambda, ap-northeast-1, arm64, 128 MB`. */
export function publishedPlace({ conditions }: Pick<PublishedSource, "conditions">): string {
  const { region, architecture, memoryMb } = conditions;
  return `AWS Lambda, ${region}, ${architecture}, ${memoryMb} MB`;
}

/** The published ratio is over the source's baseline; it stands beside that comparison and no other. */
export function publishedRatio(
  view: ReportView,
  row: Row,
  quantity: "durationMs" | "sdkCallMs",
): number | undefined {
  if (view.published?.baselineVariant !== view.subject.baselineVariant) return undefined;
  const published = publishedOf(view, row);
  return quantity === "durationMs" ? published?.durationRatio : published?.sdkCallRatio;
}
