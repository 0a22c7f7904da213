import type { Cell } from "../contract/types/contract.ts";
import { seriesKey } from "./collected-series.ts";
import { cellsBySize, joinRows, type Row, type RowComparison } from "./rows.ts";
import type { Phase } from "./series-view.ts";
import type { Summary } from "./summary.ts";

/** The summary with its figures joined to rows, from which a report is rendered. */
export interface ReportView extends Summary {
  readonly series: readonly Row[];
  readonly comparisons: Summary["comparisons"] & { readonly variants: readonly RowComparison[] };
  /** The rows by phase, without the A/A replica, whose samples are only for the noise floor. */
  readonly rows: Readonly<Record<Phase, readonly Row[]>>;
  /** The cells that were run, without the replica, in the order of the reports. */
  readonly cells: readonly Cell[];
  /** The same cells, grouped by size, architecture and workers. */
  readonly sizes: readonly (readonly Cell[])[];
  /** Ids of the variants that were run, the baseline first. */
  readonly variants: readonly string[];
  /** Dimensions that differ between cells. The others are stated once and get no column. */
  readonly varies: { readonly architecture: boolean; readonly workers: boolean };
  /** Returns the row of a cell in a phase; undefined if it makes no such call. */
  rowOf(cell: Pick<Cell, "id"> | undefined, phase: Phase, operation: string): Row | undefined;
}

/** reportView joins the rows of a summary once for all that is rendered from it. */
export function reportView(summary: Summary): ReportView {
  const joined = joinRows(summary);
  const reported = joined.series.filter(({ cell }) => cell.replicaOf === undefined);
  const inPhase = (wanted: Phase) => reported.filter(({ phase }) => phase === wanted);
  const byKey = new Map(reported.map((row) => [seriesKey(row.cell.id, row), row]));
  const cells = summary.quality.cells
    .map(({ cell }) => cell)
    .filter(({ replicaOf }) => replicaOf === undefined);
  const differs = (dimension: "architecture" | "workers") =>
    new Set(summary.plan.cells.map((cell) => cell[dimension])).size > 1;
  return {
    ...summary,
    ...joined,
    rows: { cold: inPhase("cold"), second: inPhase("second"), warm: inPhase("warm") },
    cells,
    sizes: cellsBySize(cells),
    variants: variantsRun(summary, cells),
    varies: { architecture: differs("architecture"), workers: differs("workers") },
    rowOf: (cell, phase, operation) => cell && byKey.get(seriesKey(cell.id, { phase, operation })),
  };
}

function variantsRun({ subject }: Summary, cells: readonly Cell[]): readonly string[] {
  const run = new Set(cells.map(({ variant }) => variant));
  const { baselineVariant } = subject;
  const order = [baselineVariant, ...subject.variants.map(({ id }) => id), ...run];
  return [...new Set(order)].filter((id) => run.has(id));
}
