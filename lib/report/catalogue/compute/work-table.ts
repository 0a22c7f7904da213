import {
  code,
  heading,
  numberColumn,
  paragraph,
  tableOf,
  textColumn,
} from "../../document/blocks.ts";
import { cellColumnCount, cellColumns } from "../../document/cell-labels.ts";
import type { Block } from "../../document/document.ts";
import { measureText, ratioText, sizeText, verdictText } from "../../document/format-measure.ts";
import { labelOf } from "../../report-subject.ts";
import { baselineOr } from "../../section/second.ts";
import type { ReportView } from "../../view/report-view.ts";
import { seriesIn } from "../../view/select.ts";
import type { SeriesView } from "../../view/series-view.ts";
import type { ComputeFigures } from "./figures.ts";

/** The work by the function's own clock, and what every sample of it was held against. */
export function workBlocks(view: ReportView, figures: ComputeFigures): readonly Block[] {
  const asked = Object.entries(view.plan.requests ?? {});
  const rows = seriesIn(view, "warm").filter(({ operation }) =>
    asked.some(([name, { expected }]) => name === operation && expected !== undefined),
  );
  if (rows.length === 0) return [];
  return [
    heading(2, "The work itself"),
    paragraph(
      "By the function's own clock, from before the work to after it. Every sample's result was held against the known one before it counted: a function that computes something else, or nothing, is rejected and not fast.",
    ),
    requestTable(asked),
    workTable(view, figures, rows),
  ];
}

type Asked = readonly [
  operation: string,
  request: NonNullable<ReportView["plan"]["requests"]>[string],
];

function requestTable(asked: readonly Asked[]): Block {
  const listed = (values: Readonly<Record<string, string | number>> = {}) =>
    Object.entries(values)
      .map(([name, value]) => `${name} ${value}`)
      .join(", ") || "none";
  return tableOf<Asked>(
    {
      id: "requests",
      caption: "What each operation was asked, and its known result.",
      rowHeaders: 1,
    },
    [
      textColumn("Operation", ([operation]) => [code(operation)]),
      textColumn("Parameters", ([, { parameters }]) => listed(parameters)),
      textColumn("Result", ([, { expected }]) => listed(expected)),
    ],
    asked,
  );
}

function workTable(view: ReportView, figures: ComputeFigures, rows: readonly SeriesView[]): Block {
  const baseline = labelOf(view.subject, view.subject.baselineVariant);
  const compared = (row: SeriesView) =>
    figures.workComparisons.find(
      ({ cell, operation }) => cell.id === row.cell.id && operation === row.operation,
    );
  return tableOf<SeriesView>(
    {
      id: "work",
      caption: `Warm, the work alone: median [95 % interval], ms; ratio to ${baseline} (2: twice as long).`,
      rowHeaders: cellColumnCount(view) + 1,
    },
    [
      textColumn("Operation", (row) => [code(row.operation)]),
      ...cellColumns<SeriesView>(view, (row) => row.cell),
      numberColumn("n in environments", (row) => sizeText(row.own?.workMs)),
      numberColumn("Work ms", (row) => measureText(row.own?.workMs)),
      numberColumn("Ratio", (row) => baselineOr(view, row, ratioText(compared(row)))),
      textColumn("Verdict", (row) => baselineOr(view, row, verdictText(compared(row)), "baseline")),
    ],
    rows,
  );
}
