import type { Comparison } from "../../analysis/comparisons.ts";
import { variantLabel } from "../../analysis/report-subject.ts";
import type { ReportView } from "../../analysis/report-view.ts";
import { findNoiseFloor, seriesIn, variantsRun } from "../../analysis/select.ts";
import { sizeLabel } from "../document/cell-labels.ts";
import type { Chart, Panel } from "../document/document.ts";
import { percent, ratioText } from "../document/format.ts";
import { comparisonsOf, ratioRange, verdictCounts } from "../section/columns.ts";
import { intervalSeries, logAxis, logAxisOption, marginFor, marksSeries, rowAxis } from "./axes.ts";
import { colours, labelText, markStyle, svgChart, variantStyle } from "./svg-chart.ts";

const width = 920;
const rowHeight = 22;

/** A comparison, or the empty row between two operations. */
type Row = Comparison | undefined;

/** What is drawn of a variant, in this order. */
const drawn = [
  ["cold", "initAndDurationMs"],
  ["warm", "durationMs"],
] as const;

/** Every variant against the baseline: a row a comparison, with the margin and the noise floor. */
export function ratioChart(view: ReportView): readonly Chart[] {
  const panels = variantsRun(view).flatMap((variant, index) => {
    const known = drawn.flatMap(([phase, quantity]) =>
      comparisonsOf(view, variant, phase, quantity).filter(({ ratio }) => ratio !== undefined),
    );
    return known.length === 0 ? [] : [ratioPanel(view, variant, index, known)];
  });
  if (panels.length === 0) return [];
  const hasWarm = seriesIn(view, "warm").some(({ n }) => n > 0);
  return [
    {
      kind: "chart",
      id: "chart-ratio",
      title: `Ratio to ${variantLabel(view.subject, view.subject.baselineVariant)}, cold and warm`,
      description: `Ratio of medians with its 95 % interval, logarithmic: Init and first request, and the Duration of each warm operation. Right of 1 the variant takes longer. The band is the margin of ${percent(view.margin)}; a dashed frame is the noise floor, by which the same function deployed twice differed from itself. Filled marks are decided verdicts, hollow ones undecided.`,
      tableId: hasWarm ? "warm-duration" : "cold-ratio",
      panelSize: "wide",
      panels,
    },
  ];
}

/** An empty row between two operations. */
function withGaps(known: readonly Comparison[]): readonly Row[] {
  return known.flatMap((comparison, index): readonly Row[] => {
    const before = known[index - 1];
    const isSame = before?.operation === comparison.operation && before.phase === comparison.phase;
    return before === undefined || isSame ? [comparison] : [undefined, comparison];
  });
}

function ratioPanel(
  view: ReportView,
  variant: string,
  index: number,
  known: readonly Comparison[],
): Panel {
  const label = variantLabel(view.subject, variant);
  const baseline = variantLabel(view.subject, view.subject.baselineVariant);
  const rows = withGaps(known);
  const conclusions = drawn.flatMap(([phase]) => {
    const of = known.filter((comparison) => comparison.phase === phase);
    const range = ratioRange(view, of);
    return range === undefined
      ? []
      : [`${phase}: ${verdictCounts(view, of)}, ${range} times as long`];
  });
  const svg = svgChart({
    id: `chart-ratio-${index}`,
    title: `${label}: ratio to ${baseline}`,
    description: `A mark and a 95 % interval for each operation and memory size. ${conclusions.join("; ")}.`,
    width,
    height: rows.length * rowHeight + 78,
    option: ratioOption(view, rows, index),
  });
  return { label: `${label} against ${baseline}`, svg };
}

function ratioOption(view: ReportView, rows: readonly Row[], variantIndex: number) {
  const { colour, symbol } = variantStyle(variantIndex);
  const left = rows.map((row) => (row === undefined ? "" : rowLabel(view, row)));
  const right = rows.map((row) => (row === undefined ? "" : `${ratioText(row)} ${row.verdict}`));
  const margin = 1 + view.margin;
  const floors = rows.map((row) => (row === undefined ? undefined : findNoiseFloor(view, row)));
  const axis = logAxis([
    ...rows.flatMap((row) => (row === undefined ? [] : [row.low ?? 1, row.high ?? 1])),
    ...floors.flatMap((floor) => (floor === undefined ? [] : [1 / (1 + floor), 1 + floor])),
    1 / margin,
    margin,
  ]);
  return {
    grid: { left: marginFor(left), right: marginFor(right), top: 12, bottom: 56 },
    xAxis: logAxisOption(
      "ratio, log scale (left of 1: faster than the baseline; right: slower)",
      axis,
    ),
    yAxis: [rowAxis("left", left), rowAxis("right", right)],
    series: [
      bandSeries(1 / margin, margin, rows.length),
      floorSeries(floors, rowHeight),
      intervalSeries(
        rows.flatMap((row, at) =>
          row?.low === undefined || row.high === undefined
            ? []
            : [{ at, low: row.low, high: row.high }],
        ),
        "x",
        colour,
        { lineWidth: 2 },
      ),
      markSeries(rows, colour, symbol),
    ],
  };
}

function rowLabel(view: ReportView, { phase, operation, cell }: Comparison): string {
  const what = phase === "cold" ? "Init + first" : operation;
  return labelText(`${what}, ${sizeLabel(view, cell)}`);
}

/** A mark a row: filled where the verdict is decided, hollow where it is not. */
function markSeries(rows: readonly (Comparison | undefined)[], colour: string, symbol: string) {
  return marksSeries(
    symbol,
    rows.flatMap((row, at) => {
      if (row?.ratio === undefined) return [];
      const itemStyle = markStyle(colour, row.verdict !== "undecided");
      return [{ value: [row.ratio, at], itemStyle }];
    }),
  );
}

interface BandApi {
  coord(point: readonly [number, number]): readonly [number, number];
}

interface BandParams {
  readonly coordSys: { readonly y: number; readonly height: number };
}

/** The margin as a band over the whole height, and the line where both take the same time. */
function bandSeries(low: number, high: number, rows: number) {
  return {
    type: "custom",
    silent: true,
    z: 1,
    data: rows === 0 ? [] : [[1, 0]],
    renderItem: ({ coordSys: { y, height } }: BandParams, api: BandApi) => {
      const x = (value: number) => api.coord([value, 0])[0];
      return {
        type: "group",
        children: [
          {
            type: "rect",
            shape: { x: x(low), y, width: x(high) - x(low), height },
            style: { fill: colours.band },
          },
          {
            type: "line",
            shape: { x1: x(1), y1: y, x2: x(1), y2: y + height },
            style: { stroke: colours.ink, fill: "none", lineWidth: 1.2 },
          },
        ],
      };
    },
  };
}

/** A row's noise floor, to either side of 1, as a dashed frame of the row's height. */
function floorSeries(floors: readonly (number | undefined)[], rowHeight: number) {
  const data = floors.flatMap((floor, at) => (floor === undefined ? [] : [[1 + floor, at]]));
  return {
    type: "custom",
    silent: true,
    z: 2,
    data,
    renderItem: ({ dataIndex }: { readonly dataIndex: number }, api: BandApi) => {
      const [factor = 1, at = 0] = data[dataIndex] ?? [];
      const [x1, y] = api.coord([1 / factor, at]);
      const [x2] = api.coord([factor, at]);
      return {
        type: "rect",
        shape: { x: x1, y: y - rowHeight / 2 + 2, width: x2 - x1, height: rowHeight - 4 },
        style: { fill: "none", stroke: colours.muted, lineWidth: 1, lineDash: [3, 2] },
      };
    },
  };
}
