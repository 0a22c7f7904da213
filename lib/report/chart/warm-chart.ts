import { code } from "../document/blocks.ts";
import type { Chart, Panel } from "../document/document.ts";
import { labelOf } from "../report-subject.ts";
import type { ReportView } from "../view/report-view.ts";
import { seriesIn, variantsRun } from "../view/select.ts";
import type { SeriesView } from "../view/series-view.ts";
import type { LogAxis } from "./log-axis.ts";
import { linesInWords, type MemoryLine, measureAxis, memoryLinesOption } from "./memory-lines.ts";
import { variantStyle } from "./palette.ts";
import { svgChart } from "./svg-chart.ts";
import { swatch } from "./swatch.ts";

const width = 460;
const height = 300;

/** Warm Duration by memory, a line a variant with its intervals, a panel an operation. */
export function warmChart(view: ReportView): readonly Chart[] {
  const measured = seriesIn(view, "warm").filter(
    (series) => series.durationMs.median !== undefined,
  );
  if (measured.length === 0) return [];
  return [
    {
      kind: "chart",
      id: "chart-warm",
      title: "Warm Duration by memory",
      description:
        "Median over environments with its 95 % interval, in ms; both axes are logarithmic, and all panels have the same scale.",
      tableId: "warm-duration",
      panelSize: "small",
      legend: variantsRun(view).map((variant, index) => ({
        label: labelOf(view.subject, variant),
        swatch: swatch(variantStyle(index)),
      })),
      panels: panelsOf(view, measured),
    },
  ];
}

function panelsOf(view: ReportView, measured: readonly SeriesView[]): readonly Panel[] {
  // One scale for all panels: the eye compares operations as well.
  const durations = measureAxis(measured.map(({ durationMs }) => durationMs));
  const architectures = [...new Set(measured.map((series) => series.cell.architecture))];
  return view.plan.warmOperations.flatMap((operation) =>
    architectures.flatMap((architecture) => {
      const of = measured.filter(
        (series) => series.operation === operation && series.cell.architecture === architecture,
      );
      const suffix = architectures.length > 1 ? architecture : undefined;
      return of.length === 0 ? [] : [panelOf(view, operation, suffix, of, durations)];
    }),
  );
}

function panelOf(
  view: ReportView,
  operation: string,
  architecture: string | undefined,
  measured: readonly SeriesView[],
  durations: LogAxis,
): Panel {
  const suffix = architecture === undefined ? "" : ` (${architecture})`;
  const lines = linesOf(view, measured);
  const svg = svgChart({
    id: `chart-warm-${view.plan.warmOperations.indexOf(operation)}-${architecture ?? "all"}`,
    title: `Warm Duration of ${operation} by memory${suffix}`,
    description: `Median [95 % interval], a line a variant. ${linesInWords(lines)}`,
    width,
    height,
    option: memoryLinesOption(lines, durations),
  });
  return { label: ["Warm ", code(operation), suffix], svg };
}

function linesOf(view: ReportView, measured: readonly SeriesView[]): readonly MemoryLine[] {
  return variantsRun(view).map((variant, index) => ({
    label: labelOf(view.subject, variant),
    style: variantStyle(index),
    points: measured
      .filter(({ cell }) => cell.variant === variant)
      .map(({ cell, durationMs }) => ({ memoryMb: cell.memoryMb, measure: durationMs })),
  }));
}
