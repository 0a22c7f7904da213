import { type Distribution, quantileIn } from "../../analysis/distribution.ts";
import { variantLabel } from "../../analysis/report-subject.ts";
import type { ReportView } from "../../analysis/report-view.ts";
import { sizeLabel } from "../document/cell-labels.ts";
import type { Chart, Panel } from "../document/document.ts";
import { number } from "../document/format.ts";
import { type DrawingApi, logAxis, logAxisOption, marksSeries, rowsPanel } from "./axes.ts";
import { colours, panelName, type VariantStyle, variantStyle } from "./svg-chart.ts";

/** Draws the samples of every series as a strip of quantiles, one panel per phase and operation. */
export function distributionChart(view: ReportView): readonly Chart[] {
  const { distributions } = view;
  const keys = [...new Set(distributions.map((of) => panelName(of)))];
  const panels = keys.map((name) =>
    distributionPanel(
      view,
      name,
      distributions.filter((of) => panelName(of) === name),
    ),
  );
  if (panels.length === 0) return [];
  return [
    {
      kind: "chart",
      id: "chart-distribution",
      title: spreadTitle(view),
      description:
        "A stroke for each sample, or for each of 41 evenly spaced quantiles if there are more samples: strokes close together mean many samples. The mark is the median of all samples; logarithmic.",
      tableId: "distribution",
      panelSize: "small",
      panels,
    },
  ];
}

/** Returns a title that names the series whose longest call is the largest multiple of its median. */
function spreadTitle(view: ReportView): string {
  const spread = (row: Distribution) => (quantileIn(row, 1) ?? 0) / (quantileIn(row, 0.5) || 1);
  const [widest] = view.distributions.toSorted((a, b) => spread(b) - spread(a));
  if (widest === undefined) return "The spread of the samples";
  return `The longest call of a series took at most ${number(spread(widest))} times its median (${panelName(widest)}, ${placeText(view, widest)})`;
}

function distributionPanel(view: ReportView, name: string, of: readonly Distribution[]): Panel {
  return rowsPanel(name, {
    title: `${name}: the spread of the samples`,
    description: `Median [least, most] of all samples. ${of.map((row) => describeChart(view, row)).join("; ")}.`,
    rows: of,
    wordsOf: (row) => [placeText(view, row), `${number(quantileIn(row, 0.5))} ms`],
    xAxis: logAxisOption("ms, log scale", logAxis(of.flatMap((row) => row.quantilesMs))),
    isScaleShown: true,
    seriesOf: (drawn) =>
      drawn.flatMap(({ row, at }) => {
        const style = variantStyle(view.variants.indexOf(row.cell.variant));
        return [
          stripSeries(at, row.quantilesMs, style.colour),
          medianSeries(at, quantileIn(row, 0.5), style),
        ];
      }),
  });
}

function describeChart(view: ReportView, row: Distribution): string {
  const [least, middle, most] = [0, 0.5, 1].map((level) => number(quantileIn(row, level)));
  return `${placeText(view, row)}: ${middle} [${least}, ${most}] ms`;
}

function placeText(view: ReportView, { cell }: Distribution): string {
  return `${sizeLabel(view, cell)}, ${variantLabel(view.subject, cell.variant)}`;
}

const halfHeightPx = 6;

/** Draws a row's values as vertical strokes, in one path. */
function stripSeries(at: number, values: readonly number[], colour: string) {
  return {
    type: "custom",
    silent: true,
    z: 2,
    data: values.length === 0 ? [] : [[values[0], at]],
    renderItem: (_: unknown, api: DrawingApi) => {
      const strokes = values.map((value) => {
        const [x, y] = api.coord([value, at]);
        return `M${x.toFixed(1)} ${(y - halfHeightPx).toFixed(1)}v${2 * halfHeightPx}`;
      });
      return {
        type: "path",
        shape: { pathData: strokes.join("") },
        style: { fill: "none", stroke: colour, lineWidth: 1, opacity: 0.75 },
      };
    },
  };
}

/** Draws the median's mark in the variant's shape, outlined against the strokes behind it. */
function medianSeries(at: number, median: number, { colour, symbol }: VariantStyle) {
  const itemStyle = { color: colour, borderColor: colours.page, borderWidth: 1.5, opacity: 1 };
  return marksSeries(symbol, [[median, at]], itemStyle);
}
