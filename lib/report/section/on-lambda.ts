import type { OnLambda } from "../../analysis/on-lambda.ts";
import { variantLabel } from "../../analysis/report-subject.ts";
import type { ReportView } from "../../analysis/report-view.ts";
import type { Row } from "../../analysis/rows.ts";
import type { LambdaRange } from "../../prediction/spread.ts";
import { cellColumns } from "../document/cell-labels.ts";
import {
  type Block,
  heading,
  makeTable,
  numberColumn,
  paragraph,
  rowHeader,
  type Table,
} from "../document/document.ts";
import { measureText, missing, ratioText, spanOfRange } from "../document/format.ts";

/** Shows local measurements beside the figures to expect on Lambda; empty unless the run was local. */
export function onLambdaSection(view: ReportView): readonly Block[] {
  const { onLambda } = view;
  if (onLambda === undefined) return [];
  return [
    heading(2, "On Lambda", "Times and ratios as Lambda would show them, as 90% ranges."),
    paragraph(
      `The ranges are of means, for both architectures. A model adds what a local run lacks: the sandbox, reading a binary for the first time, what a first request waits for, and the processor's speed. Its constants and errors are from figures that others published, each scored by a model that was not fitted to its source (Kelvin's docs/prediction.md).${exceptionText(onLambda)}`,
    ),
    coldTable(view),
    ...(view.rows.warm.length === 0 ? [] : [warmTable(view)]),
  ];
}

function exceptionText({ coversEveryKind, lacksFanOut, lacksSmallSizes }: OnLambda): string {
  const fanOut =
    lacksFanOut === true
      ? ", except calls with about a hundred requests, which are predicted only on a machine as fast as the study's"
      : "";
  const kinds = coversEveryKind
    ? ` These functions may do any kind of work, so their ranges cover every kind that was published${fanOut}.`
    : "";
  const sizes = lacksSmallSizes
    ? " This machine does not limit sizes below 1,769 MB, so nothing is said of them."
    : "";
  return `${kinds}${sizes} ${missing}: nothing can be said.`;
}

function coldTable(view: ReportView): Table {
  return makeTable<Row>(
    {
      id: "cold-on-lambda",
      caption: `On Lambda, cold start: mean [95% CI] here, and the 90% range on Lambda, ms; ratios are of Init and first Duration together to ${baselineLabel(view)}.`,
    },
    [
      ...cellColumns<Row>(view, (row) => row.cell),
      numberColumn("Init ms, measured here", (row) => measureText(row.initDurationMs)),
      numberColumn("Init ms, on Lambda", (row) => rangeText(row.onLambda?.initDurationMs)),
      numberColumn("First Duration ms, measured here", (row) => measureText(row.durationMs)),
      numberColumn("First Duration ms, on Lambda", (row) => rangeText(row.onLambda?.durationMs)),
      numberColumn("Init + first ms, on Lambda", (row) =>
        rangeText(row.onLambda?.initAndDurationMs),
      ),
      ...ratioColumns("initAndDurationMs"),
    ],
    view.rows.cold,
  );
}

function warmTable(view: ReportView): Table {
  return makeTable<Row>(
    {
      id: "warm-on-lambda",
      caption: `On Lambda, warm Duration: mean [95% CI] here, and the 90% range on Lambda, ms; ratios to ${baselineLabel(view)}.`,
    },
    [
      rowHeader("Operation", (row) => row.operation),
      ...cellColumns<Row>(view, (row) => row.cell),
      numberColumn("Duration ms, measured here", (row) => measureText(row.durationMs)),
      numberColumn("Duration ms, on Lambda", (row) => rangeText(row.onLambda?.durationMs)),
      ...ratioColumns("durationMs"),
    ],
    view.rows.warm,
  );
}

function ratioColumns(quantity: "initAndDurationMs" | "durationMs") {
  return [
    numberColumn<Row>("Ratio, measured here", (row) => ratioText(row.compared[quantity])),
    numberColumn<Row>("Ratio, on Lambda", (row) => rangeText(row.compared[quantity]?.onLambda)),
  ];
}

function baselineLabel({ subject }: ReportView): string {
  return variantLabel(subject, subject.baselineVariant);
}

function rangeText(range: LambdaRange | undefined): string {
  return range === undefined ? missing : spanOfRange(range);
}
