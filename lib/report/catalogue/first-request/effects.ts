import { memoryChart } from "../../chart/memory-chart.ts";
import { heading, numberColumn, paragraph, tableOf, textColumn } from "../../document/blocks.ts";
import { cellColumnCount, cellColumns } from "../../document/cell-labels.ts";
import type { Block, Chart, Table } from "../../document/document.ts";
import { measureText, ratioText } from "../../document/format-measure.ts";
import { missing, number } from "../../document/format-number.ts";
import { labelOf } from "../../report-subject.ts";
import { comparedText } from "../../section/cold.ts";
import { publishedCaption } from "../../section/published-column.ts";
import { type Sense, senseText } from "../../section/verdict-words.ts";
import type { Comparison } from "../../view/comparisons.ts";
import type { Measure } from "../../view/measure.ts";
import type { ReportView } from "../../view/report-view.ts";
import { publishedOf, seriesIn, variantsRun } from "../../view/select.ts";
import type { SeriesView } from "../../view/series-view.ts";
import { changesRun } from "./evidence.ts";
import type { FirstRequestFigures } from "./figures.ts";

/** One quantity that the changes act upon. */
interface Effect {
  readonly id: string;
  readonly what: string;
  readonly unit: "ms" | "USD";
  readonly sense: Sense;
  readonly measureOf: (series: SeriesView) => Measure | undefined;
  readonly comparisons: readonly Comparison[];
  readonly published?: "initDurationMs" | "durationMs" | "billedDurationMs";
}

/** What each change does to Init, the first request, the bill and its price, by memory. */
export function effectBlocks(view: ReportView, figures: FirstRequestFigures): readonly Block[] {
  const baseline = labelOf(view.subject, view.subject.baselineVariant);
  const head = [
    heading(2, "What each change does"),
    paragraph(
      `Every change against ${baseline}, by memory. What is moved into Init is not waited for by the first request, but it is billed: the four tables belong together.`,
    ),
    ...firstRequestChart(view),
  ];
  return [...head, ...effectsOf(view, figures).map((effect) => effectTable(view, effect))];
}

function effectsOf(view: ReportView, figures: FirstRequestFigures): readonly Effect[] {
  const timed = (
    quantity: "initDurationMs" | "durationMs" | "billedDurationMs",
  ): Pick<Effect, "unit" | "measureOf" | "comparisons" | "published"> => ({
    unit: "ms",
    measureOf: (series) => series[quantity],
    comparisons: view.comparisons.variants.filter(
      (comparison) => comparison.phase === "cold" && comparison.quantity === quantity,
    ),
    published: quantity,
  });
  return [
    { id: "effect-init", what: "Init", sense: "time", ...timed("initDurationMs") },
    { id: firstTableId, what: "First request", sense: "time", ...timed("durationMs") },
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
      unit: "USD",
      measureOf: ({ cell }) =>
        figures.coldCosts.find((cost) => cost.cell.id === cell.id)?.usdPerMillion,
      comparisons: figures.coldCostComparisons,
    },
  ];
}

const firstTableId = "effect-first";

function effectTable(view: ReportView, effect: Effect): Table {
  const { id, what, unit, sense, measureOf, published } = effect;
  const changes = changesRun(view);
  const cold = seriesIn(view, "cold");
  const rows = cold.filter(({ cell }) => changes.includes(cell.variant));
  const comparisonOf = (row: SeriesView) =>
    effect.comparisons.find((comparison) => comparison.cell.id === row.cell.id);
  const before = (row: SeriesView) =>
    cold.find((series) => series.cell.id === comparisonOf(row)?.baselineCell.id);
  const publishedText = (row: SeriesView) => publishedChange(view, published, before(row), row);
  const isPublished = rows.some((row) => publishedText(row) !== missing);
  const simulated =
    unit === "USD" && view.simulated
      ? " As if on AWS at these billed durations: no bill of anyone's."
      : "";
  return tableOf<SeriesView>(
    {
      id,
      caption: `${what}, ${unit}: median [95 % interval] without the change and with it, and the ratio of the two [95 % interval]; 0.5 is half.${simulated}${publishedCaption(view, isPublished)}`,
      rowHeaders: cellColumnCount(view),
    },
    [
      ...cellColumns<SeriesView>(view, (row) => row.cell),
      numberColumn("n, and baseline's", (row) => comparedText(comparisonOf(row))),
      numberColumn(`Without ${unit}`, (row) => {
        const series = before(row);
        return measureText(series && measureOf(series));
      }),
      numberColumn(`With ${unit}`, (row) => measureText(measureOf(row))),
      numberColumn("Ratio", (row) => ratioText(comparisonOf(row))),
      textColumn("Verdict", (row) => senseText(comparisonOf(row), sense)),
      isPublished ? numberColumn(`Published ${unit}`, publishedText) : undefined,
    ],
    rows,
  );
}

/** `112 → 166`: the source's figures without and with the change. */
function publishedChange(
  view: ReportView,
  quantity: Effect["published"],
  before: SeriesView | undefined,
  after: SeriesView,
): string {
  const from = quantity && before && publishedOf(view, before)?.[quantity];
  const to = quantity && publishedOf(view, after)?.[quantity];
  return from === undefined || to === undefined ? missing : `${number(from, 0)} → ${number(to, 0)}`;
}

function firstRequestChart(view: ReportView): readonly Chart[] {
  const cold = seriesIn(view, "cold");
  return memoryChart({
    id: "chart-first-request",
    title: "First request by memory and variant",
    description:
      "Duration of the first invocation without Init: median over environments with its 95 % interval, in ms; both axes are logarithmic.",
    tableId: firstTableId,
    lines: variantsRun(view).map((variant) => ({
      label: labelOf(view.subject, variant),
      points: cold
        .filter(({ cell }) => cell.variant === variant)
        .map(({ cell, durationMs }) => ({ cell, measure: durationMs })),
    })),
  });
}
