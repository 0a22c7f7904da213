import type { Comparison } from "../../analysis/comparisons.ts";
import { variantLabel } from "../../analysis/report-subject.ts";
import type { ReportView } from "../../analysis/report-view.ts";
import { publishedTime, type Row } from "../../analysis/rows.ts";
import type { Measure } from "../../analysis/series-view.ts";
import { memoryChart } from "../../report/chart/memory-chart.ts";
import { cellColumns, sizeColumns } from "../../report/document/cell-labels.ts";
import {
  type Block,
  type Chart,
  heading,
  makeTable,
  numberColumn,
  paragraph,
  type Table,
  verdictColumn,
} from "../../report/document/document.ts";
import {
  measureText,
  missing,
  number,
  ratioText,
  verdictText,
} from "../../report/document/format.ts";
import { comparedText } from "../../report/section/cold.ts";
import {
  publishedCaption,
  type Sense,
  senseText,
  simulatedBillNote,
} from "../../report/section/columns.ts";
import { changesRun } from "./evidence.ts";
import type { FirstRequestFigures, Handshake } from "./figures.ts";

/** One quantity that the changes affect. */
interface Effect {
  readonly id: string;
  readonly what: string;
  readonly unit: "ms" | "$";
  readonly sense: Sense;
  readonly textOf: (series: Row) => string;
  readonly comparisons: readonly Comparison[];
  readonly published?: TimedQuantity;
}

type TimedQuantity = "initAndDurationMs" | "initDurationMs" | "durationMs" | "billedDurationMs";

/** Shows how each change affects Init, the first request, the billed duration and the cost, by memory. */
export function effectBlocks(view: ReportView, figures: FirstRequestFigures): readonly Block[] {
  const baseline = variantLabel(view.subject, view.subject.baselineVariant);
  const head = [
    heading(
      2,
      "What each change does",
      "Cold start, Init, first request, bill and cost, without and with the change.",
    ),
    paragraph(
      `Every change against ${baseline}, by memory. What moves into Init leaves the first request, but whoever waits for the cold start waits for it, and the bill includes it: read the tables together.`,
    ),
    ...startChart(view),
  ];
  return [...head, ...listEffects(view, figures).map((effect) => effectTable(view, effect))];
}

function listEffects(view: ReportView, figures: FirstRequestFigures): readonly Effect[] {
  const timed = (
    quantity: TimedQuantity,
  ): Pick<Effect, "unit" | "textOf" | "comparisons" | "published"> => ({
    unit: "ms",
    textOf: (series) => measureText(series[quantity]),
    comparisons: view.comparisons.variants.filter(
      (comparison) => comparison.phase === "cold" && comparison.quantity === quantity,
    ),
    published: quantity,
  });
  return [
    {
      id: startTableId,
      what: "Cold start, Init and first Duration together",
      sense: "time",
      ...timed("initAndDurationMs"),
    },
    { id: "effect-init", what: "Init", sense: "time", ...timed("initDurationMs") },
    { id: "effect-first", what: "First Duration", sense: "time", ...timed("durationMs") },
    {
      id: "effect-billed",
      what: "Billed cold start",
      sense: "amount",
      ...timed("billedDurationMs"),
    },
    {
      id: "effect-cost",
      what: "Cost per million cold starts, request fee included",
      sense: "amount",
      unit: "$",
      textOf: ({ cell }) =>
        measureText(figures.coldCosts.find((cost) => cost.cell.id === cell.id)?.usdPerMillion),
      comparisons: figures.coldCostComparisons,
    },
  ];
}

const startTableId = "effect-start";

function effectTable(view: ReportView, effect: Effect): Table {
  const { id, what, unit, sense, textOf, published } = effect;
  const changes = changesRun(view);
  const cold = view.rows.cold;
  const rows = cold.filter(({ cell }) => changes.includes(cell.variant));
  const comparisonOf = (row: Row) =>
    effect.comparisons.find((comparison) => comparison.cell.id === row.cell.id);
  const before = (row: Row) =>
    cold.find((series) => series.cell.id === comparisonOf(row)?.baselineCell.id);
  const publishedText = (row: Row) => publishedChange(published, before(row), row);
  const isPublished = rows.some((row) => publishedText(row) !== missing);
  const simulated = unit === "$" ? simulatedBillNote(view) : "";
  return makeTable<Row>(
    {
      id,
      caption: `${what}, ${unit}: mean [95% CI] without the change and with it, and the ratio of the two [95% CI]; 0.5 is half.${simulated}${publishedCaption(view, isPublished)}`,
    },
    [
      ...cellColumns<Row>(view, (row) => row.cell),
      numberColumn("n, and baseline's", (row) => comparedText(comparisonOf(row))),
      numberColumn(`Without ${unit}`, (row) => {
        const series = before(row);
        return series === undefined ? missing : textOf(series);
      }),
      numberColumn(`With ${unit}`, textOf),
      numberColumn("Ratio", (row) => ratioText(comparisonOf(row))),
      verdictColumn("Verdict", (row) => senseText(comparisonOf(row), sense)),
      isPublished ? numberColumn(`Published ${unit}`, publishedText) : undefined,
    ],
    rows,
  );
}

/** Returns the published figures without and with the change: `112 → 166`. */
function publishedChange(
  quantity: Effect["published"],
  before: Row | undefined,
  after: Row,
): string {
  const from = before && publishedTime(before.published, quantity);
  const to = publishedTime(after.published, quantity);
  return from === undefined || to === undefined ? missing : `${number(from, 0)} → ${number(to, 0)}`;
}

function startChart(view: ReportView): readonly Chart[] {
  const rows = view.rows.cold;
  return memoryChart({
    id: "chart-first-request",
    title: "Cold start by memory and variant",
    description:
      "Init and first Duration together: mean over environments with its 95% CI, in ms; both axes are logarithmic.",
    tableId: startTableId,
    lines: view.variants.map((variant) => ({
      label: variantLabel(view.subject, variant),
      points: rows
        .filter(({ cell }) => cell.variant === variant)
        .map(({ cell, initAndDurationMs: measure }) => ({ cell, measure })),
    })),
  });
}

const tableId = "first-request-handshakes";

/** Tabulates the first handshake of a process against its second, by memory. */
export function handshakeTable(view: ReportView, { handshakes }: FirstRequestFigures): Table {
  return makeTable<Handshake>(
    {
      id: tableId,
      caption: `TLS handshakes of one process, opened by hand to the same endpoint: mean [95% CI], ms. Ratio: the first over the second, in the same environments; the verdict is on the first and rests on the interval and the margin alone. One-time: first minus second, by environment. First to baseline's Duration: the first handshake over the whole first request of ${variantLabel(view.subject, view.subject.baselineVariant)}.`,
    },
    [
      ...sizeColumns<Handshake>(view, (row) => row.cell),
      numberColumn("n first, second", (row) => comparedText(row.firstToSecond)),
      numberColumn("First ms", (row) => measureText(row.firstMs)),
      numberColumn("Second ms", (row) => measureText(row.secondMs)),
      numberColumn("Ratio", (row) => ratioText(row.firstToSecond)),
      verdictColumn("Verdict", (row) => verdictText(row.firstToSecond)),
      numberColumn("One-time ms", (row) => measureText(row.oneTimeMs)),
      numberColumn("First to baseline's Duration", (row) => ratioText(row.firstToRequest)),
      numberColumn("First of the second invocation ms", (row) => measureText(row.laterMs)),
    ],
    handshakes,
  );
}

/** Draws the handshakes as lines by memory. */
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
      "Mean over environments with its 95% CI, in ms; both axes are logarithmic. If the first line lies far above the others, the difference is work that a process does once.",
    tableId,
    lines: [
      line("First handshake of the process", ({ firstMs }) => firstMs),
      line("Second handshake, same invocation", ({ secondMs }) => secondMs),
      line("First handshake of the second invocation", ({ laterMs }) => laterMs),
    ],
  });
}
