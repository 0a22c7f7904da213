import type { Cell } from "../../contract/types/contract.ts";
import { code, numberColumn, tableOf, textColumn } from "../document/blocks.ts";
import { sizeColumns } from "../document/cell-labels.ts";
import type { Table } from "../document/document.ts";
import { medianText, ratioText, sizeText, verdictText } from "../document/format-measure.ts";
import { labelOf } from "../report-subject.ts";
import type { ReportView } from "../view/report-view.ts";
import { comparisonOf, seriesIn, sizesOf, variantsRun } from "../view/select.ts";

/** One size and operation: every variant side by side. */
interface Row {
  readonly operation: string;
  readonly cells: readonly Cell[];
}

/** Warm Duration in one small table, for the terminal and the report's first page. */
export function glanceTable(view: ReportView): Table | undefined {
  const { warmOperations, sizes } = view.plan;
  if (sizes.warmEnvironments === 0) return undefined;
  const variants = variantsRun(view);
  const baseline = view.subject.baselineVariant;
  const rows = warmOperations.flatMap((operation) =>
    sizesOf(view).map((cells): Row => ({ operation, cells })),
  );
  const first = (row: Row) => row.cells[0] as Cell;
  const hasBaseline = variants.includes(baseline);
  const others = hasBaseline ? variants.filter((variant) => variant !== baseline) : [];
  return tableOf<Row>(
    {
      id: "glance-warm",
      caption: `Warm Duration at a glance: medians, ms, and each variant's ratio to ${labelOf(view.subject, baseline)} [95 % interval]; 2 means twice as long.`,
      rowHeaders: 1 + sizeColumns(view, first).length,
      headline: true,
    },
    [
      textColumn("Operation", (row) => [code(row.operation)]),
      ...sizeColumns(view, first),
      numberColumn("n in environments, each", (row) => sizesText(view, row)),
      ...variants.map((variant) =>
        numberColumn<Row>(`${labelOf(view.subject, variant)} ms`, (row) =>
          medianText(seriesOf(view, row, variant)?.durationMs),
        ),
      ),
      ...others.map((variant) =>
        numberColumn<Row>(`${labelOf(view.subject, variant)}: ratio, verdict`, (row) =>
          ratioAndVerdict(view, row, variant),
        ),
      ),
    ],
    rows,
  );
}

function seriesOf(view: ReportView, { operation, cells }: Row, variant: string) {
  const cell = cells.find((candidate) => candidate.variant === variant);
  return seriesIn(view, "warm", operation).find((series) => series.cell.id === cell?.id);
}

/** One figure where all variants have it, each one's where they differ. */
function sizesText(view: ReportView, row: Row): string {
  const sizes = variantsRun(view).map((variant) =>
    sizeText(seriesOf(view, row, variant)?.durationMs),
  );
  return [...new Set(sizes)].length === 1 ? (sizes[0] as string) : sizes.join("; ");
}

function ratioAndVerdict(view: ReportView, row: Row, variant: string): string {
  const series = seriesOf(view, row, variant);
  const compared = series && comparisonOf(view, series, "durationMs");
  const ratio = ratioText(compared);
  return compared?.ratio === undefined ? ratio : `${ratio} ${verdictText(compared)}`;
}
