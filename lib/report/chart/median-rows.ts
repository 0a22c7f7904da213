import type { Chart, Panel } from "../document/document.ts";
import { measureText } from "../document/format-measure.ts";
import type { Measure } from "../view/measure.ts";
import { intervalSeries } from "./interval-bars.ts";
import type { LogAxis } from "./log-axis.ts";
import { logAxisOption } from "./log-axis-option.ts";
import { measureAxis } from "./memory-lines.ts";
import { variantStyle } from "./palette.ts";
import { marginFor, rowAxis } from "./row-axis.ts";
import { labelText, svgChart } from "./svg-chart.ts";

const width = 920;
const rowHeight = 20;

/** Medians that stand below each other, and what they are of. */
export interface MedianPanel {
  readonly label: string;
  readonly rows: readonly MedianRow[];
}

export interface MedianRow {
  readonly label: string;
  /** The same one's place in every panel: its mark and colour. */
  readonly style: number;
  readonly measure: Measure;
}

interface Margins {
  readonly left: number;
  readonly right: number;
}

/** Medians in ms with their intervals, a row each; all panels have one logarithmic scale. */
export function medianRowsChart(
  chart: Pick<Chart, "id" | "title" | "description" | "tableId">,
  panels: readonly MedianPanel[],
): readonly Chart[] {
  const drawn = panels.filter(({ rows }) => rows.some(({ measure }) => (measure.median ?? 0) > 0));
  if (drawn.length === 0) return [];
  const all = drawn.flatMap(({ rows }) => rows);
  const axis = measureAxis(all.map(({ measure }) => measure));
  const margins = { left: marginFor(leftWords(all)), right: marginFor(rightWords(all)) };
  const pictures = drawn.map(({ label, rows }, index): Panel => {
    const said = rows.map((row) => `${row.label}: ${measureText(row.measure)} ms`);
    const svg = svgChart({
      id: `${chart.id}-${index}`,
      title: `${chart.title}: ${label}`,
      description: `Median [95 % interval]. ${said.join("; ")}.`,
      width,
      height: rows.length * rowHeight + 62,
      option: optionOf(rows, axis, margins),
    });
    return { label, svg };
  });
  return [{ kind: "chart", ...chart, panelSize: "wide", panels: pictures }];
}

function leftWords(rows: readonly MedianRow[]): readonly string[] {
  return rows.map(({ label }) => labelText(label));
}

function rightWords(rows: readonly MedianRow[]): readonly string[] {
  return rows.map(({ measure }) => measureText(measure));
}

function optionOf(rows: readonly MedianRow[], axis: LogAxis, margins: Margins) {
  return {
    grid: { ...margins, top: 4, bottom: 56 },
    xAxis: logAxisOption("ms, log scale", axis),
    yAxis: [rowAxis("left", leftWords(rows)), rowAxis("right", rightWords(rows))],
    series: rows.flatMap(rowSeries),
  };
}

function rowSeries({ style, measure: { median = 0, low, high } }: MedianRow, at: number) {
  const { colour, symbol } = variantStyle(style);
  const bars = low === undefined || high === undefined || low <= 0 ? [] : [{ at, low, high }];
  return [
    intervalSeries(bars, "x", colour, { lineWidth: 2 }),
    {
      type: "scatter",
      silent: true,
      z: 4,
      symbol,
      symbolSize: 9,
      data: median > 0 ? [[median, at]] : [],
      itemStyle: { color: colour, opacity: 1 },
      label: { show: false },
    },
  ];
}
