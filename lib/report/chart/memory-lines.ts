import { measureText } from "../document/format-measure.ts";
import type { Measure } from "../view/measure.ts";
import { intervalSeries } from "./interval-bars.ts";
import type { LogAxis } from "./log-axis.ts";
import { logAxis } from "./log-axis.ts";
import { logAxisOption } from "./log-axis-option.ts";
import type { VariantStyle } from "./palette.ts";

/** One line of a chart by memory: a median a size. */
export interface MemoryLine {
  readonly label: string;
  readonly style: VariantStyle;
  readonly points: readonly MemoryPoint[];
}

export interface MemoryPoint {
  readonly memoryMb: number;
  readonly measure: Measure | undefined;
}

/** A logarithmic axis over medians and their intervals. */
export function measureAxis(measures: readonly (Measure | undefined)[]): LogAxis {
  return logAxis(
    measures.flatMap((measure) => [measure?.median ?? 0, measure?.low ?? 0, measure?.high ?? 0]),
  );
}

/** What the lines say: each at its smallest and its largest size. */
export function linesInWords(lines: readonly MemoryLine[]): string {
  const said = lines.flatMap(({ label, points }) => {
    const known = points.filter(({ measure }) => measure?.median !== undefined);
    const [first] = known;
    const last = known.at(-1);
    if (first === undefined || last === undefined) return [];
    const at = ({ memoryMb, measure }: MemoryPoint) =>
      `${measureText(measure)} ms at ${memoryMb} MB`;
    return [`${label}: ${first === last ? at(first) : `${at(first)}, ${at(last)}`}`];
  });
  return said.length === 0 ? "Nothing was measured." : `${said.join("; ")}.`;
}

/** Lines with their intervals by memory, both axes logarithmic. */
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
  const drawn = points.filter(({ measure }) => (measure?.median ?? 0) > 0);
  return [
    {
      type: "line",
      data: drawn.map(({ memoryMb, measure }) => [memoryMb, measure?.median]),
      symbol: style.symbol,
      symbolSize: 8,
      itemStyle: { color: style.colour },
      lineStyle: { color: style.colour, width: 2, type: style.dash },
      silent: true,
      clip: false,
    },
    intervalSeries(
      drawn.flatMap(({ memoryMb, measure: { low, high } = {} }) =>
        low === undefined || high === undefined || low <= 0 ? [] : [{ at: memoryMb, low, high }],
      ),
      "y",
      style.colour,
    ),
  ];
}
