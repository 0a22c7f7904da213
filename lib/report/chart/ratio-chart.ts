import { sizeLabel } from "../document/cell-labels.ts";
import type { Chart, Panel } from "../document/document.ts";
import { ratioText } from "../document/format-measure.ts";
import { percent } from "../document/format-number.ts";
import { labelOf } from "../report-subject.ts";
import type { Comparison } from "../view/comparisons.ts";
import type { ReportView } from "../view/report-view.ts";
import { variantsRun } from "../view/select.ts";
import { intervalSeries } from "./interval-bars.ts";
import { logAxis } from "./log-axis.ts";
import { logAxisOption } from "./log-axis-option.ts";
import { colours, variantStyle } from "./palette.ts";
import { bandSeries, markSeries } from "./ratio-marks.ts";
import { labelText, svgChart, textSize } from "./svg-chart.ts";

const width = 920;
const rowHeight = 22;
/** Of a letter, at the most. */
const charWidth = 8;

/** A comparison, or the empty row between two operations. */
type Row = Comparison | undefined;

/** Warm Duration against the baseline: a row an operation and size, the margin as a band. */
export function ratioChart(view: ReportView): readonly Chart[] {
  const panels = variantsRun(view).flatMap((variant, index) => {
    const known = view.comparisons.variants.filter(
      (comparison) =>
        comparison.phase === "warm" &&
        comparison.quantity === "durationMs" &&
        comparison.cell.variant === variant &&
        comparison.ratio !== undefined,
    );
    return known.length === 0 ? [] : [panelOf(view, variant, index, withGaps(known))];
  });
  if (panels.length === 0) return [];
  return [
    {
      kind: "chart",
      id: "chart-ratio",
      title: `Warm Duration: ratio to ${labelOf(view.subject, view.subject.baselineVariant)}`,
      description: `Ratio of medians with its 95 % interval, logarithmic. Right of 1 the variant takes longer. The band is the margin of ${percent(view.margin)}; filled marks are decided verdicts, hollow ones undecided.`,
      tableId: "warm-duration",
      panelSize: "wide",
      panels,
    },
  ];
}

function withGaps(known: readonly Comparison[]): readonly Row[] {
  return known.flatMap((comparison, index): readonly Row[] => {
    const before = known[index - 1];
    return before !== undefined && before.operation !== comparison.operation
      ? [undefined, comparison]
      : [comparison];
  });
}

function panelOf(view: ReportView, variant: string, index: number, rows: readonly Row[]): Panel {
  const label = labelOf(view.subject, variant);
  const baseline = labelOf(view.subject, view.subject.baselineVariant);
  const svg = svgChart({
    id: `chart-ratio-${index}`,
    title: `Warm Duration of ${label}: ratio to ${baseline}`,
    description:
      "A mark and a 95 % interval for each operation and memory size; the table has the numbers.",
    width,
    height: rows.length * rowHeight + 78,
    option: optionOf(view, rows, index),
  });
  return { label: `${label} against ${baseline}`, svg };
}

function optionOf(view: ReportView, rows: readonly Row[], variantIndex: number) {
  const { colour, symbol } = variantStyle(variantIndex);
  const margin = 1 + view.margin;
  const longest = Math.max(
    ...rows.map((row) => (row === undefined ? 0 : rowLabel(view, row).length)),
  );
  const axis = logAxis([
    ...rows.flatMap((row) => (row === undefined ? [] : [row.low ?? 1, row.high ?? 1])),
    1 / margin,
    margin,
  ]);
  return {
    grid: { left: Math.max(200, longest * charWidth), right: 190, top: 12, bottom: 56 },
    xAxis: logAxisOption(
      "ratio, log scale (left of 1: faster than the baseline; right: slower)",
      axis,
    ),
    yAxis: [
      rowAxis(rows, "left", (row) => rowLabel(view, row)),
      rowAxis(rows, "right", (row) => `${ratioText(row)} ${row.verdict}`),
    ],
    series: [
      bandSeries(1 / margin, margin, rows.length),
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

/** A row's words at either side: what it compares, and what came of it. */
function rowAxis(
  rows: readonly Row[],
  position: "left" | "right",
  textOf: (row: Comparison) => string,
) {
  return {
    type: "category",
    position,
    inverse: true,
    data: rows.map((_, index) => index),
    axisLabel: {
      interval: 0,
      color: colours.ink,
      fontSize: textSize,
      formatter: (_: string, index: number) => {
        const row = rows[index];
        return row === undefined ? "" : textOf(row);
      },
    },
    axisTick: { show: false },
    axisLine: { show: false },
    splitLine: { show: false },
  };
}

function rowLabel(view: ReportView, { operation, cell }: Comparison): string {
  return labelText(`${operation}, ${sizeLabel(view, cell)}`);
}
