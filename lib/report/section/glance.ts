import type { Cell } from "../../contract/types/contract.ts";
import { code, details, numberColumn, tableOf, textColumn } from "../document/blocks.ts";
import { sizeColumns } from "../document/cell-labels.ts";
import type { Block, Table } from "../document/document.ts";
import { medianText, ratioText, sizeText, verdictText } from "../document/format-measure.ts";
import { labelOf } from "../report-subject.ts";
import type { ReportView } from "../view/report-view.ts";
import { comparisonOf, seriesIn, sizesOf, variantsRun } from "../view/select.ts";
import type { Phase, SeriesView } from "../view/series-view.ts";
import { longGlanceTable } from "./long-glance.ts";

/** One size and operation: every variant side by side. */
interface Row {
  readonly operation: string;
  readonly cells: readonly Cell[];
}

export interface Glance {
  readonly id: string;
  readonly what: string;
  readonly phase: Phase;
  readonly operations: readonly string[];
  readonly quantity: "durationMs" | "initAndDurationMs";
}

/** More variants than a terminal has room for beside each other stand below each other. */
const mostSideBySide = 3;

/** The answer as two small tables, for the terminal and the report's first page. */
export function glanceBlocks(view: ReportView): readonly Block[] {
  const { coldOperation, warmOperations, sizes } = view.plan;
  const cold: Glance = {
    id: "glance-cold",
    what: "Cold start, Init and first request",
    phase: "cold",
    operations: [coldOperation],
    quantity: "initAndDurationMs",
  };
  const warm: Glance = {
    id: "glance-warm",
    what: "Warm Duration",
    phase: "warm",
    operations: warmOperations,
    quantity: "durationMs",
  };
  const glances = sizes.warmEnvironments === 0 ? [cold] : [cold, warm];
  return variantsRun(view).length > mostSideBySide
    ? [
        details(
          "Every variant at a glance",
          glances.map((glance) => longGlanceTable(view, glance)),
        ),
      ]
    : glances.map((glance) => glanceTable(view, glance));
}

function glanceTable(view: ReportView, glance: Glance): Table {
  const variants = variantsRun(view);
  const baseline = view.subject.baselineVariant;
  const others = variants.includes(baseline)
    ? variants.filter((variant) => variant !== baseline)
    : [];
  const first = (row: Row) => row.cells[0] as Cell;
  const names = variants.map((variant) => `${variant}: ${labelOf(view.subject, variant)}`);
  return tableOf<Row>(
    {
      id: glance.id,
      caption: `${glance.what}: medians, ms; ratios to ${baseline} [95 % interval], 2 means twice as long. ${names.join("; ")}.`,
      rowHeaders: 1 + sizeColumns(view, first).length,
      headline: true,
    },
    [
      textColumn("Operation", (row) => [code(row.operation)]),
      ...sizeColumns(view, first),
      numberColumn("n, each", (row) => sizesText(view, glance, row)),
      ...variants.map((variant) =>
        numberColumn<Row>(`${variant} ms`, (row) =>
          medianText(seriesOf(view, glance, row, variant)?.[glance.quantity]),
        ),
      ),
      ...others.map((variant) =>
        textColumn<Row>(`${variant}: ratio`, (row) => ratioAndVerdict(view, glance, row, variant)),
      ),
    ],
    glance.operations.flatMap((operation) =>
      sizesOf(view).map((cells): Row => ({ operation, cells })),
    ),
  );
}

function seriesOf(
  view: ReportView,
  { phase }: Glance,
  { operation, cells }: Row,
  variant: string,
): SeriesView | undefined {
  const cell = cells.find((candidate) => candidate.variant === variant);
  return seriesIn(view, phase, operation).find((series) => series.cell.id === cell?.id);
}

/** One figure where all variants have it, each one's where they differ. */
function sizesText(view: ReportView, glance: Glance, row: Row): string {
  const sizes = variantsRun(view).map((variant) =>
    sizeText(seriesOf(view, glance, row, variant)?.[glance.quantity]),
  );
  return new Set(sizes).size === 1 ? (sizes[0] as string) : sizes.join("; ");
}

function ratioAndVerdict(view: ReportView, glance: Glance, row: Row, variant: string): string {
  const series = seriesOf(view, glance, row, variant);
  const compared = series && comparisonOf(view, series, glance.quantity);
  const ratio = ratioText(compared);
  return compared?.ratio === undefined ? ratio : `${ratio} ${verdictText(compared)}`;
}
