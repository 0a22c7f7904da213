import type { CellCost, CostAndSpeed, CostView } from "../../analysis/cost-view.ts";
import type { ReportView } from "../../analysis/report-view.ts";
import type { Cell, ImportedAverage } from "../../contract/types/contract.ts";
import { findService } from "../../plan/trial-calls.ts";
import { cellColumns } from "../document/cell-labels.ts";
import {
  type Block,
  code,
  heading,
  list,
  makeTable,
  numberColumn,
  paragraph,
  rowHeader,
  type Table,
  textColumn,
  warning,
} from "../document/document.ts";
import {
  count,
  dollarsText,
  measureText,
  missing,
  number,
  plural,
  shareText,
} from "../document/format.ts";
import { simulatedBillNote, spanText } from "./columns.ts";

/** Shows the cost per million invocations in USD, request fee included. */
export function costSection(view: ReportView): readonly Block[] {
  const { cost } = view;
  const share = shareText(cost.coldShare);
  return [
    heading(
      2,
      "Cost per million invocations",
      `Warm: ${spanText(
        cost.cells.flatMap(({ warm }) => warm.map(({ warmUsdPerMillion }) => warmUsdPerMillion)),
        "$",
      )}`,
    ),
    ...absentNotes(cost),
    intro(view, share),
    costTable(view, share),
  ];
}

function costTable(view: ReportView, share: string): Block {
  const { cost } = view;
  const operations = cost.cells[0]?.warm.map(({ operation }) => operation) ?? [];
  return makeTable<CellCost>(
    {
      id: "cost",
      caption: `Cost per million invocations, $, at the mean Billed Duration, mean over environments [95% CI], request fee included, free tier left out; prices of ${cost.pricesRegion}, ${cost.pricesDate}.${simulatedBillNote(view)}`,
    },
    [
      ...cellColumns<CellCost>(view, (row) => row.cell),
      numberColumn("n environments (cold, warm)", sizes),
      numberColumn(["Cold ", code(cost.coldOperation)], (row) =>
        dollarsText(row.coldUsdPerMillion, row.coldUsdInterval),
      ),
      ...operations.flatMap((operation) => [
        numberColumn<CellCost>(["Warm ", code(operation)], (row) => {
          const { warmUsdPerMillion, warmUsdInterval } = findWarmCost(row, operation) ?? {};
          return dollarsText(warmUsdPerMillion, warmUsdInterval);
        }),
        numberColumn<CellCost>([code(operation), ` at ${share} cold`], (row) => {
          const { blendedUsdPerMillion, blendedUsdInterval } = findWarmCost(row, operation) ?? {};
          return dollarsText(blendedUsdPerMillion, blendedUsdInterval);
        }),
      ]),
    ],
    cost.cells,
  );
}

function intro({ cost, quality, manifest }: ReportView, share: string): Block {
  const { cold = 0 } = quality.flags.find(({ label }) => label === "billed-mismatch") ?? {};
  const unbilled =
    manifest.imported === undefined || cold === 0
      ? ""
      : ` In ${plural(cold, "cold start")} it was not, as before that date or with provisioned concurrency: the costs are what was billed.`;
  return paragraph(
    `Cold calls are billed as the cold ${cost.coldOperation} was; Init is billed since 2025-08-01 and is in Billed Duration.${unbilled} The mixed columns are for ${share} cold starts.`,
  );
}

function absentNotes(cost: CostView): readonly Block[] {
  const reasons = new Set(cost.cells.flatMap(({ priceAbsent }) => priceAbsent ?? []));
  return [...reasons].map((reason) => warning(reason));
}

function findWarmCost(row: CellCost, operation: string) {
  return row.warm.find((warm) => warm.operation === operation);
}

function sizes(row: CellCost): string {
  const warm = row.warm.map(({ environments }) => environments);
  const text = warm.length === 0 ? missing : [...new Set(warm)].join(" to ");
  return `${row.coldEnvironments}, ${text}`;
}

/** Shows the cost of the run itself. */
export function runCostSection(view: ReportView): readonly Block[] {
  return [heading(2, "What this run cost", runCostTakeaway(view)), ...runCostBlocks(view)];
}

const nothing = "Nothing: Kelvin did not run on AWS.";

function runCostTakeaway({ runCost }: ReportView): string {
  if (runCost === undefined) return nothing;
  if (runCost.kind === "price-absent") return "Unknown: a price is missing.";
  return `${dollarsOfRun(runCost.functionsUsd)} for the measured functions.`;
}

function runCostBlocks({ runCost, plan }: ReportView): readonly Block[] {
  if (runCost === undefined) return [paragraph(nothing)];
  if (runCost.kind === "price-absent") {
    const fields = runCost.missing.join(", ");
    return [warning(`Unknown: the price table has no ${fields} for ${runCost.region}.`)];
  }
  const { functionsUsd, billed, withoutBill, dataUsd, pricesDate, pricesRegion } = runCost;
  const short =
    withoutBill === 0
      ? ""
      : ` ${count(withoutBill)} more have no Billed Duration and are not included.`;
  const data = dataText(plan, dataUsd);
  const { estimate } = plan;
  const planned =
    estimate === undefined
      ? ""
      : ` The estimate before the run, driver and state machine included, was ${plan.stopping === undefined ? "" : "at most "}${dollarsOfRun(estimate.costUsd)}.`;
  return [
    paragraph(
      `Measured functions: ${dollarsOfRun(functionsUsd)} for ${count(billed)} invocations, rejected ones included (prices of ${pricesRegion}, ${pricesDate}; free tier left out).${short} ${data} The driver and the state machine are not in the samples and come on top.${planned}`,
    ),
  ];
}

function dataText(plan: ReportView["plan"], dataUsd: number | undefined): string {
  if (plan.ownResults) return "What the functions' own requests to services cost is not known.";
  const service = findService(plan) ?? "DynamoDB";
  return dataUsd === undefined
    ? `${service} requests have no price in this region's table.`
    : `${service}'s requests: ${dollarsOfRun(dataUsd)}.`;
}

function dollarsOfRun(value: number): string {
  return `$${number(value, value >= 1 ? 2 : 6)}`;
}

/** Lists the cells that no other cell beats in both cost and time. */
export function frontierBlocks(view: ReportView, chart: readonly Block[]): readonly Block[] {
  if (view.costAndSpeed.length === 0) return [];
  const rows = view.costAndSpeed.flatMap((group) =>
    group.filter(({ isOnFrontier }) => isOnFrontier),
  );
  return [
    ...chart,
    makeTable<CostAndSpeed>(
      {
        id: "frontier",
        caption: `Cells that no other cell beats in both time and cost, by mean time and mean cost. Where intervals overlap, another run may order them differently. Cold: Init and first Duration together.`,
      },
      [
        rowHeader("Call", ({ phase, operation }) => `${phase} ${operation}`),
        ...cellColumns<CostAndSpeed>(view, ({ cell }) => cell),
        numberColumn("ms [95% CI]", ({ time }) => measureText(time)),
        numberColumn("$ per million [95% CI]", ({ usdPerMillion, usdInterval }) =>
          dollarsText(usdPerMillion, usdInterval),
        ),
      ],
      rows,
    ),
  ];
}

/** An average that another tool computed, with its cell. */
export interface AverageRow extends ImportedAverage {
  readonly cell: Cell;
}

export function averageRows(
  { plan }: ReportView,
  averages: readonly ImportedAverage[],
): readonly AverageRow[] {
  return plan.cells.flatMap((cell) =>
    averages.filter(({ cellId }) => cellId === cell.id).map((average) => ({ ...average, cell })),
  );
}

/** Returns the sections on averages that another tool computed. They have no samples. */
export function averagesSections(
  view: ReportView,
  averages: readonly ImportedAverage[],
): readonly Block[] {
  return [
    heading(2, "The averages"),
    averagesTable(view, averageRows(view, averages)),
    paragraph(
      "AWS Lambda Power Tuning by default leaves out the fastest and the slowest fifth of its invocations before it takes the mean (discardTopBottom), does not say how many there were or which were cold, and prices them with the table of its own release.",
    ),
    heading(2, "Limits"),
    list([
      "A mean without its samples has no interval: whether a difference between two sizes is more than chance cannot be determined here.",
      "Samples are in the tuned function's log: import its REPORT lines instead, and there are means, medians, intervals and verdicts.",
    ]),
  ];
}

function averagesTable(view: ReportView, rows: readonly AverageRow[]): Table {
  return makeTable<AverageRow>(
    {
      id: "averages",
      caption:
        "Average Duration and average cost of an invocation as the tool reports them, without an interval. The cost per million is that cost times 1,000,000.",
    },
    [
      ...cellColumns<AverageRow>(view, ({ cell }) => cell),
      numberColumn("n", () => missing),
      numberColumn("Average ms", ({ durationMs }) => number(durationMs)),
      numberColumn("$ per million", ({ costUsd }) =>
        costUsd === undefined ? missing : number(costUsd * 1_000_000, 4),
      ),
      textColumn("Interval", () => "none: no samples"),
    ],
    rows,
  );
}
