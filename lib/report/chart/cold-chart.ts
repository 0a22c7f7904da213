import { variantLabel } from "../../analysis/report-subject.ts";
import type { ReportView } from "../../analysis/report-view.ts";
import { seriesIn, variantsRun } from "../../analysis/select.ts";
import type { SeriesView } from "../../analysis/series-view.ts";
import { sizeLabel } from "../document/cell-labels.ts";
import type { Chart } from "../document/document.ts";
import { measureText, number } from "../document/format.ts";
import { intervalSeries, marginFor, plottable, rowAxis, rowLabel, withSizes } from "./axes.ts";
import { boxSwatch, colours, svgChart, textSize, variantStyle } from "./svg-chart.ts";

const width = 920;
const rowHeight = 24;
const faint = 0.45;

/** A bar, or the size of the bars below. */
type Row = SeriesView | string;

/** Cold start stacked by Init and first Duration, a bar a variant, grouped by size. */
export function coldChart(view: ReportView): readonly Chart[] {
  const measured = seriesIn(view, "cold").filter((series) => series.n > 0);
  if (measured.length === 0) return [];
  const rows = withSizes(view, measured);
  const title = "Cold start: Init and first Duration, by memory and variant";
  const description =
    "Stacked bars: median Init (faint) and median Duration of the first invocation (solid). The black line and the figures at the right: the median of both together with its 95 % interval, to which two medians need not add up.";
  const svg = svgChart({
    id: "chart-cold-svg",
    title,
    description: `${description} ${inWords(view, measured)}`,
    width,
    height: rows.length * rowHeight + 54,
    option: coldOption(view, rows),
  });
  return [
    {
      kind: "chart",
      id: "chart-cold",
      title,
      description,
      tableId: "cold-start",
      panelSize: "wide",
      legend: [
        { label: "Init", swatch: boxSwatch(faint) },
        { label: "First Duration", swatch: boxSwatch(1) },
      ],
      panels: [{ svg }],
    },
  ];
}

/** Of each size the variant that is there first, and the one that is there last. */
function inWords(view: ReportView, measured: readonly SeriesView[]): string {
  const sizes = [...new Set(measured.map(({ cell }) => sizeLabel(view, cell)))];
  const said = sizes.map((size) => {
    const ranked = measured
      .filter(({ cell }) => sizeLabel(view, cell) === size)
      .sort((a, b) => (totalMs(a) ?? Infinity) - (totalMs(b) ?? Infinity));
    const place = (series: SeriesView) =>
      `${variantLabel(view.subject, series.cell.variant)} ${measureText(series.initAndDurationMs)} ms`;
    const first = ranked[0] as SeriesView;
    const last = ranked.at(-1) as SeriesView;
    return first === last
      ? `${size}: ${place(first)}`
      : `${size}: ${place(first)} to ${place(last)}`;
  });
  return `Init and first Duration together, shortest to longest: ${said.join("; ")}.`;
}

function totalMs({ initAndDurationMs }: SeriesView): number | undefined {
  return initAndDurationMs?.median;
}

function coldOption(view: ReportView, rows: readonly Row[]) {
  const labels = rows.map((row) => rowLabel(view, row));
  const totals = rows.map(totalText);
  return {
    grid: { left: marginFor(labels), right: marginFor(totals), top: 4, bottom: 45 },
    xAxis: {
      type: "value",
      ...linearAxis(rows.flatMap(rowEnds)),
      name: "ms, median (linear scale)",
      nameLocation: "middle",
      nameGap: 28,
      nameTextStyle: { color: colours.muted, fontSize: textSize },
      axisLabel: {
        color: colours.muted,
        fontSize: textSize,
        formatter: (value: number) => number(value, 0),
      },
      splitLine: { lineStyle: { color: colours.grid } },
    },
    yAxis: [rowAxis("left", labels), rowAxis("right", totals)],
    series: [barSeries(view, rows, "init"), barSeries(view, rows, "first"), totalIntervals(rows)],
  };
}

/** How far a row's bar and its interval reach. */
function rowEnds(row: Row): readonly number[] {
  if (typeof row === "string") return [];
  const { initDurationMs, durationMs, initAndDurationMs } = row;
  const bar = (initDurationMs?.median ?? 0) + (durationMs.median ?? 0);
  return [bar, initAndDurationMs?.high ?? 0];
}

/** Of Init and first Duration together, which a bar's two medians only come near to. */
function totalIntervals(rows: readonly Row[]) {
  const bars = rows.flatMap((row, at) => {
    const { low, high } = (typeof row === "string" ? undefined : row.initAndDurationMs) ?? {};
    return low === undefined || high === undefined ? [] : [{ at, low, high }];
  });
  return intervalSeries(bars, "x", colours.ink, { lineWidth: 1.4 });
}

function totalText(row: Row): string {
  return typeof row === "string" ? "" : measureText(row.initAndDurationMs);
}

function barSeries(view: ReportView, rows: readonly Row[], part: "init" | "first") {
  const variants = variantsRun(view);
  const isInit = part === "init";
  return {
    type: "bar",
    stack: "cold",
    barWidth: 17,
    data: rows.map((row) => {
      if (typeof row === "string") return { value: "-" };
      const median = isInit ? row.initDurationMs?.median : row.durationMs.median;
      if (median === undefined) return { value: "-" };
      const { colour } = variantStyle(variants.indexOf(row.cell.variant));
      return { value: median, itemStyle: { color: colour, opacity: isInit ? faint : 1 } };
    }),
  };
}

/** A linear axis from 0 on: where it ends, and from one tick to the next. */
interface LinearAxis {
  readonly min: 0;
  readonly max: number;
  readonly interval: number;
}

const mostSteps = 10;

/** An axis over values from 0 on that ends with a whole step, of 1, 2 or 5 in its decade. */
export function linearAxis(values: readonly number[]): LinearAxis {
  const most = values.filter(plottable).reduce((a, b) => Math.max(a, b), 0);
  if (most === 0) return { min: 0, max: 1, interval: 0.2 };
  const power = Math.floor(Math.log10(most)) - 1;
  // By text, because 3 * 10 ** -1 is 0.30000000000000004.
  const steps = [1, 2, 5, 10, 20].map((step) => Number(`${step}e${power}`));
  const interval = steps.find((step) => Math.ceil(most / step) <= mostSteps) ?? most;
  return { min: 0, max: Math.ceil(most / interval) * interval, interval };
}
