import { code, heading, numberColumn, paragraph, tableOf, textColumn } from "../document/blocks.ts";
import { cellColumnCount, cellColumns } from "../document/cell-labels.ts";
import type { Block, Table } from "../document/document.ts";
import { measureText, ratioText, sizeText, verdictText } from "../document/format-measure.ts";
import { labelOf } from "../report-subject.ts";
import type { ReportView } from "../view/report-view.ts";
import { comparisonOf, seriesIn } from "../view/select.ts";
import type { SeriesView } from "../view/series-view.ts";
import { instructionBlocks } from "./instructions.ts";
import { baselineOr } from "./second.ts";

/** What the work costs the processor, which no quota and no noise of the clock changes. */
export function processorSection(view: ReportView): readonly Block[] {
  const blocks = [...cpuBlocks(view), ...instructionBlocks(view)];
  return blocks.length === 0 ? [] : [heading(2, "Work of the processor"), ...blocks];
}

function cpuBlocks(view: ReportView): readonly Block[] {
  const rows = seriesIn(view, "cold").filter(
    (row) => row.initCpuMs !== undefined || row.invocationCpuMs !== undefined,
  );
  if (rows.length === 0) return [];
  return [
    heading(3, "CPU time"),
    paragraph(
      "The time that the environment's processes had a CPU, user and system, by the accounting of their control group. A function waits longer than this wherever its share of a CPU is small.",
    ),
    cpuTable(view, rows),
  ];
}

function cpuTable(view: ReportView, rows: readonly SeriesView[]): Table {
  const { coldOperation, warmOperations, sizes } = view.plan;
  const operations = sizes.warmEnvironments === 0 ? [] : warmOperations;
  const first = (row: SeriesView) => comparisonOf(view, row, "invocationCpuMs");
  const init = (row: SeriesView) => comparisonOf(view, row, "initCpuMs");
  const later = (row: SeriesView, phase: "second" | "warm", operation: string) =>
    seriesIn(view, phase, operation).find((series) => series.cell.id === row.cell.id);
  const baseline = labelOf(view.subject, view.subject.baselineVariant);
  return tableOf<SeriesView>(
    {
      id: "cpu-time",
      caption: `CPU time: median [95 % interval] over environments, ms; ratio to ${baseline} (2: twice as much). The verdict is on the first request. n counts first requests.`,
      rowHeaders: cellColumnCount(view),
    },
    [
      ...cellColumns<SeriesView>(view, (row) => row.cell),
      numberColumn("n", (row) => sizeText(row.invocationCpuMs)),
      numberColumn("Init CPU ms", (row) => measureText(row.initCpuMs)),
      numberColumn("Init ratio", (row) => baselineOr(view, row, ratioText(init(row)))),
      numberColumn("First request CPU ms", (row) => measureText(row.invocationCpuMs)),
      numberColumn("First ratio", (row) => baselineOr(view, row, ratioText(first(row)))),
      textColumn("Verdict", (row) => baselineOr(view, row, verdictText(first(row)), "baseline")),
      numberColumn("Second CPU ms", (row) =>
        measureText(later(row, "second", coldOperation)?.invocationCpuMs),
      ),
      ...operations.map((operation) =>
        numberColumn<SeriesView>(["Warm ", code(operation), " CPU ms"], (row) =>
          measureText(later(row, "warm", operation)?.invocationCpuMs),
        ),
      ),
    ],
    rows,
  );
}
