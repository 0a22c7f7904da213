import type { Panel } from "../document/document.ts";
import { chartPanel, colours, labelText, textSize, type VariantStyle } from "./svg-chart.ts";

/** A logarithmic axis: its range and the values of its ticks. */
export interface LogAxis {
  readonly min: number;
  readonly max: number;
  readonly ticks: readonly number[];
}

/** Ticks within a decade, from coarse to fine. */
const stepsPerDecade = [
  [1],
  [1, 3],
  [1, 2, 5],
  [1, 1.5, 2, 3, 5, 7],
  [1, 1.2, 1.4, 1.6, 1.8, 2, 2.5, 3, 4, 5, 6, 7, 8, 9],
];
const fewestTicks = 4;
const mostDecades = 10;
const smallestPlotted = 1e-12;
const largestPlotted = 1e15;

/** Returns whether an axis can show the value: beyond these bounds, tick labels run out of digits. */
export function plottable(value: number): boolean {
  return value >= smallestPlotted && value <= largestPlotted;
}

/**
 * Returns an axis over the positive values, with some room at either end and at least four ticks. It ignores values
 * that are not numbers, or too small or too large to plot.
 */
export function logAxis(values: readonly number[], room = 0.06): LogAxis {
  const positive = values.filter(plottable);
  if (positive.length === 0) return { min: 1, max: 10, ticks: [1, 2, 5, 10] };
  const least = positive.reduce((a, b) => Math.min(a, b));
  const most = positive.reduce((a, b) => Math.max(a, b));
  // Even a single value gets an axis, from 3/4 to 4/3 of it.
  const span = Math.max(Math.log(most / least), Math.log(16 / 9));
  const middle = (Math.log(least) + Math.log(most)) / 2;
  const half = span / 2 + span * room;
  const min = Math.exp(middle - half);
  const max = Math.exp(middle + half);
  const choices = stepsPerDecade.map((steps) => ticksWithin(min, max, steps));
  const ticks = choices.find((choice) => choice.length >= fewestTicks) ?? choices.at(-1) ?? [];
  return { min, max, ticks };
}

function ticksWithin(min: number, max: number, steps: readonly number[]): readonly number[] {
  const ticks: number[] = [];
  const first = Math.floor(Math.log10(min));
  const last = Math.ceil(Math.log10(max));
  const stride = Math.ceil((last - first) / mostDecades);
  for (let power = first; power <= last; power += stride) {
    for (const step of steps) {
      // The value is parsed from text, because 3 * 10 ** -1 is 0.30000000000000004.
      const value = Number(`${step}e${power}`);
      if (value >= min && value <= max) ticks.push(value);
    }
  }
  return ticks;
}

/** Returns a tick's text, with no more digits than its value has. */
export function tickText(value: number): string {
  return String(Number(value.toPrecision(6)));
}

/** Returns ECharts' options for a logarithmic axis with these ticks. */
export function logAxisOption(name: string, { min, max, ticks }: LogAxis, side: "x" | "y" = "x") {
  return {
    type: "log",
    min,
    max,
    name,
    nameLocation: "middle",
    nameGap: side === "y" ? 44 : 30,
    nameTextStyle: { color: colours.muted, fontSize: textSize },
    axisLine: { show: true, lineStyle: { color: colours.muted } },
    axisTick: { show: true, customValues: ticks, lineStyle: { color: colours.muted } },
    axisLabel: {
      customValues: ticks,
      color: colours.muted,
      fontSize: textSize,
      formatter: tickText,
    },
    splitLine: { show: true, lineStyle: { color: colours.grid } },
    minorTick: { show: false },
    minorSplitLine: { show: false },
  };
}

/** Returns ECharts' options for a logarithmic axis of memory sizes, with a tick at each. */
export function memoryAxisOption(sizesMb: readonly number[]) {
  const ticks = [...new Set(sizesMb)].sort((a, b) => a - b);
  const [least = 128] = ticks;
  const max = (ticks.at(-1) ?? least) * 1.25;
  return logAxisOption("memory, MB (log scale)", { min: least / 1.25, max, ticks });
}

type Point = readonly [x: number, y: number];

/** The part of ECharts' API that a custom series uses to draw an item. The library's own type is far larger. */
export interface DrawingApi {
  value(dimension: number): number;
  coord(point: Point): Point;
}

interface IntervalBar {
  /** Position on the other axis. */
  readonly at: number;
  /** Without both ends, no bar is drawn. */
  readonly low?: number | undefined;
  readonly high?: number | undefined;
}

const capPx = 4;

/** Returns a series of error bars with caps, along y (vertical) or x (horizontal). */
export function intervalSeries(
  bars: readonly IntervalBar[],
  along: "x" | "y",
  colour: string,
  { lineWidth = 1.6 }: { readonly lineWidth?: number } = {},
) {
  return {
    type: "custom",
    silent: true,
    z: 3,
    // An axis without fixed ends extends to the intervals because of `encode`.
    encode: along === "y" ? { x: 0, y: [1, 2] } : { x: [1, 2], y: 0 },
    data: bars.flatMap(({ at, low, high }) =>
      low === undefined || high === undefined ? [] : [[at, low, high]],
    ),
    renderItem: (_: unknown, api: DrawingApi) => {
      const at = api.value(0);
      const end = (bound: number) =>
        api.coord(along === "y" ? [at, api.value(bound)] : [api.value(bound), at]);
      const pathData = intervalPath(end(1), end(2), along);
      const style = { stroke: colour, fill: "none", lineWidth };
      return { type: "path", shape: { pathData }, style, silent: true };
    },
  };
}

/** Returns the path of a bar with a cap across each end. */
function intervalPath(low: Point, high: Point, along: "x" | "y"): string {
  const [acrossX, acrossY] = along === "y" ? [capPx, 0] : [0, capPx];
  const cap = ([x, y]: Point) => stroke([x - acrossX, y - acrossY], [x + acrossX, y + acrossY]);
  return stroke(low, high) + cap(low) + cap(high);
}

function stroke([x1, y1]: Point, [x2, y2]: Point): string {
  return `M${x1} ${y1}L${x2} ${y2}`;
}

interface MeanAt {
  readonly at: number;
  readonly mean?: number;
  readonly low?: number;
  readonly high?: number;
}

/** Returns a line of means with intervals, on the left axis (0) or the right one (1). Only positive ones can be drawn. */
export function meansSeries(
  { colour, symbol, dash }: VariantStyle,
  means: readonly MeanAt[],
  yAxisIndex: 0 | 1 = 0,
) {
  const drawn = means.filter(({ mean = 0 }) => mean > 0);
  const intervals = drawn.filter(({ low = 0 }) => low > 0);
  return [
    {
      type: "line",
      yAxisIndex,
      data: drawn.map(({ at, mean }) => [at, mean]),
      symbol,
      symbolSize: 8,
      itemStyle: { color: colour },
      lineStyle: { color: colour, width: 2, type: dash },
      silent: true,
      clip: false,
    },
    { ...intervalSeries(intervals, "y", colour), yAxisIndex },
  ];
}

/** Width, px, at which a phone shows a chart's words in full. */
const rowsWidth = 460;
const slotHeight = 16;
const smallestHeight = 64;
const axisHeight = 58;

/** A slot of a chart: a row, or the words above it, its name on the left and its figures on the right. */
export type Slot<Row> = { readonly row: Row } | { readonly left: string; readonly right: string };

/** A chart of rows, each below its own words, so that no chart needs a margin for them. */
interface RowsChart<Row> {
  readonly title: string;
  readonly description: string;
  readonly rows: readonly Row[];
  readonly wordsOf: (row: Row) => readonly [left: string, right: string];
  readonly xAxis: object;
  readonly isScaleShown: boolean;
  /** Draws the rows, given the index of each one's slot. */
  readonly seriesOf: (drawn: readonly DrawnRow<Row>[], slots: readonly Slot<Row>[]) => unknown;
}

export interface DrawnRow<Row> {
  readonly row: Row;
  readonly at: number;
}

export function rowsPanel<Row>(label: string, chart: RowsChart<Row>): Panel {
  const { title, description, rows, wordsOf, xAxis, isScaleShown, seriesOf } = chart;
  const slots = rows.flatMap((row): readonly Slot<Row>[] => {
    const [left, right] = wordsOf(row);
    return [{ left: labelText(left), right }, { row }];
  });
  const drawn = slots.flatMap((slot, at) => ("row" in slot ? [{ row: slot.row, at }] : []));
  const bottom = isScaleShown ? axisHeight : 2;
  const height = Math.max(smallestHeight, slots.length * slotHeight + 4 + bottom);
  const grid = { left: 8, right: 8, top: 2, bottom };
  const option = { grid, xAxis, yAxis: wordAxes(slots), series: seriesOf(drawn, slots) };
  return chartPanel({ title, description, width: rowsWidth, height, option }, label);
}

/** Returns two axes that print the words of each row, on the left and on the right. */
function wordAxes(slots: readonly Slot<unknown>[]) {
  return (["left", "right"] as const).map((side) => ({
    type: "category",
    position: side,
    inverse: true,
    data: slots.map((_, index) => index),
    axisLabel: {
      inside: true,
      margin: 0,
      interval: 0,
      color: colours.ink,
      fontSize: textSize,
      formatter: (_: string, index: number) => {
        const slot = slots[index];
        return slot === undefined || "row" in slot ? "" : slot[side];
      },
    },
    axisTick: { show: false },
    axisLine: { show: false },
    splitLine: { show: false },
  }));
}

/** Returns a series of marks at `[x, row]`, in front of everything else. */
export function marksSeries(symbol: string, data: readonly unknown[], itemStyle: object = {}) {
  const label = { show: false };
  return { type: "scatter", silent: true, z: 4, symbol, symbolSize: 9, data, itemStyle, label };
}
