import { variantLabel } from "../../analysis/report-subject.ts";
import type { ReportView } from "../../analysis/report-view.ts";
import { findComparison, listSizes, seriesIn, variantsRun } from "../../analysis/select.ts";
import type { Phase, SeriesView } from "../../analysis/series-view.ts";
import type { Cell } from "../../contract/types/contract.ts";
import { cellColumns, sizeColumns } from "../document/cell-labels.ts";
import {
  type Block,
  code,
  details,
  makeTable,
  numberColumn,
  rowHeader,
  type Table,
  textColumn,
} from "../document/document.ts";
import { medianText, ratioText, sizeText, verdictText } from "../document/format.ts";
import { ratioColumns } from "./cold.ts";

/** One size and operation: every variant side by side. */
interface Row {
  readonly operation: string;
  readonly cells: readonly Cell[];
}

interface SummaryTable {
  readonly id: string;
  readonly what: string;
  readonly phase: Phase;
  readonly operations: readonly string[];
  readonly quantity: "durationMs" | "initAndDurationMs";
}

/** More variants than a terminal has room for beside each other stand below each other. */
const mostSideBySide = 3;

/** The answer as two small tables, for the terminal and the report's first page. */
export function summaryTableBlocks(view: ReportView): readonly Block[] {
  const { coldOperation, warmOperations, sizes } = view.plan;
  const cold: SummaryTable = {
    id: "glance-cold",
    what: "Cold start, Init and first request",
    phase: "cold",
    operations: [coldOperation],
    quantity: "initAndDurationMs",
  };
  const warm: SummaryTable = {
    id: "glance-warm",
    what: "Warm Duration",
    phase: "warm",
    operations: warmOperations,
    quantity: "durationMs",
  };
  const summaryTables = sizes.warmEnvironments === 0 ? [cold] : [cold, warm];
  return variantsRun(view).length > mostSideBySide
    ? [
        details(
          "Every variant at a glance",
          summaryTables.map((summaryTable) => longSummaryTable(view, summaryTable)),
        ),
      ]
    : summaryTables.map((summaryTable) => summaryTableBlock(view, summaryTable));
}

function summaryTableBlock(view: ReportView, summaryTable: SummaryTable): Table {
  const variants = variantsRun(view);
  const baseline = view.subject.baselineVariant;
  const others = variants.includes(baseline)
    ? variants.filter((variant) => variant !== baseline)
    : [];
  const first = (row: Row) => row.cells[0] as Cell;
  const names = variants.map((variant) => `${variant}: ${variantLabel(view.subject, variant)}`);
  return makeTable<Row>(
    {
      id: summaryTable.id,
      caption: `${summaryTable.what}: medians, ms; ratios to ${baseline} [95 % interval], 2 means twice as long. ${names.join("; ")}.`,
      headline: true,
    },
    [
      rowHeader("Operation", (row) => [code(row.operation)]),
      ...sizeColumns(view, first),
      numberColumn("n, each", (row) => sizesText(view, summaryTable, row)),
      ...variants.map((variant) =>
        numberColumn<Row>(`${variant} ms`, (row) =>
          medianText(findRowSeries(view, summaryTable, row, variant)?.[summaryTable.quantity]),
        ),
      ),
      ...others.map((variant) =>
        textColumn<Row>(`${variant}: ratio`, (row) =>
          ratioAndVerdict(view, summaryTable, row, variant),
        ),
      ),
    ],
    summaryTable.operations.flatMap((operation) =>
      listSizes(view).map((cells): Row => ({ operation, cells })),
    ),
  );
}

function findRowSeries(
  view: ReportView,
  { phase }: SummaryTable,
  { operation, cells }: Row,
  variant: string,
): SeriesView | undefined {
  const cell = cells.find((candidate) => candidate.variant === variant);
  return seriesIn(view, phase, operation).find((series) => series.cell.id === cell?.id);
}

/** One figure where all variants have it, each one's where they differ. */
function sizesText(view: ReportView, summaryTable: SummaryTable, row: Row): string {
  const sizes = variantsRun(view).map((variant) =>
    sizeText(findRowSeries(view, summaryTable, row, variant)?.[summaryTable.quantity]),
  );
  return new Set(sizes).size === 1 ? (sizes[0] as string) : sizes.join("; ");
}

function ratioAndVerdict(
  view: ReportView,
  summaryTable: SummaryTable,
  row: Row,
  variant: string,
): string {
  const series = findRowSeries(view, summaryTable, row, variant);
  const compared = series && findComparison(view, series, summaryTable.quantity);
  const ratio = ratioText(compared);
  return compared?.ratio === undefined ? ratio : `${ratio} ${verdictText(compared)}`;
}

/** A glance of many variants: a row each. */
function longSummaryTable(view: ReportView, summaryTable: SummaryTable): Table {
  const { quantity, operations, phase } = summaryTable;
  const baseline = variantLabel(view.subject, view.subject.baselineVariant);
  const compared = (row: SeriesView) => findComparison(view, row, quantity);
  return makeTable<SeriesView>(
    {
      id: summaryTable.id,
      caption: `${summaryTable.what} (${operations.join(", ")}): medians, ms; ratio to ${baseline} [95 % interval], 2 means twice as long.`,
      headline: true,
    },
    [
      ...cellColumns<SeriesView>(view, (row) => row.cell),
      operations.length === 1 ? undefined : textColumn("Operation", (row) => [code(row.operation)]),
      numberColumn("n", (row) => sizeText(row[quantity])),
      numberColumn("ms", (row) => medianText(row[quantity])),
      ...ratioColumns(view, compared),
    ],
    operations.flatMap((operation) => seriesIn(view, phase, operation)),
  );
}
