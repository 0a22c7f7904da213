import { code, heading, numberColumn, paragraph, tableOf } from "../document/blocks.ts";
import { cellColumnCount, cellColumns } from "../document/cell-labels.ts";
import type { Block, Span } from "../document/document.ts";
import { count, missing, number } from "../document/format-number.ts";
import { labelOf } from "../report-subject.ts";
import type { InstructionCount } from "../view/instruction-count.ts";
import type { ReportView } from "../view/report-view.ts";
import { seriesIn } from "../view/select.ts";
import type { Phase, SeriesView } from "../view/series-view.ts";

/** One count of the table: of Init, or of the invocations of a series. */
interface Counted {
  readonly name: readonly Span[];
  readonly of: (row: SeriesView) => number | undefined;
}

/** Instructions by phase, from the samples that are in no statistic of time; nothing without any. */
export function instructionBlocks(view: ReportView): readonly Block[] {
  const rows = seriesIn(view, "cold").filter(({ cell }) =>
    seriesCounted(view).some((series) => series.cell.id === cell.id),
  );
  if (rows.length === 0) return [];
  return [
    heading(3, "Instructions"),
    paragraph(
      "Instructions that the process executes in user space, counted by callgrind in environments of their own after the timed ones. A count does not depend on the clock or on the share of a CPU; the ratios are of medians and have no interval. Valgrind hides the processor's own instructions for hashing, so that signing a request counts for more here than it takes.",
    ),
    instructionTable(view, rows),
  ];
}

function seriesCounted(view: ReportView): readonly SeriesView[] {
  return view.series.filter(
    ({ cell, instructions }) => cell.twinOf === undefined && instructions !== undefined,
  );
}

function instructionTable(view: ReportView, rows: readonly SeriesView[]): Block {
  const baseline = labelOf(view.subject, view.subject.baselineVariant);
  const columns = countedColumns(view);
  return tableOf<SeriesView>(
    {
      id: "instructions",
      caption: `Instructions in user space, millions: median over environments; ratio to ${baseline} at the same size (2: twice as many). n: samples of the first, the second and the warm invocations.`,
      rowHeaders: cellColumnCount(view),
    },
    [
      ...cellColumns<SeriesView>(view, (row) => row.cell),
      numberColumn("n", (row) => sizesText(view, row)),
      ...columns.flatMap(({ name, of }) => [
        numberColumn<SeriesView>([...name, " M"], (row) => millions(of(row))),
        numberColumn<SeriesView>([...name, " ratio"], (row) =>
          ratioTo(of(row), baselineCount(view, row, of)),
        ),
      ]),
    ],
    rows,
  );
}

function countedColumns(view: ReportView): readonly Counted[] {
  const { coldOperation, warmOperations } = view.plan;
  const column = (
    name: readonly Span[],
    phase: Phase,
    operation: string,
    key: "initMedian" | "invocationMedian",
  ): Counted => ({
    name,
    of: (row) => countOf(view, row, phase, operation)?.[key],
  });
  const warm = warmOperations.map((operation) =>
    column(["Warm ", code(operation)], "warm", operation, "invocationMedian"),
  );
  return [
    column(["Init"], "cold", coldOperation, "initMedian"),
    column(["First"], "cold", coldOperation, "invocationMedian"),
    column(["Second"], "second", coldOperation, "invocationMedian"),
    ...warm.filter(({ of }) => seriesIn(view, "cold").some((row) => of(row) !== undefined)),
  ];
}

function countOf(
  view: ReportView,
  { cell }: SeriesView,
  phase: Phase,
  operation: string,
): InstructionCount | undefined {
  return seriesIn(view, phase, operation).find((series) => series.cell.id === cell.id)
    ?.instructions;
}

/** The same count of the baseline's cell of the same size. */
function baselineCount(
  view: ReportView,
  { cell }: SeriesView,
  of: Counted["of"],
): number | undefined {
  const baseline = seriesIn(view, "cold").find(
    (series) =>
      series.cell.variant === view.subject.baselineVariant &&
      series.cell.architecture === cell.architecture &&
      series.cell.memoryMb === cell.memoryMb &&
      series.cell.workers === cell.workers,
  );
  return baseline && of(baseline);
}

function ratioTo(value: number | undefined, baseline: number | undefined): string {
  return value === undefined || baseline === undefined || baseline === 0
    ? missing
    : number(value / baseline);
}

function millions(instructions: number | undefined): string {
  return number(instructions === undefined ? undefined : instructions / 1_000_000);
}

function sizesText(view: ReportView, row: SeriesView): string {
  const { coldOperation } = view.plan;
  const warm = seriesIn(view, "warm").filter((series) => series.cell.id === row.cell.id);
  const sizes = [
    countOf(view, row, "cold", coldOperation)?.n,
    countOf(view, row, "second", coldOperation)?.n,
    warm.reduce((sum, { instructions }) => sum + (instructions?.n ?? 0), 0),
  ];
  return sizes.map((n) => (n === undefined ? missing : count(n))).join(", ");
}
