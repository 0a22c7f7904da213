import { variantLabel } from "../../analysis/report-subject.ts";
import type { ReportView } from "../../analysis/report-view.ts";
import { beforeFirstDuration, type SeriesView } from "../../analysis/series-view.ts";
import { sizeLabel } from "../document/cell-labels.ts";
import type { Chart, Panel } from "../document/document.ts";
import { measureText } from "../document/format.ts";
import { type DrawnRow, intervalSeries, plottable, rowsPanel, type Slot } from "./axes.ts";
import { boxSwatch, colours, variantStyle } from "./svg-chart.ts";

const faint = 0.45;

/** Shows cold starts as stacked Init and first Duration: one panel per size, one bar per variant, all on one scale. */
export function coldChart(view: ReportView, title: string): readonly Chart[] {
  const measured = view.rows.cold.filter((series) => series.n > 0);
  if (measured.length === 0) return [];
  const sizes = [...new Set(measured.map(({ cell }) => sizeLabel(view, cell)))];
  const isRestored = measured.some((series) => beforeFirstDuration(series).name === "Restore");
  const start = isRestored ? "Init or Restore" : "Init";
  const mostMs = measured.flatMap(rowEnds).reduce((a, b) => Math.max(a, b), 0);
  return [
    {
      kind: "chart",
      id: "chart-cold",
      title,
      description: `Cold start, ms: mean ${start} (faint) and mean Duration of the first call (solid), all sizes on one scale. The line and the figures show the mean of their sum with its 95% CI.${view.simulated ? " Init here is the start of a process; on Lambda it takes longer." : ""}`,
      tableId: "cold-start",
      panelSize: "small",
      isPickable: true,
      legend: [
        { label: start, swatch: boxSwatch(faint) },
        { label: "First Duration", swatch: boxSwatch(1) },
      ],
      panels: sizes.map((size) => {
        const ofSize = measured.filter(({ cell }) => sizeLabel(view, cell) === size);
        return coldPanel(view, ofSize, size, mostMs);
      }),
    },
  ];
}

function coldPanel(
  view: ReportView,
  measured: readonly SeriesView[],
  size: string,
  mostMs: number,
): Panel {
  return rowsPanel(size, {
    title: `Cold start at ${size}`,
    description: describeChart(view, measured),
    rows: measured,
    wordsOf: ({ cell, initAndDurationMs }) => [
      variantLabel(view.subject, cell.variant),
      measureText(initAndDurationMs),
    ],
    xAxis: { type: "value", min: 0, max: plottable(mostMs) ? mostMs * 1.01 : 1, show: false },
    isScaleShown: false,
    seriesOf: (drawn, slots) => [
      barSeries(view, slots, "init"),
      barSeries(view, slots, "first"),
      totalIntervals(drawn),
    ],
  });
}

/** Describes the variants with the shortest and the longest cold start. */
function describeChart(view: ReportView, measured: readonly SeriesView[]): string {
  const ranked = measured.toSorted(
    (a, b) => (a.initAndDurationMs?.mean ?? Infinity) - (b.initAndDurationMs?.mean ?? Infinity),
  );
  const place = (series: SeriesView) =>
    `${variantLabel(view.subject, series.cell.variant)} ${measureText(series.initAndDurationMs)} ms`;
  const [first] = ranked as [SeriesView];
  const last = ranked.at(-1) as SeriesView;
  const ranking = first === last ? place(first) : `${place(first)} to ${place(last)}`;
  return `Init and first Duration together at ${sizeLabel(view, first.cell)}, shortest to longest: ${ranking}.`;
}

/** Returns the ends of a bar and of its interval, ms. */
function rowEnds(series: SeriesView): readonly number[] {
  const { durationMs, initAndDurationMs } = series;
  const bar = (beforeFirstDuration(series).measure?.mean ?? 0) + (durationMs.mean ?? 0);
  return [bar, initAndDurationMs?.high ?? 0];
}

function totalIntervals(drawn: readonly DrawnRow<SeriesView>[]) {
  const bars = drawn.map(({ row, at }) => ({ at, ...row.initAndDurationMs }));
  return intervalSeries(bars, "x", colours.ink, { lineWidth: 1.4 });
}

function barSeries(view: ReportView, slots: readonly Slot<SeriesView>[], part: "init" | "first") {
  const variants = view.variants;
  const isInit = part === "init";
  return {
    type: "bar",
    stack: "cold",
    barWidth: 11,
    data: slots.map((slot) => {
      if (!("row" in slot)) return { value: "-" };
      const { durationMs, cell } = slot.row;
      const mean = isInit ? beforeFirstDuration(slot.row).measure?.mean : durationMs.mean;
      if (mean === undefined) return { value: "-" };
      const { colour } = variantStyle(variants.indexOf(cell.variant));
      return { value: mean, itemStyle: { color: colour, opacity: isInit ? faint : 1 } };
    }),
  };
}
