import type { Comparison } from "../../analysis/comparisons.ts";
import { variantLabel } from "../../analysis/report-subject.ts";
import type { ReportView } from "../../analysis/report-view.ts";
import type { Row } from "../../analysis/rows.ts";
import type { Phase } from "../../analysis/series-view.ts";
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
  verdictColumn,
} from "../document/document.ts";
import { number, ratioText, sizeText, verdictText } from "../document/format.ts";
import { ratioColumns } from "./cold.ts";

/** A row for one size and operation, with every variant side by side. */
interface SizeRow {
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

/** The most variants shown side by side. More are stacked, one per row. */
const mostSideBySide = 3;

/** Lists every comparison of the first screen with its interval, in two tables. */
export function summaryTableBlocks(view: ReportView): readonly Block[] {
  const tables = summaryTables(view);
  if (!isLong(view)) return tables.map((table) => summaryTableBlock(view, table));
  return [
    details(
      "Every variant, size and operation",
      tables.map((table) => longSummaryTable(view, table)),
    ),
  ];
}

function isLong(view: ReportView): boolean {
  return view.variants.length > mostSideBySide;
}

/** Returns the id of the table row with a series' comparison. */
export function summaryRowId(
  view: ReportView,
  { phase, operation, cell }: Pick<Comparison, "phase" | "operation" | "cell">,
): string {
  const table = summaryTables(view).find((each) => each.phase === phase) as SummaryTable;
  const at = isLong(view)
    ? longRows(view, table).findIndex(
        (row) => row.operation === operation && row.cell.id === cell.id,
      )
    : rowsOf(view, table).findIndex(
        (row) => row.operation === operation && row.cells.some(({ id }) => id === cell.id),
      );
  return rowId(table.id, at);
}

function rowId(tableId: string, index: number): string {
  return `${tableId}-row-${index + 1}`;
}

function rowsOf(view: ReportView, { operations }: SummaryTable): readonly SizeRow[] {
  return operations.flatMap((operation) => view.sizes.map((cells) => ({ operation, cells })));
}

function longRows(view: ReportView, { operations, phase }: SummaryTable): readonly Row[] {
  return operations.flatMap((operation) =>
    view.rows[phase].filter((row) => row.operation === operation),
  );
}

function summaryTables(view: ReportView): readonly SummaryTable[] {
  const { coldOperation, warmOperations, sizes } = view.plan;
  const cold: SummaryTable = {
    id: "glance-cold",
    what: "Cold start, Init and first Duration together",
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
  return sizes.warmEnvironments === 0 ? [cold] : [cold, warm];
}

function summaryTableBlock(view: ReportView, summaryTable: SummaryTable): Table {
  const variants = view.variants;
  const baseline = view.subject.baselineVariant;
  const others = variants.includes(baseline)
    ? variants.filter((variant) => variant !== baseline)
    : [];
  const first = (row: SizeRow) => row.cells[0] as Cell;
  const rows = rowsOf(view, summaryTable);
  const ratios =
    others.length === 0 ? "" : `; ratios to ${baseline} [95% CI], above 1 takes longer`;
  return makeTable<SizeRow>(
    {
      id: summaryTable.id,
      caption: `${summaryTable.what}: means, ms${ratios}.${labelsText(view)}`,
      rowId: (row) => rowId(summaryTable.id, rows.indexOf(row)),
    },
    [
      rowHeader("Operation", (row) => [code(row.operation)]),
      ...sizeColumns(view, first),
      numberColumn("n, each", (row) => sizesText(view, summaryTable, row)),
      ...variants.map((variant) =>
        numberColumn<SizeRow>(`${variant} ms`, (row) =>
          number(rowOfVariant(view, summaryTable, row, variant)?.[summaryTable.quantity]?.mean),
        ),
      ),
      ...others.map((variant) =>
        verdictColumn<SizeRow>(`${variant}: ratio`, (row) =>
          ratioAndVerdict(view, summaryTable, row, variant),
        ),
      ),
    ],
    rows,
  );
}

/** Returns ` rust: Rust (SDK); ...`: the label of each variant whose columns have another name. */
function labelsText({ variants, subject }: ReportView): string {
  const labels = variants.flatMap((variant) => {
    const label = variantLabel(subject, variant);
    return label === variant ? [] : [`${variant}: ${label}`];
  });
  return labels.length === 0 ? "" : ` ${labels.join("; ")}.`;
}

function rowOfVariant(
  view: ReportView,
  { phase }: SummaryTable,
  { operation, cells }: SizeRow,
  variant: string,
): Row | undefined {
  const cell = cells.find((candidate) => candidate.variant === variant);
  return view.rowOf(cell, phase, operation);
}

/** Returns one figure if all variants share it, otherwise one per variant. */
function sizesText(view: ReportView, summaryTable: SummaryTable, row: SizeRow): string {
  const sizes = view.variants.map((variant) =>
    sizeText(rowOfVariant(view, summaryTable, row, variant)?.[summaryTable.quantity]),
  );
  return new Set(sizes).size === 1 ? (sizes[0] as string) : sizes.join("; ");
}

function ratioAndVerdict(
  view: ReportView,
  summaryTable: SummaryTable,
  row: SizeRow,
  variant: string,
): string {
  const compared = rowOfVariant(view, summaryTable, row, variant)?.compared[summaryTable.quantity];
  const ratio = ratioText(compared);
  return compared?.ratio === undefined ? ratio : `${ratio} ${verdictText(compared)}`;
}

/** Returns a summary of many variants, one per row. */
function longSummaryTable(view: ReportView, summaryTable: SummaryTable): Table {
  const { quantity, operations } = summaryTable;
  const rows = longRows(view, summaryTable);
  const baseline = variantLabel(view.subject, view.subject.baselineVariant);
  return makeTable<Row>(
    {
      id: summaryTable.id,
      caption: `${summaryTable.what} (${operations.join(", ")}): means, ms; ratio to ${baseline} [95% CI], above 1 takes longer.`,
      rowId: (row) => rowId(summaryTable.id, rows.indexOf(row)),
    },
    [
      ...cellColumns<Row>(view, (row) => row.cell),
      operations.length === 1 ? undefined : textColumn("Operation", (row) => [code(row.operation)]),
      numberColumn("n", (row) => sizeText(row[quantity])),
      numberColumn("ms", (row) => number(row[quantity]?.mean)),
      ...ratioColumns(view, (row) => row.compared[quantity]),
    ],
    rows,
  );
}
