import { strong } from "../../document/blocks.ts";
import type { Text } from "../../document/document.ts";
import { number } from "../../document/format-number.ts";
import { publishedPlace, publishedRatio } from "../../section/published-column.ts";
import type { ReportView } from "../../view/report-view.ts";
import { seriesIn } from "../../view/select.ts";
import { leadWithoutSdk } from "./published.ts";

/** What the source found, for who asks what is left; only beside the size that it measured. */
export function publishedLead(view: ReportView): Text | undefined {
  const { published } = view;
  if (published === undefined) return undefined;
  const ratios = seriesIn(view, "warm").flatMap(
    (series) => publishedRatio(view, series, "durationMs") ?? [],
  );
  if (ratios.length === 0) return undefined;
  const range = `${number(Math.min(...ratios), 1)} to ${number(Math.max(...ratios), 1)}`;
  return [
    strong("Published, not measured here:"),
    ` Python over Rust ${range} times in warm Duration, against ${leadWithoutSdk} times without any SDK (${publishedPlace(published)}).`,
  ];
}
