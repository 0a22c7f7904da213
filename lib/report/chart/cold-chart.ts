import { variantLabel } from "../../analysis/report-subject.ts";
import type { ReportView } from "../../analysis/report-view.ts";
import { beforeFirstDuration, type SeriesView } from "../../analysis/series-view.ts";
import { sizeLabel } from "../document/cell-labels.ts";
import type { Bar, Chart, Panel } from "../document/document.ts";
import { measureText, number } from "../document/format.ts";
import {
  drawnRows,
  intervalSeries,
  labelAxes,
  plottable,
  rowsWidth,
  type Slot,
  slotsHeight,
  withLabels,
} from "./axes.ts";
import { boxSwatch, chartPanel, colours, variantStyle } from "./svg-chart.ts";

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
      bars: measured.flatMap((series) => coldBar(view, series)),
    },
  ];
}

function coldBar(view: ReportView, series: SeriesView): readonly Bar[] {
  const value = series.initAndDurationMs?.mean;
  if (value === undefined) return [];
  const label = variantLabel(view.subject, series.cell.variant);
  const { name, measure } = beforeFirstDuration(series);
  const text = `${number(value)} ms, ${name} ${number(measure?.mean)}`;
  return [{ group: sizeLabel(view, series.cell), label, value, text }];
}

function coldPanel(
  view: ReportView,
  measured: readonly SeriesView[],
  size: string,
  mostMs: number,
): Panel {
  const slots = withLabels(measured, (series) => [
    variantLabel(view.subject, series.cell.variant),
    measureText(series.initAndDurationMs),
  ]);
  return chartPanel(
    {
      title: `Cold start at ${size}`,
      description: describeChart(view, measured),
      width: rowsWidth,
      height: slotsHeight(slots, 0),
      option: coldOption(view, slots, mostMs),
    },
    size,
  );
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

function coldOption(view: ReportView, slots: readonly Slot<SeriesView>[], mostMs: number) {
  return {
    grid: { left: 1, right: 1, top: 2, bottom: 2 },
    xAxis: { type: "value", min: 0, max: plottable(mostMs) ? mostMs * 1.01 : 1, show: false },
    yAxis: labelAxes(slots),
    series: [
      barSeries(view, slots, "init"),
      barSeries(view, slots, "first"),
      totalIntervals(slots),
    ],
  };
}

/** Returns the ends of a bar and of its interval, ms. */
function rowEnds(series: SeriesView): readonly number[] {
  const { durationMs, initAndDurationMs } = series;
  const bar = (beforeFirstDuration(series).measure?.mean ?? 0) + (durationMs.mean ?? 0);
  return [bar, initAndDurationMs?.high ?? 0];
}

function totalIntervals(slots: readonly Slot<SeriesView>[]) {
  const bars = drawnRows(slots).map(({ row, at }) => ({ at, ...row.initAndDurationMs }));
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
