import type { CostAndSpeed } from "../../analysis/cost-view.ts";
import { variantLabel } from "../../analysis/report-subject.ts";
import type { ReportView } from "../../analysis/report-view.ts";
import { sizeLabel } from "../document/cell-labels.ts";
import type { Chart, Panel } from "../document/document.ts";
import { dollarsText, measureText } from "../document/format.ts";
import { intervalSeries, logAxisOption } from "./axes.ts";
import { measureAxis } from "./memory-chart.ts";
import {
  chartPanel,
  colours,
  frontierSwatch,
  markStyle,
  panelName,
  styleLegend,
  textSize,
  variantStyle,
} from "./svg-chart.ts";

const width = 460;
const height = 320;

/** Plots cost vs. speed, one panel per operation. A line joins the cells that no other cell beats in both. */
export function costChart(view: ReportView): readonly Chart[] {
  const groups = view.costAndSpeed;
  if (groups.length === 0) return [];
  const variants = styleLegend(view.variants.map((variant) => variantLabel(view.subject, variant)));
  return [
    {
      kind: "chart",
      id: "chart-cost",
      title: costTitle(view),
      description:
        "Mean cost per million calls over the mean time of a call, each with its 95% CI, both axes logarithmic: closer to the lower left is faster and cheaper. Filled marks, joined by the grey line and mostly labelled with their memory in MB, are the frontier: no other cell is both faster and cheaper, by these means.",
      tableId: "frontier",
      panelSize: "small",
      legend: [...variants, { label: "Frontier", swatch: frontierSwatch }],
      panels: groups.map((group) => costPanel(view, group)),
    },
  ];
}

/** Returns a title that counts the cells on the frontier. */
function costTitle({ costAndSpeed }: ReportView): string {
  const all = costAndSpeed.flat();
  const best = all.filter(({ isOnFrontier }) => isOnFrontier).length;
  return `Cost vs. speed: nothing beats ${best} of ${all.length} choices in both`;
}

function costPanel(view: ReportView, group: readonly CostAndSpeed[]): Panel {
  const [{ phase, operation } = { phase: "warm", operation: "" } as const] = group;
  const label = panelName({ phase, operation });
  const frontier = findFrontier(group).map(
    ({ cell, time, usdPerMillion, usdInterval }) =>
      `${variantLabel(view.subject, cell.variant)}, ${sizeLabel(view, cell)}: ${measureText(time)} ms, $${dollarsText(usdPerMillion, usdInterval)}`,
  );
  return chartPanel(
    {
      title: `${label}: cost vs. speed`,
      description: `On the frontier, fastest first: ${frontier.join("; ")}.`,
      width,
      height,
      option: costOption(view, group),
    },
    label,
  );
}

/** Returns the cells on the frontier, fastest first. */
function findFrontier(group: readonly CostAndSpeed[]): readonly CostAndSpeed[] {
  return group.filter(({ isOnFrontier }) => isOnFrontier).sort((a, b) => a.time.mean - b.time.mean);
}

function costOption(view: ReportView, group: readonly CostAndSpeed[]) {
  const times = group.map(({ time }) => time);
  const costs = group.map(({ usdPerMillion: mean, usdInterval }) => ({ mean, ...usdInterval }));
  const ms = measureAxis(times, 0.1);
  const usd = measureAxis(costs, 0.12);
  return {
    grid: { left: 62, right: 18, top: 12, bottom: 50 },
    xAxis: logAxisOption("ms (log scale)", ms),
    yAxis: logAxisOption("$ per million (log scale)", usd, "y"),
    series: [
      frontierLine(findFrontier(group)),
      ...view.variants.flatMap((variant, index) =>
        variantSeries(
          group.filter(({ cell }) => cell.variant === variant),
          index,
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
    data: frontier.map(({ time, usdPerMillion }) => [time.mean, usdPerMillion]),
    lineStyle: { color: colours.muted, width: 7, opacity: 0.3 },
  };
}

function variantSeries(points: readonly CostAndSpeed[], index: number) {
  const { colour, symbol } = variantStyle(index);
  const times = points.map(({ time, usdPerMillion }) => ({ ...time, at: usdPerMillion }));
  const costs = points.map(({ time, usdInterval }) => ({ at: time.mean, ...usdInterval }));
  return [
    intervalSeries(times, "x", colour),
    intervalSeries(costs, "y", colour),
    {
      type: "scatter",
      silent: true,
      z: 4,
      symbol,
      symbolSize: 10,
      labelLayout: { hideOverlap: true },
      data: points.map(({ cell, time, usdPerMillion, isOnFrontier }) => ({
        value: [time.mean, usdPerMillion],
        itemStyle: markStyle(colour, isOnFrontier),
        label: {
          show: isOnFrontier,
          formatter: String(cell.memoryMb),
          position: "bottom",
          distance: 6,
          minMargin: 6,
          color: colours.ink,
          fontSize: textSize,
        },
      })),
    },
  ];
}
