import { variantLabel } from "../../analysis/report-subject.ts";
import type { ReportView } from "../../analysis/report-view.ts";
import type { Measure, SeriesView } from "../../analysis/series-view.ts";
import type { Cell } from "../../contract/types/contract.ts";
import { type Chart, code, type Panel, type Text } from "../document/document.ts";
import { count, measureText } from "../document/format.ts";
import { type LogAxis, logAxis, logAxisOption, meansSeries, memoryAxisOption } from "./axes.ts";
import { chartPanel, styleLegend, type VariantStyle, variantStyle } from "./svg-chart.ts";

/** Size in px, small enough for the words to be legible on a phone. */
const width = 460;
const height = 300;

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
  const panels = memoryPanels([{ ...chart, lines }]);
  const legend = styleLegend(lines.map(({ label }) => label));
  return panels.length === 0 ? [] : [{ kind: "chart", ...chart, legend, panels }];
}

/** Plots warm Duration by memory: one line with intervals per variant, one panel per operation. */
export function warmChart(view: ReportView, title: string): readonly Chart[] {
  const panels = memoryPanels(
    view.plan.warmOperations.map((operation) => {
      const rows = view.rows.warm.filter((series) => series.operation === operation);
      return {
        title: `Warm Duration of ${operation} by memory`,
        description: "Mean [95% CI], a line a variant.",
        label: ["Warm ", code(operation)],
        lines: durationLines(
          view,
          rows.map((series) => ({ cell: series.cell, series })),
        ),
      };
    }),
  );
  if (panels.length === 0) return [];
  return [
    {
      kind: "chart",
      id: "chart-warm",
      title,
      description:
        "Warm Duration by memory, ms: mean over environments with its 95% CI; both axes are logarithmic, and all panels have the same scale.",
      tableId: "warm-duration",
      panelSize: "small",
      legend: styleLegend(view.variants.map((variant) => variantLabel(view.subject, variant))),
      panels,
    },
  ];
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

/** Lines to draw in a panel per architecture. */
interface PanelLines extends Pick<MemoryChart, "title" | "description" | "lines"> {
  readonly label?: readonly Exclude<Text, string>[number][];
}

/** Draws panels with one scale, so that all of them can be compared; none if there is no mean. */
function memoryPanels(groups: readonly PanelLines[]): readonly Panel[] {
  const points = groups
    .flatMap(({ lines }) => lines.flatMap((line) => line.points))
    .filter(({ measure }) => measure?.mean !== undefined);
  const architectures = [...new Set(points.map(({ cell }) => cell.architecture))];
  const axis = measureAxis(points.map(({ measure }) => measure));
  return groups.flatMap(({ title, description, label, lines }) =>
    architectures.flatMap((architecture): readonly Panel[] => {
      const drawn = lines.map((line, index) => makeLine(line, architecture, variantStyle(index)));
      if (drawn.every((line) => line.points.length === 0)) return [];
      const own = architectures.length > 1 ? architecture : undefined;
      const suffix = own === undefined ? "" : ` (${own})`;
      const picture = {
        title: `${title}${suffix}`,
        description: `${description} ${describeLines(drawn)}`,
        ...{ width, height, option: memoryLinesOption(drawn, axis) },
      };
      return [chartPanel(picture, label === undefined ? own : [...label, suffix])];
    }),
  );
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
  return {
    grid: { left: 62, right: 18, top: 12, bottom: 50 },
    xAxis: memoryAxisOption(points.map(({ memoryMb }) => memoryMb)),
    yAxis: logAxisOption("ms (log scale)", axis, "y"),
    series: lines.flatMap((line) =>
      meansSeries(
        line.style,
        line.points.map(({ memoryMb, measure }) => ({ at: memoryMb, ...measure })),
      ),
    ),
  };
}
