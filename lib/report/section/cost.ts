import { code, heading, numberColumn, paragraph, tableOf, warning } from "../document/blocks.ts";
import { cellColumnCount, cellColumns } from "../document/cell-labels.ts";
import type { Block } from "../document/document.ts";
import { missing, number, percent } from "../document/format-number.ts";
import type { CellCost, CostView } from "../view/cost-view.ts";
import type { ReportView } from "../view/report-view.ts";

/** Dollars a million invocations, request fee included. */
export function costSection(view: ReportView): readonly Block[] {
  const { cost } = view;
  const share = shareText(cost);
  return [
    heading(2, "Cost per million invocations"),
    ...absentNotes(cost),
    intro(cost, share),
    costTable(view, share),
  ];
}

function shareText({ coldShare }: CostView): string {
  return percent(coldShare, coldShare >= 0.01 ? 0 : 1);
}

function costTable(view: ReportView, share: string): Block {
  const { cost } = view;
  const simulated = view.simulated
    ? " As if on AWS at these billed durations: simulated, and no bill of anyone's."
    : "";
  const operations = cost.cells[0]?.warm.map(({ operation }) => operation) ?? [];
  return tableOf<CellCost>(
    {
      id: "cost",
      caption: `Cost per million invocations, USD, at the median Billed Duration, request fee included, free tier left out; prices of ${cost.pricesRegion}, ${cost.pricesDate}.${simulated}`,
      rowHeaders: cellColumnCount(view),
    },
    [
      ...cellColumns<CellCost>(view, (row) => row.cell),
      numberColumn("n environments (cold, warm)", sizes),
      numberColumn(["Cold ", code(cost.coldOperation)], (row) => dollars(row.coldUsdPerMillion)),
      ...operations.flatMap((operation) => [
        numberColumn<CellCost>(["Warm ", code(operation)], (row) =>
          dollars(warmOf(row, operation)?.warmUsdPerMillion),
        ),
        numberColumn<CellCost>([code(operation), ` at ${share} cold`], (row) =>
          dollars(warmOf(row, operation)?.blendedUsdPerMillion),
        ),
      ]),
    ],
    cost.cells,
  );
}

function intro(cost: CostView, share: string): Block {
  return paragraph(
    `Cold calls are billed as the cold ${cost.coldOperation} was; Init is billed since 2025-08-01 and is in Billed Duration. The mixed columns assume ${share} of invocations cold.`,
  );
}

function absentNotes(cost: CostView): readonly Block[] {
  const reasons = new Set(cost.cells.flatMap(({ priceAbsent }) => priceAbsent ?? []));
  return [...reasons].map((reason) => warning(reason));
}

function warmOf(row: CellCost, operation: string) {
  return row.warm.find((warm) => warm.operation === operation);
}

function sizes(row: CellCost): string {
  const warm = row.warm.map(({ environments }) => environments);
  const text = warm.length === 0 ? missing : [...new Set(warm)].join(" to ");
  return `${row.coldEnvironments}, ${text}`;
}

function dollars(value: number | undefined): string {
  return number(value, value !== undefined && value >= 9.9995 ? 2 : 3);
}
