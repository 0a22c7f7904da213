import { numberColumn, tableOf, textColumn } from "../document/blocks.ts";
import { cellColumnCount, cellColumns } from "../document/cell-labels.ts";
import type { Block } from "../document/document.ts";
import { measureText } from "../document/format-measure.ts";
import { number } from "../document/format-number.ts";
import type { CostAndSpeed } from "../view/cost-speed.ts";
import type { ReportView } from "../view/report-view.ts";

/** The cells that no other one beats in both cost and time. */
export function frontierBlocks(view: ReportView, chart: readonly Block[]): readonly Block[] {
  if (view.costAndSpeed.length === 0) return [];
  const rows = view.costAndSpeed.flatMap((group) =>
    group.filter(({ isOnFrontier }) => isOnFrontier),
  );
  return [
    ...chart,
    tableOf<CostAndSpeed>(
      {
        id: "frontier",
        caption:
          "Cells that no other one beats in both time and cost, by the medians: where intervals overlap, another run may order them otherwise. Cold: Init and first Duration.",
        rowHeaders: 1 + cellColumnCount(view),
      },
      [
        textColumn("Call", ({ phase, operation }) => `${phase} ${operation}`),
        ...cellColumns<CostAndSpeed>(view, ({ cell }) => cell),
        numberColumn("ms [95 % interval]", ({ time }) => measureText(time)),
        numberColumn("USD per million", ({ usdPerMillion }) => number(usdPerMillion)),
      ],
      rows,
    ),
  ];
}
