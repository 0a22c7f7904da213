import { memoryChart } from "../../chart/memory-chart.ts";
import { numberColumn, tableOf, textColumn } from "../../document/blocks.ts";
import { sizeColumns } from "../../document/cell-labels.ts";
import type { Chart, Table } from "../../document/document.ts";
import { measureText, ratioText, verdictText } from "../../document/format-measure.ts";
import { labelOf } from "../../report-subject.ts";
import { comparedText } from "../../section/cold.ts";
import type { Measure } from "../../view/measure.ts";
import type { ReportView } from "../../view/report-view.ts";
import type { FirstRequestFigures, Handshake } from "./figures.ts";

const tableId = "first-request-handshakes";

/** The first handshake of a process against its second, by memory. */
export function handshakeTable(view: ReportView, { handshakes }: FirstRequestFigures): Table {
  return tableOf<Handshake>(
    {
      id: tableId,
      caption: `TLS handshakes of one process, made by hand to the same endpoint: median [95 % interval], ms. Ratio: the first over the second, in the same environments; the verdict is on the first and rests on the interval and the margin alone. One-time: first less second, environment by environment. First to baseline's Duration: the first handshake over the whole first request of ${labelOf(view.subject, view.subject.baselineVariant)}.`,
      rowHeaders: sizeColumns(view, (row: Handshake) => row.cell).length,
      headline: true,
    },
    [
      ...sizeColumns<Handshake>(view, (row) => row.cell),
      numberColumn("n first, second", (row) => comparedText(row.firstToSecond)),
      numberColumn("First ms", (row) => measureText(row.firstMs)),
      numberColumn("Second ms", (row) => measureText(row.secondMs)),
      numberColumn("Ratio", (row) => ratioText(row.firstToSecond)),
      textColumn("Verdict", (row) => verdictText(row.firstToSecond)),
      numberColumn("One-time ms", (row) => measureText(row.oneTimeMs)),
      numberColumn("First to baseline's Duration", (row) => ratioText(row.firstToRequest)),
      numberColumn("First of the second invocation ms", (row) => measureText(row.laterMs)),
    ],
    handshakes,
  );
}

/** The handshakes as lines by memory. */
export function handshakeChart({ handshakes }: FirstRequestFigures): readonly Chart[] {
  const line = (label: string, measureOf: (handshake: Handshake) => Measure) => ({
    label,
    points: handshakes.map((handshake) => ({
      cell: handshake.cell,
      measure: measureOf(handshake),
    })),
  });
  return memoryChart({
    id: "chart-handshakes",
    title: "TLS handshakes of one process, by memory",
    description:
      "Median over environments with its 95 % interval, in ms; both axes are logarithmic. Where the first line lies far above the others, the difference is work that a process does once.",
    tableId,
    lines: [
      line("First handshake of the process", ({ firstMs }) => firstMs),
      line("Second handshake, same invocation", ({ secondMs }) => secondMs),
      line("First handshake of the second invocation", ({ laterMs }) => laterMs),
    ],
  });
}
