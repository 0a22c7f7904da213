import { code } from "../document/blocks.ts";
import type { Chart, Panel } from "../document/document.ts";
import { labelOf } from "../report-subject.ts";
import type { ReportView } from "../view/report-view.ts";
import { seriesIn, variantsRun } from "../view/select.ts";
import type { SeriesView } from "../view/series-view.ts";
import { intervalSeries } from "./interval-bars.ts";
import { type LogAxis, logAxis } from "./log-axis.ts";
import { logAxisOption } from "./log-axis-option.ts";
import { variantStyle } from "./palette.ts";
import { svgChart } from "./svg-chart.ts";
import { swatch } from "./swatch.ts";

const width = 460;
const height = 300;

/** Warm Duration by memory, a line a variant with its intervals, a panel an operation. */
export function warmChart(view: ReportView): readonly Chart[] {
  const measured = seriesIn(view, "warm").filter(
    (series) => series.durationMs.median !== undefined,
  );
  if (measured.length === 0) return [];
  return [
    {
      kind: "chart",
      id: "chart-warm",
      title: "Warm Duration by memory",
      description:
        "Median over environments with its 95 % interval, in ms; both axes are logarithmic, and all panels have the same scale.",
      tableId: "warm-duration",
      legend: variantsRun(view).map((variant, index) => ({
        label: labelOf(view.subject, variant),
        swatch: swatch(variantStyle(index)),
      })),
      panels: panelsOf(view, measured),
    },
  ];
}

function panelsOf(view: ReportView, measured: readonly SeriesView[]): readonly Panel[] {
  // One scale for all panels: the eye compares operations as well.
  const durations = logAxis(
    measured.flatMap(({ durationMs: { median, low, high } }) => [median ?? 0, low ?? 0, high ?? 0]),
  );
  const architectures = [...new Set(measured.map((series) => series.cell.architecture))];
  return view.plan.warmOperations.flatMap((operation) =>
    architectures.flatMap((architecture) => {
      const of = measured.filter(
        (series) => series.operation === operation && series.cell.architecture === architecture,
      );
      const suffix = architectures.length > 1 ? architecture : undefined;
      return of.length === 0 ? [] : [panelOf(view, operation, suffix, of, durations)];
    }),
  );
}

function panelOf(
  view: ReportView,
  operation: string,
  architecture: string | undefined,
  measured: readonly SeriesView[],
  durations: LogAxis,
): Panel {
  const suffix = architecture === undefined ? "" : ` (${architecture})`;
  const svg = svgChart({
    id: `chart-warm-${view.plan.warmOperations.indexOf(operation)}-${architecture ?? "all"}`,
    title: `Warm Duration of ${operation} by memory${suffix}`,
    description:
      "Median and 95 % interval in ms, a line a variant; the table below has the numbers.",
    width,
    height,
    option: optionOf(view, measured, durations),
  });
  return { label: ["Warm ", code(operation), suffix], svg };
}

function optionOf(view: ReportView, measured: readonly SeriesView[], durations: LogAxis) {
  const memory = [...new Set(measured.map((series) => series.cell.memoryMb))].sort((a, b) => a - b);
  const least = memory[0] ?? 128;
  const most = memory.at(-1) ?? least;
  const drawn = variantsRun(view).map((variant, index) => ({
    variant,
    style: variantStyle(index),
    points: measured.filter((series) => series.cell.variant === variant),
  }));
  return {
    grid: { left: 62, right: 18, top: 12, bottom: 50 },
    xAxis: logAxisOption("memory, MB (log scale)", {
      min: least / 1.25,
      max: most * 1.25,
      ticks: memory,
    }),
    yAxis: logAxisOption("ms (log scale)", durations, "y"),
    series: drawn.flatMap(({ variant, style, points }) => [
      {
        type: "line",
        name: labelOf(view.subject, variant),
        data: points.map(({ cell, durationMs }) => [cell.memoryMb, durationMs.median]),
        symbol: style.symbol,
        symbolSize: 8,
        itemStyle: { color: style.colour },
        lineStyle: { color: style.colour, width: 2, type: style.dash },
        silent: true,
        clip: false,
      },
      intervalSeries(barsOf(points), "y", style.colour),
    ]),
  };
}

function barsOf(points: readonly SeriesView[]) {
  return points.flatMap(({ cell, durationMs: { low, high } }) =>
    low === undefined || high === undefined || low <= 0 ? [] : [{ at: cell.memoryMb, low, high }],
  );
}
