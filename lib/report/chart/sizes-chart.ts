import type { Best, SizeCost, VariantChoice } from "../../analysis/recommendation.ts";
import { variantLabel } from "../../analysis/report-subject.ts";
import type { ReportView } from "../../analysis/report-view.ts";
import type { Measure } from "../../analysis/series-view.ts";
import { sizeLabel } from "../document/cell-labels.ts";
import type { Chart, Curve, Panel } from "../document/document.ts";
import { dollarsText, groupedNumber, measureText, usdText } from "../document/format.ts";
import { sizeCostsId } from "../section/recommendation.ts";
import { type LogAxis, logAxisOption, meansSeries, memoryAxisOption } from "./axes.ts";
import { measureAxis } from "./memory-chart.ts";
import { chartPanel, swatch, type VariantStyle, variantStyle } from "./svg-chart.ts";

const width = 460;
const height = 290;

/** A size with both figures, cost and time. */
interface SizePoint {
  readonly size: SizeCost & { readonly usdPerMillion: number };
  readonly time: Measure & { readonly mean: number };
}

/**
 * Plots time and cost by memory as two lines, as AWS Lambda Power Tuning does, one panel per function. Returns no
 * chart if the run compares variants, or if fewer than two sizes have both.
 */
export function sizesChart(view: ReportView): readonly Chart[] {
  const isOnSizes = view.sizeChoices !== undefined || view.variants.length === 1;
  const choices = isOnSizes ? (view.recommendation?.variants ?? []) : [];
  const drawn = choices
    .flatMap((choice) => pointsByArchitecture(view, choice).map((points) => ({ choice, points })))
    .filter(({ points }) => points.length > 1);
  const [first] = drawn;
  if (first === undefined) return [];
  const isOnly = drawn.length === 1;
  const all = drawn.flatMap(({ points }) => points);
  const axes = { ms: measureAxis(all.map(({ time }) => time)), usd: measureAxis(all.map(costOf)) };
  return [
    {
      kind: "chart",
      id: "chart-sizes",
      title: titleOf(view, choices),
      description:
        "Mean Duration of a warm call (left) and mean cost per million calls (right) by memory, each with its 95% CI; all axes are logarithmic.",
      tableId: sizeCostsId,
      legend: [
        { label: "time", swatch: swatch(styles.time) },
        { label: "cost", swatch: swatch(styles.cost) },
      ],
      panels: drawn.map((each) => sizesPanel(view, { ...each, isOnly }, axes)),
      ...(isOnly && { curves: curvesOf(view, first.points) }),
    },
  ];
}

/** Returns the two lines in characters, with the figures of the first screen's table at both ends. */
function curvesOf(view: ReportView, points: readonly SizePoint[]): readonly Curve[] {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) return [];
  const at = ({ size }: SizePoint) => ` at ${sizeLabel(view, size.cell)}`;
  const msAt = (point: SizePoint) => `${groupedNumber(point.time.mean)} ms${at(point)}`;
  const usdOf = ({ size }: SizePoint) => usdText(size.usdPerMillion);
  return [
    {
      label: "time",
      values: points.map(({ time }) => time.mean),
      text: `${msAt(first)} to ${msAt(last)}`,
    },
    {
      label: "cost",
      values: points.map(({ size }) => size.usdPerMillion),
      text: `${usdOf(first)} per million${at(first)} to ${usdOf(last)}${at(last)}`,
    },
  ];
}

interface Axes {
  readonly ms: LogAxis;
  readonly usd: LogAxis;
}

const styles: Readonly<Record<"time" | "cost", VariantStyle>> = {
  time: { ...variantStyle(2), dash: "solid" },
  cost: { ...variantStyle(0), dash: "dashed" },
};

/** Returns a variant's points with time and cost, smallest size first, one list per architecture. */
function pointsByArchitecture(
  view: ReportView,
  { sizes, operation }: VariantChoice,
): readonly (readonly SizePoint[])[] {
  const warm = view.rows.warm.filter((row) => row.operation === operation);
  const points = sizes.flatMap((size): readonly SizePoint[] => {
    const time = warm.find(({ cell }) => cell.id === size.cell.id)?.durationMs;
    const { usdPerMillion } = size;
    if (time?.mean === undefined || usdPerMillion === undefined) return [];
    return [{ size: { ...size, usdPerMillion }, time: { ...time, mean: time.mean } }];
  });
  const architectures = [...new Set(points.map(({ size }) => size.cell.architecture))];
  return architectures.map((architecture) =>
    points
      .filter(({ size }) => size.cell.architecture === architecture)
      .toSorted((a, b) => a.size.cell.memoryMb - b.size.cell.memoryMb),
  );
}

/** Returns `Time and cost by memory: cheapest at 128 MB, fastest at 512 MB`, without sizes that are undecided. */
function titleOf(view: ReportView, choices: readonly VariantChoice[]): string {
  const [only, ...others] = choices;
  if (only === undefined || others.length > 0) return "Time and cost by memory";
  const named = (name: string, best: Best) =>
    best.kind === "decided" ? [`${name} at ${sizeLabel(view, best.cell)}`] : [];
  const found = [...named("cheapest", only.cheapest), ...named("fastest", only.fastest)];
  return ["Time and cost by memory", ...(found.length === 0 ? [] : [found.join(", ")])].join(": ");
}

interface SizesPanel {
  readonly choice: VariantChoice;
  readonly points: readonly SizePoint[];
  readonly isOnly: boolean;
}

function sizesPanel(view: ReportView, { choice, points, isOnly }: SizesPanel, axes: Axes): Panel {
  const label = variantLabel(view.subject, choice.variant);
  const sizes = points.map(
    ({ size, time }) =>
      `${sizeLabel(view, size.cell)}: ${measureText(time)} ms, $${dollarsText(size.usdPerMillion, size.usdInterval)}`,
  );
  return chartPanel(
    {
      title: `${label}: time and cost by memory`,
      description: `${sizes.join("; ")}.`,
      width,
      height,
      option: sizesOption(points, axes),
    },
    isOnly ? undefined : label,
  );
}

function sizesOption(points: readonly SizePoint[], { ms, usd }: Axes) {
  const at = ({ size }: SizePoint) => size.cell.memoryMb;
  const times = points.map((point) => ({ at: at(point), ...point.time }));
  const costs = points.map((point) => ({ at: at(point), ...costOf(point) }));
  const right = logAxisOption("$ per million (log scale)", usd, "y");
  return {
    grid: { left: 62, right: 66, top: 12, bottom: 50 },
    xAxis: memoryAxisOption(points.map(at)),
    yAxis: [logAxisOption("ms (log scale)", ms, "y"), { ...right, splitLine: { show: false } }],
    series: [...meansSeries(styles.time, times, 0), ...meansSeries(styles.cost, costs, 1)],
  };
}

function costOf({ size: { usdPerMillion, usdInterval } }: SizePoint) {
  return { mean: usdPerMillion, ...usdInterval };
}
