import { type ColdQuantity, coldQuantity } from "../../analysis/collected-series.ts";
import { variantLabel } from "../../analysis/report-subject.ts";
import type { ReportView } from "../../analysis/report-view.ts";
import { seriesIn, variantsRun } from "../../analysis/select.ts";
import type { SeriesView } from "../../analysis/series-view.ts";
import { sizeLabel } from "../document/cell-labels.ts";
import type { Bar, Chart, Panel } from "../document/document.ts";
import { measureText, number } from "../document/format.ts";
import {
  drawnRows,
  intervalSeries,
  plottable,
  rowsWidth,
  type Slot,
  slotsHeight,
  withWords,
  wordAxes,
} from "./axes.ts";
import { boxSwatch, chartPanel, colours, variantStyle } from "./svg-chart.ts";

const faint = 0.45;

/**
 * Cold start stacked by Init and first Duration, or the first Duration alone where that is what is compared: a panel
 * a size, a bar a variant, all on one scale.
 */
export function coldChart(view: ReportView, title: string): readonly Chart[] {
  const measured = seriesIn(view, "cold").filter((series) => series.n > 0);
  if (measured.length === 0) return [];
  const sizes = [...new Set(measured.map(({ cell }) => sizeLabel(view, cell)))];
  const quantity = coldQuantity(view.plan);
  const mostMs = measured
    .flatMap((series) => rowEnds(series, quantity))
    .reduce((a, b) => Math.max(a, b), 0);
  return [
    {
      kind: "chart",
      id: "chart-cold",
      title,
      description:
        quantity === "durationMs"
          ? "First call of a new environment, ms: median Duration with its 95 % CI, all sizes on one scale. Init is not included: here it is the start of a process; on Lambda it is more."
          : "Cold start, ms: median Init (faint) and median Duration of the first call (solid), all sizes on one scale. The line and the figures show the median of their sum with its 95 % CI.",
      tableId: "cold-start",
      panelSize: "small",
      isPickable: true,
      legend: [
        ...(quantity === "durationMs" ? [] : [{ label: "Init", swatch: boxSwatch(faint) }]),
        { label: "First Duration", swatch: boxSwatch(1) },
      ],
      panels: sizes.map((size, index) => {
        const of = measured.filter(({ cell }) => sizeLabel(view, cell) === size);
        return coldPanel(view, of, { size, index, mostMs });
      }),
      bars: measured.flatMap((series) => coldBar(view, series)),
    },
  ];
}

function coldBar(view: ReportView, series: SeriesView): readonly Bar[] {
  const value = totalMs(view, series);
  if (value === undefined) return [];
  const label = variantLabel(view.subject, series.cell.variant);
  const text = `${number(value)} ms${initBeside(view, series)}`;
  return [{ group: sizeLabel(view, series.cell), label, value, text }];
}

/** What Init took, where it is in no bar: a variant may have moved its work there. */
function initBeside({ plan }: ReportView, { initDurationMs }: SeriesView): string {
  const median = initDurationMs?.median;
  return coldQuantity(plan) !== "durationMs" || median === undefined
    ? ""
    : `, Init ${number(median)}`;
}

interface ColdPanel {
  readonly size: string;
  readonly index: number;
  readonly mostMs: number;
}

function coldPanel(
  view: ReportView,
  measured: readonly SeriesView[],
  { size, index, mostMs }: ColdPanel,
): Panel {
  const isSum = coldQuantity(view.plan) === "initAndDurationMs";
  const slots = withWords(measured, (series) => [
    variantLabel(view.subject, series.cell.variant),
    measureText(series[coldQuantity(view.plan)]),
  ]);
  return chartPanel(
    {
      id: `chart-cold-${index}`,
      title: `${isSum ? "Cold start" : "First call"} at ${size}`,
      description: inWords(view, measured),
      width: rowsWidth,
      height: slotsHeight(slots, 0),
      option: coldOption(view, slots, mostMs),
    },
    size,
  );
}

/** The variant that is there first, and the one that is there last. */
function inWords(view: ReportView, measured: readonly SeriesView[]): string {
  const quantity = coldQuantity(view.plan);
  const what =
    quantity === "durationMs" ? "Duration of the first call" : "Init and first Duration together";
  const ranked = measured.toSorted(
    (a, b) => (totalMs(view, a) ?? Infinity) - (totalMs(view, b) ?? Infinity),
  );
  const place = (series: SeriesView) =>
    `${variantLabel(view.subject, series.cell.variant)} ${measureText(series[quantity])} ms`;
  const [first] = ranked as [SeriesView];
  const last = ranked.at(-1) as SeriesView;
  const said = first === last ? place(first) : `${place(first)} to ${place(last)}`;
  return `${what} at ${sizeLabel(view, first.cell)}, shortest to longest: ${said}.`;
}

function totalMs({ plan }: ReportView, series: SeriesView): number | undefined {
  return series[coldQuantity(plan)]?.median;
}

function coldOption(view: ReportView, slots: readonly Slot<SeriesView>[], mostMs: number) {
  const quantity = coldQuantity(view.plan);
  return {
    grid: { left: 1, right: 1, top: 2, bottom: 2 },
    xAxis: { type: "value", min: 0, max: plottable(mostMs) ? mostMs * 1.01 : 1, show: false },
    yAxis: wordAxes(slots),
    series: [
      ...(quantity === "durationMs" ? [] : [barSeries(view, slots, "init")]),
      barSeries(view, slots, "first"),
      totalIntervals(slots, quantity),
    ],
  };
}

/** How far a bar and its interval reach. */
function rowEnds(series: SeriesView, quantity: ColdQuantity): readonly number[] {
  const { initDurationMs, durationMs } = series;
  const init = quantity === "durationMs" ? 0 : (initDurationMs?.median ?? 0);
  return [init + (durationMs.median ?? 0), series[quantity]?.high ?? 0];
}

/** Init and first Duration together, which a bar's two medians only approximate. */
function totalIntervals(slots: readonly Slot<SeriesView>[], quantity: ColdQuantity) {
  const bars = drawnRows(slots).flatMap(({ row, at }) => {
    const { low, high } = row[quantity] ?? {};
    return low === undefined || high === undefined ? [] : [{ at, low, high }];
  });
  return intervalSeries(bars, "x", colours.ink, { lineWidth: 1.4 });
}

function barSeries(view: ReportView, slots: readonly Slot<SeriesView>[], part: "init" | "first") {
  const variants = variantsRun(view);
  const isInit = part === "init";
  return {
    type: "bar",
    stack: "cold",
    barWidth: 11,
    data: slots.map((slot) => {
      if (!("row" in slot)) return { value: "-" };
      const { initDurationMs, durationMs, cell } = slot.row;
      const median = isInit ? initDurationMs?.median : durationMs.median;
      if (median === undefined) return { value: "-" };
      const { colour } = variantStyle(variants.indexOf(cell.variant));
      return { value: median, itemStyle: { color: colour, opacity: isInit ? faint : 1 } };
    }),
  };
}
