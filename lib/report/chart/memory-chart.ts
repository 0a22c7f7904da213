import { variantLabel } from "../../analysis/report-subject.ts";
import type { ReportView } from "../../analysis/report-view.ts";
import type { Measure, SeriesView } from "../../analysis/series-view.ts";
import type { Cell } from "../../contract/types/contract.ts";
import { type Chart, code, type Panel } from "../document/document.ts";
import { count, measureText } from "../document/format.ts";
import { intervalSeries, type LogAxis, logAxis, logAxisOption } from "./axes.ts";
import { chartPanel, swatch, type VariantStyle, variantStyle } from "./svg-chart.ts";

/** Size in px, small enough for the words to be legible on a phone. */
const width = 480;
const height = 310;

/** A chart by memory: its lines, its title, and the table with its numbers. */
interface MemoryChart extends Pick<Chart, "id" | "title" | "description" | "tableId"> {
  readonly lines: readonly MeasuredLine[];
}

/** A line's means at every size and architecture. */
interface MeasuredLine {
  readonly label: string;
  readonly points: readonly { readonly cell: Cell; readonly measure: Measure | undefined }[];
}

/** Plots one quantity by memory, ms, one panel per architecture. Returns no chart if there is no mean. */
export function memoryChart({ lines, ...chart }: MemoryChart): readonly Chart[] {
  const points = lines.flatMap((line) => line.points);
  if (points.every(({ measure }) => measure?.mean === undefined)) return [];
  const architectures = [...new Set(points.map(({ cell }) => cell.architecture))];
  const axis = measureAxis(points.map(({ measure }) => measure));
  const panels = architectures.map((architecture): Panel => {
    const drawn = lines.map((line, index) => makeLine(line, architecture, variantStyle(index)));
    const suffix = architectures.length > 1 ? ` (${architecture})` : "";
    return chartPanel(
      {
        id: `${chart.id}-${architecture}`,
        title: `${chart.title}${suffix}`,
        description: `${chart.description} ${describeLines(drawn)}`,
        width,
        height,
        option: memoryLinesOption(drawn, axis),
      },
      architectures.length > 1 ? architecture : undefined,
    );
  });
  const legend = lines.map(({ label }, index) => ({ label, swatch: swatch(variantStyle(index)) }));
  return [{ kind: "chart", ...chart, legend, panels }];
}

/** Returns Duration, one line per variant. */
export function durationLines(
  view: ReportView,
  rows: readonly { readonly cell: Cell; readonly series: Pick<SeriesView, "durationMs"> }[],
): readonly MeasuredLine[] {
  return view.variants.map((variant) => ({
    label: variantLabel(view.subject, variant),
    points: rows
      .filter(({ cell }) => cell.variant === variant)
      .map(({ cell, series }) => ({ cell, measure: series.durationMs })),
  }));
}

function makeLine(
  { label, points }: MeasuredLine,
  architecture: Cell["architecture"],
  style: VariantStyle,
): MemoryLine {
  const own = points.filter(({ cell }) => cell.architecture === architecture);
  return {
    label,
    style,
    points: own.map(({ cell: { memoryMb }, measure }) => ({ memoryMb, measure })),
  };
}

/** A line of a chart by memory, with one mean per size. */
interface MemoryLine {
  readonly label: string;
  readonly style: VariantStyle;
  readonly points: readonly MemoryPoint[];
}

interface MemoryPoint {
  readonly memoryMb: number;
  readonly measure: Measure | undefined;
}

/** Returns a logarithmic axis over means or medians and their intervals. */
export function measureAxis(
  measures: readonly (Pick<Measure, "mean" | "low" | "high"> | undefined)[],
  room?: number,
): LogAxis {
  return logAxis(
    measures.flatMap((measure) => [measure?.mean ?? 0, measure?.low ?? 0, measure?.high ?? 0]),
    room,
  );
}

/** Describes each line by its values at its smallest and its largest size. */
export function describeLines(lines: readonly MemoryLine[]): string {
  const sentences = lines.flatMap(({ label, points }) => {
    const known = points.filter(({ measure }) => measure?.mean !== undefined);
    const [first] = known;
    const last = known.at(-1);
    if (first === undefined || last === undefined) return [];
    const at = ({ memoryMb, measure }: MemoryPoint) =>
      `${measureText(measure)} ms at ${count(memoryMb)} MB`;
    return [`${label}: ${first === last ? at(first) : `${at(first)}, ${at(last)}`}`];
  });
  return sentences.length === 0 ? "Nothing was measured." : `${sentences.join("; ")}.`;
}

/** Returns the options for lines with intervals by memory, both axes logarithmic. */
export function memoryLinesOption(lines: readonly MemoryLine[], axis: LogAxis) {
  const points = lines.flatMap((line) => line.points);
  const memory = [...new Set(points.map(({ memoryMb }) => memoryMb))].sort((a, b) => a - b);
  const least = memory[0] ?? 128;
  const most = memory.at(-1) ?? least;
  return {
    grid: { left: 62, right: 18, top: 12, bottom: 50 },
    xAxis: logAxisOption("memory, MB (log scale)", {
      min: least / 1.25,
      max: most * 1.25,
      ticks: memory,
    }),
    yAxis: logAxisOption("ms (log scale)", axis, "y"),
    series: lines.flatMap(lineSeries),
  };
}

function lineSeries({ style, points }: MemoryLine) {
  const drawn = points.filter(({ measure }) => (measure?.mean ?? 0) > 0);
  const intervals = drawn
    .filter(({ measure }) => (measure?.low ?? 0) > 0)
    .map(({ memoryMb, measure }) => ({ at: memoryMb, ...measure }));
  return [
    {
      type: "line",
      data: drawn.map(({ memoryMb, measure }) => [memoryMb, measure?.mean]),
      symbol: style.symbol,
      symbolSize: 8,
      itemStyle: { color: style.colour },
      lineStyle: { color: style.colour, width: 2, type: style.dash },
      silent: true,
      clip: false,
    },
    intervalSeries(intervals, "y", style.colour),
  ];
}

const warmWidth = 460;
const warmHeight = 300;

/** Plots warm Duration by memory: one line with intervals per variant, one panel per operation. */
export function warmChart(view: ReportView, title: string): readonly Chart[] {
  const measured = view.rows.warm.filter((series) => series.durationMs.mean !== undefined);
  if (measured.length === 0) return [];
  return [
    {
      kind: "chart",
      id: "chart-warm",
      title,
      description:
        "Warm Duration by memory, ms: mean over environments with its 95% CI; both axes are logarithmic, and all panels have the same scale.",
      tableId: "warm-duration",
      panelSize: "small",
      legend: view.variants.map((variant, index) => ({
        label: variantLabel(view.subject, variant),
        swatch: swatch(variantStyle(index)),
      })),
      panels: warmPanels(view, measured),
    },
  ];
}

function warmPanels(view: ReportView, measured: readonly SeriesView[]): readonly Panel[] {
  // All panels share one scale, so that operations can be compared too.
  const durations = measureAxis(measured.map(({ durationMs }) => durationMs));
  const architectures = [...new Set(measured.map((series) => series.cell.architecture))];
  return view.plan.warmOperations.flatMap((operation) =>
    architectures.flatMap((architecture) => {
      const panelSeries = measured.filter(
        (series) => series.operation === operation && series.cell.architecture === architecture,
      );
      const suffix = architectures.length > 1 ? architecture : undefined;
      return panelSeries.length === 0
        ? []
        : [warmPanel(view, operation, suffix, panelSeries, durations)];
    }),
  );
}

function warmPanel(
  view: ReportView,
  operation: string,
  architecture: string | undefined,
  measured: readonly SeriesView[],
  durations: LogAxis,
): Panel {
  const suffix = architecture === undefined ? "" : ` (${architecture})`;
  const lines = warmLines(view, measured);
  return chartPanel(
    {
      id: `chart-warm-${view.plan.warmOperations.indexOf(operation)}-${architecture ?? "all"}`,
      title: `Warm Duration of ${operation} by memory${suffix}`,
      description: `Mean [95% CI], a line a variant. ${describeLines(lines)}`,
      width: warmWidth,
      height: warmHeight,
      option: memoryLinesOption(lines, durations),
    },
    ["Warm ", code(operation), suffix],
  );
}

function warmLines(view: ReportView, measured: readonly SeriesView[]): readonly MemoryLine[] {
  return view.variants.map((variant, index) => ({
    label: variantLabel(view.subject, variant),
    style: variantStyle(index),
    points: measured
      .filter(({ cell }) => cell.variant === variant)
      .map(({ cell, durationMs }) => ({ memoryMb: cell.memoryMb, measure: durationMs })),
  }));
}
