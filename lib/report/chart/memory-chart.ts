import type { Cell } from "../../contract/types/contract.ts";
import type { Chart, Panel } from "../document/document.ts";
import type { Measure } from "../view/measure.ts";
import { linesInWords, type MemoryLine, measureAxis, memoryLinesOption } from "./memory-lines.ts";
import { type VariantStyle, variantStyle } from "./palette.ts";
import { svgChart } from "./svg-chart.ts";
import { swatch } from "./swatch.ts";

/** Small enough that its words can still be read on a phone. */
const width = 480;
const height = 310;

/** What a chart by memory shows, and where its numbers stand. */
export interface MemoryChart extends Pick<Chart, "id" | "title" | "description" | "tableId"> {
  readonly lines: readonly MeasuredLine[];
}

/** A line's medians, of every size and architecture. */
export interface MeasuredLine {
  readonly label: string;
  readonly points: readonly { readonly cell: Cell; readonly measure: Measure | undefined }[];
}

/** One quantity by memory, in ms: a line each, a panel an architecture; none without a median. */
export function memoryChart({ lines, ...chart }: MemoryChart): readonly Chart[] {
  const points = lines.flatMap((line) => line.points);
  if (points.every(({ measure }) => measure?.median === undefined)) return [];
  const architectures = [...new Set(points.map(({ cell }) => cell.architecture))];
  const axis = measureAxis(points.map(({ measure }) => measure));
  const panels = architectures.map((architecture): Panel => {
    const drawn = lines.map((line, index) => lineOf(line, architecture, variantStyle(index)));
    const suffix = architectures.length > 1 ? ` (${architecture})` : "";
    const svg = svgChart({
      id: `${chart.id}-${architecture}`,
      title: `${chart.title}${suffix}`,
      description: `${chart.description} ${linesInWords(drawn)}`,
      width,
      height,
      option: memoryLinesOption(drawn, axis),
    });
    return architectures.length > 1 ? { label: architecture, svg } : { svg };
  });
  const legend = lines.map(({ label }, index) => ({ label, swatch: swatch(variantStyle(index)) }));
  return [{ kind: "chart", ...chart, legend, panels }];
}

function lineOf(
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
