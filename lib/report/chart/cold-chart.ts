import { sizeLabel } from "../document/cell-labels.ts";
import type { Chart } from "../document/document.ts";
import { measureText } from "../document/format-measure.ts";
import { number } from "../document/format-number.ts";
import { labelOf } from "../report-subject.ts";
import type { ReportView } from "../view/report-view.ts";
import { seriesIn, variantsRun } from "../view/select.ts";
import type { SeriesView } from "../view/series-view.ts";
import { intervalSeries } from "./interval-bars.ts";
import { linearAxis } from "./linear-axis.ts";
import { colours, variantStyle } from "./palette.ts";
import { marginFor, rowAxis } from "./row-axis.ts";
import { rowLabel, withSizes } from "./sized-rows.ts";
import { svgChart, textSize } from "./svg-chart.ts";
import { boxSwatch } from "./swatch.ts";

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
    option: optionOf(view, rows),
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
      .sort((a, b) => (totalOf(a) ?? Infinity) - (totalOf(b) ?? Infinity));
    const place = (series: SeriesView) =>
      `${labelOf(view.subject, series.cell.variant)} ${measureText(series.initAndDurationMs)} ms`;
    const first = ranked[0] as SeriesView;
    const last = ranked.at(-1) as SeriesView;
    return first === last
      ? `${size}: ${place(first)}`
      : `${size}: ${place(first)} to ${place(last)}`;
  });
  return `Init and first Duration together, shortest to longest: ${said.join("; ")}.`;
}

function totalOf({ initAndDurationMs }: SeriesView): number | undefined {
  return initAndDurationMs?.median;
}

function optionOf(view: ReportView, rows: readonly Row[]) {
  const labels = rows.map((row) => rowLabel(view, row));
  const totals = rows.map(totalText);
  return {
    grid: { left: marginFor(labels), right: marginFor(totals), top: 4, bottom: 45 },
    xAxis: {
      type: "value",
      ...linearAxis(rows.flatMap(endsOf)),
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
function endsOf(row: Row): readonly number[] {
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
