import { labelOf } from "../../report-subject.ts";
import type { ReportView } from "../../view/report-view.ts";
import { seriesIn } from "../../view/select.ts";
import type { SeriesView } from "../../view/series-view.ts";
import type { SettingFigures } from "./figures.ts";

/** A setting's figures beside the common ones of its warm series. */
export interface SettingRow extends SettingFigures {
  readonly series: SeriesView;
}

/** Settings of which something was measured. */
export function settingRows(
  view: ReportView,
  settings: readonly SettingFigures[],
): readonly SettingRow[] {
  const warm = seriesIn(view, "warm");
  return settings.flatMap((setting) => {
    const series = warm.find(
      ({ cell, operation, n }) =>
        cell.id === setting.cell.id && operation === setting.operation && n > 0,
    );
    return series === undefined ? [] : [{ ...setting, series }];
  });
}

export function variantLabel(view: ReportView, { cell }: Pick<SettingFigures, "cell">): string {
  return labelOf(view.subject, cell.variant);
}
