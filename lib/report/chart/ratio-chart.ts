import type { Comparison } from "../../analysis/comparisons.ts";
import { variantLabel } from "../../analysis/report-subject.ts";
import type { ReportView } from "../../analysis/report-view.ts";
import { sizeLabel } from "../document/cell-labels.ts";
import type { Chart, Panel } from "../document/document.ts";
import { ratioText, shareText } from "../document/format.ts";
import { comparisonsOf, ratioRange, verdictCounts } from "../section/columns.ts";
import {
  type DrawingApi,
  type DrawnRow,
  intervalSeries,
  type LogAxis,
  logAxis,
  logAxisOption,
  marksSeries,
  rowsPanel,
} from "./axes.ts";
import { colours, markStyle, variantStyle } from "./svg-chart.ts";

const markHeight = 14;

/** The phases shown for each variant, in this order. */
const phasesDrawn = ["cold", "warm"] as const;

/** Plots every variant against the baseline: one row per comparison, with the margin and the noise floor. */
export function ratioChart(view: ReportView, title: string): readonly Chart[] {
  const panels = view.variants.flatMap((variant, index) => {
    const known = phasesDrawn.flatMap((phase) =>
      comparisonsOf(
        view,
        variant,
        phase,
        phase === "cold" ? "initAndDurationMs" : "durationMs",
      ).filter(({ ratio }) => ratio !== undefined),
    );
    return known.length === 0 ? [] : [ratioPanel(view, variant, index, known)];
  });
  if (panels.length === 0) return [];
  const hasWarm = view.rows.warm.some(({ n }) => n > 0);
  return [
    {
      kind: "chart",
      id: "chart-ratio",
      title,
      description: `Ratio to ${variantLabel(view.subject, view.subject.baselineVariant)}, of means, with its 95% CI, logarithmic: the cold start, Init and first Duration together, and the Duration of each warm operation. Right of 1 the variant takes longer. The band is the margin of ${shareText(view.margin)}; a dashed frame is A/A noise, by which the same function, deployed twice, differed from itself. Filled marks are decided verdicts, hollow ones undecided.`,
      tableId: hasWarm ? "warm-duration" : "cold-ratio",
      panelSize: "small",
      panels,
    },
  ];
}

function ratioPanel(
  view: ReportView,
  variant: string,
  index: number,
  known: readonly Comparison[],
): Panel {
  const label = variantLabel(view.subject, variant);
  const baseline = variantLabel(view.subject, view.subject.baselineVariant);
  const conclusions = phasesDrawn.flatMap((phase) => {
    const ofPhase = known.filter((comparison) => comparison.phase === phase);
    const range = ratioRange(view, ofPhase);
    return range === undefined
      ? []
      : [`${phase}: ${verdictCounts(view, ofPhase)}, ${range} times as long`];
  });
  return rowsPanel(`${label} vs. ${baseline}`, {
    title: `${label}: ratio to ${baseline}`,
    description: `A mark and a 95% CI for each operation and memory size. ${conclusions.join("; ")}.`,
    rows: known,
    wordsOf: (row) => [rowLabel(view, row), ratioText(row)],
    xAxis: logAxisOption("ratio, log scale (above 1: takes longer)", ratioAxis(view, known)),
    isScaleShown: true,
    seriesOf: (drawn) => ratioSeries(view, drawn, index),
  });
}

function ratioAxis({ margin }: ReportView, known: readonly Comparison[]): LogAxis {
  const floors = known.map(({ noiseFloor = 0 }) => 1 + noiseFloor);
  return logAxis([
    ...known.flatMap(({ low = 1, high = 1 }) => [low, high]),
    ...[...floors, 1 + margin].flatMap((factor) => [1 / factor, factor]),
  ]);
}

function ratioSeries(
  view: ReportView,
  drawn: readonly DrawnRow<Comparison>[],
  variantIndex: number,
) {
  const { colour, symbol } = variantStyle(variantIndex);
  const floors = drawn.flatMap(({ row: { noiseFloor = 0 }, at }) =>
    noiseFloor === 0 ? [] : [[1 + noiseFloor, at] as const],
  );
  const rows = drawn.map(({ at }) => at);
  const intervals = drawn.map(({ row, at }) => ({ ...row, at }));
  // A mark is filled if the verdict is decided, otherwise hollow.
  const marks = drawn.map(({ row, at }) => ({
    value: [row.ratio, at],
    itemStyle: markStyle(colour, row.verdict !== "undecided"),
  }));
  return [
    bandSeries(1 + view.margin, rows),
    floorSeries(floors),
    intervalSeries(intervals, "x", colour, { lineWidth: 2 }),
    marksSeries(symbol, marks),
  ];
}

function rowLabel(view: ReportView, { phase, operation, cell }: Comparison): string {
  const call = phase === "cold" ? "Init + first" : operation;
  return `${call}, ${sizeLabel(view, cell)}`;
}

/** Draws the margin as a band behind each mark, and the line at a ratio of 1. */
function bandSeries(margin: number, rows: readonly number[]) {
  return {
    type: "custom",
    silent: true,
    z: 1,
    data: rows.map((at) => [1, at]),
    renderItem: ({ dataIndex }: { readonly dataIndex: number }, api: DrawingApi) => {
      const at = rows[dataIndex] ?? 0;
      const x = (value: number) => api.coord([value, at])[0];
      const y = api.coord([1, at])[1] - markHeight / 2;
      const low = x(1 / margin);
      return {
        type: "group",
        children: [
          {
            type: "rect",
            shape: { x: low, y, width: x(margin) - low, height: markHeight },
            style: { fill: colours.band },
          },
          {
            type: "line",
            shape: { x1: x(1), y1: y, x2: x(1), y2: y + markHeight },
            style: { stroke: colours.ink, fill: "none", lineWidth: 1.2 },
          },
        ],
      };
    },
  };
}

/** Draws a row's noise floor on either side of 1, as a dashed frame of the row's height. */
function floorSeries(floors: readonly (readonly [factor: number, at: number])[]) {
  return {
    type: "custom",
    silent: true,
    z: 2,
    data: floors,
    renderItem: ({ dataIndex }: { readonly dataIndex: number }, api: DrawingApi) => {
      const [factor, at] = floors[dataIndex] ?? [1, 0];
      const [x1, y] = api.coord([1 / factor, at]);
      const [x2] = api.coord([factor, at]);
      return {
        type: "rect",
        shape: { x: x1, y: y - markHeight / 2, width: x2 - x1, height: markHeight },
        style: { fill: "none", stroke: colours.muted, lineWidth: 1, lineDash: [3, 2] },
      };
    },
  };
}
