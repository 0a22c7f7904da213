import { sizeLabel } from "../document/cell-labels.ts";
import type { Chart, Panel } from "../document/document.ts";
import { measureText } from "../document/format-measure.ts";
import { number } from "../document/format-number.ts";
import { labelOf } from "../report-subject.ts";
import type { CostAndSpeed } from "../view/cost-speed.ts";
import type { ReportView } from "../view/report-view.ts";
import { variantsRun } from "../view/select.ts";
import { intervalSeries } from "./interval-bars.ts";
import { logAxis } from "./log-axis.ts";
import { logAxisOption } from "./log-axis-option.ts";
import { markStyle } from "./mark-style.ts";
import { namedCells } from "./named-cells.ts";
import { colours, variantStyle } from "./palette.ts";
import { panelName } from "./panel-name.ts";
import { svgChart, textSize } from "./svg-chart.ts";
import { frontierSwatch, swatch } from "./swatch.ts";

const width = 460;
const height = 320;
const grid = { left: 62, right: 18, top: 12, bottom: 50 };
const plotPx = {
  widthPx: width - grid.left - grid.right,
  heightPx: height - grid.top - grid.bottom,
};

/** Cost against speed, a panel an operation: what no other cell beats in both is joined. */
export function costChart(view: ReportView): readonly Chart[] {
  const groups = view.costAndSpeed;
  if (groups.length === 0) return [];
  const variants = variantsRun(view).map((variant, index) => ({
    label: labelOf(view.subject, variant),
    swatch: swatch(variantStyle(index)),
  }));
  return [
    {
      kind: "chart",
      id: "chart-cost",
      title: "Cost against speed",
      description:
        "USD per million calls over the median time of one with its 95 % interval, both logarithmic: nearer to the lower left is quicker and cheaper. Filled marks, joined by the grey line the most of them named by their memory in MB, are the frontier: no other cell is both quicker and cheaper, by the medians.",
      tableId: "frontier",
      panelSize: "small",
      legend: [...variants, { label: "Frontier", swatch: frontierSwatch }],
      panels: groups.map((group, index) => panelOf(view, group, index)),
    },
  ];
}

function panelOf(view: ReportView, group: readonly CostAndSpeed[], index: number): Panel {
  const [{ phase, operation } = { phase: "warm", operation: "" } as const] = group;
  const label = panelName({ phase, operation });
  const said = frontierOf(group).map(
    ({ cell, time, usdPerMillion }) =>
      `${labelOf(view.subject, cell.variant)}, ${sizeLabel(view, cell)}: ${measureText(time)} ms, ${number(usdPerMillion)} USD`,
  );
  const svg = svgChart({
    id: `chart-cost-${index}`,
    title: `${label}: cost against speed`,
    description: `On the frontier, quickest first: ${said.join("; ")}.`,
    width,
    height,
    option: optionOf(view, group),
  });
  return { label, svg };
}

/** Quickest first. */
export function frontierOf(group: readonly CostAndSpeed[]): readonly CostAndSpeed[] {
  return group
    .filter(({ isOnFrontier }) => isOnFrontier)
    .sort((a, b) => a.time.median - b.time.median);
}

function optionOf(view: ReportView, group: readonly CostAndSpeed[]) {
  const times = group.flatMap(({ time }) => [time.median, time.low ?? 0, time.high ?? 0]);
  const ms = logAxis(times, 0.1);
  const usd = logAxis(
    group.map(({ usdPerMillion }) => usdPerMillion),
    0.12,
  );
  const frontier = frontierOf(group);
  const named = namedCells(frontier, { ms, usd, ...plotPx });
  return {
    grid,
    xAxis: logAxisOption("ms (log scale)", ms),
    yAxis: logAxisOption("USD per million (log scale)", usd, "y"),
    series: [
      frontierLine(frontier),
      ...variantsRun(view).flatMap((variant, index) =>
        variantSeries(
          group.filter(({ cell }) => cell.variant === variant),
          index,
          named,
        ),
      ),
    ],
  };
}

function frontierLine(frontier: readonly CostAndSpeed[]) {
  return {
    type: "line",
    silent: true,
    z: 1,
    symbol: "none",
    data: frontier.map(({ time, usdPerMillion }) => [time.median, usdPerMillion]),
    lineStyle: { color: colours.muted, width: 7, opacity: 0.3 },
  };
}

function variantSeries(points: readonly CostAndSpeed[], index: number, named: ReadonlySet<string>) {
  const { colour, symbol } = variantStyle(index);
  return [
    intervalSeries(
      points.flatMap(({ time: { low, high }, usdPerMillion }) =>
        low === undefined || high === undefined ? [] : [{ at: usdPerMillion, low, high }],
      ),
      "x",
      colour,
    ),
    {
      type: "scatter",
      silent: true,
      z: 4,
      symbol,
      symbolSize: 10,
      data: points.map(({ cell, time, usdPerMillion, isOnFrontier }) => ({
        value: [time.median, usdPerMillion],
        itemStyle: markStyle(colour, isOnFrontier),
        label: {
          show: named.has(cell.id),
          formatter: String(cell.memoryMb),
          position: "bottom",
          distance: 6,
          color: colours.ink,
          fontSize: textSize,
        },
      })),
    },
  ];
}
