import {
  type CostMeasure,
  findBills,
  measureCost,
  pricedSamples,
} from "../../analysis/billed-cost.ts";
import {
  isMeasured,
  type Measured,
  type MetricName,
  measured,
  type OwnMetric,
  readField,
} from "../../analysis/collected-series.ts";
import type { ReportView } from "../../analysis/report-view.ts";
import { type Compared, ratioOfSeries, withVerdict } from "../../analysis/series-ratio.ts";
import {
  comparedCells,
  type Measure,
  measureOfSeries,
  type SeriesView,
} from "../../analysis/series-view.ts";
import type { SummaryInputs } from "../../analysis/summary.ts";
import { cpuCredit } from "../../contract/cpu-credit.ts";
import published from "../../contract/published.json" with { type: "json" };
import type { Cell, Sample } from "../../contract/types/contract.ts";
import { studyCostPerMillionUsd } from "../../cost/invocation-cost.ts";
import { publishedConditions } from "../../report/section/columns.ts";
import type { Series } from "../../statistics/series.ts";

/** Figures that only this experiment's report has: `own` in summary.json. */
export interface MulticoreFigures {
  readonly sizes: readonly SizeFigures[];
  readonly inits: readonly InitFigures[];
}

/** Figures of the warm workload at one size. */
interface SizeFigures {
  readonly cell: Cell;
  /** Number of vCPUs that the memory size pays for. */
  readonly cpuCredit: number;
  /** Ratio of the smallest size's Duration to this one's. */
  readonly speedUp: Compared;
  /** Speed-up divided by the growth of the CPU credit; 1 if every vCPU bought is used. */
  readonly efficiency: Scaled;
  /** Cost by AWS's arithmetic: 1,024 MB per GB, mean Billed Duration, request fee. Absent without a price. */
  readonly usdPerMillion?: CostMeasure;
  /** Cost by the source's arithmetic: 1,000 MB per GB, mean Duration, no request fee. */
  readonly studyUsdPerMillion?: number;
  readonly hashesPerCpuSecond: Measure;
  /** Ratio to the baseline variant with one worker: a plain loop over the crate. */
  readonly toPlainLoop?: Compared;
}

export interface Scaled {
  readonly value?: number;
  readonly low?: number;
  readonly high?: number;
}

/** Init of one variant over environments of all sizes: it runs at burst CPU at any memory size. */
export interface InitFigures {
  readonly architecture: Cell["architecture"];
  readonly variant: string;
  readonly initDurationMs: Measure;
}

export function multicoreFigures(inputs: SummaryInputs): MulticoreFigures {
  const cells = comparedCells(inputs.plan);
  const variants = [...new Set(cells.map(({ variant }) => variant))];
  const architectures = [...new Set(cells.map(({ architecture }) => architecture))];
  return {
    sizes: cells.map((cell) => sizeFigures(inputs, cells, cell)),
    inits: architectures.flatMap((architecture) =>
      variants.map((variant) => initFigures(inputs, cells, { architecture, variant })),
    ),
  };
}

function warm({ samples }: SummaryInputs, cell: Cell, quantity: MetricName): Series {
  return samples.series(cell.id, work, "warm").series(quantity);
}

function sizeFigures(inputs: SummaryInputs, cells: readonly Cell[], cell: Cell): SizeFigures {
  const { plan, subject } = inputs;
  const isComparable = (other: Cell) => other.architecture === cell.architecture;
  const smallest = cells.find((other) => isComparable(other) && other.variant === cell.variant);
  const plainLoop = cells.find(
    (other) =>
      isComparable(other) && other.variant === subject.baselineVariant && other.workers === 1,
  );
  const ratio = (above: Cell, below: Cell, quantity: MetricName) =>
    withVerdict(ratioOfSeries(warm(inputs, above, quantity), warm(inputs, below, quantity), plan));
  const speedUp = ratio(smallest ?? cell, cell, "durationMs");
  const { mean: durationMs } = measureOfSeries(warm(inputs, cell, "durationMs"));
  const bills = findBills(pricedSamples(inputs), cell, work);
  const rate = measureOfSeries(warm(inputs, cell, hashesPerCpuSecond));
  const isLoop = plainLoop === undefined || plainLoop.id === cell.id || rate.n === 0;
  return {
    cell,
    cpuCredit: cpuCredit(cell.memoryMb),
    speedUp,
    efficiency: scaled(speedUp, (smallest ?? cell).memoryMb / cell.memoryMb),
    ...(bills !== undefined && {
      usdPerMillion: measureCost(bills, 0, plan.seed),
      ...(durationMs !== undefined && {
        studyUsdPerMillion: studyCostPerMillionUsd(
          { durationMs, memoryMb: cell.memoryMb },
          bills.price,
        ),
      }),
    }),
    hashesPerCpuSecond: rate,
    ...(!isLoop && { toPlainLoop: ratio(cell, plainLoop, hashesPerCpuSecond) }),
  };
}

function initFigures(
  { plan, samples }: SummaryInputs,
  cells: readonly Cell[],
  { architecture, variant }: Pick<InitFigures, "architecture" | "variant">,
): InitFigures {
  const units = cells
    .filter((cell) => cell.architecture === architecture && cell.variant === variant)
    .flatMap((cell) => samples.series(cell.id, plan.coldOperation, "cold"))
    .flatMap((collected) => collected.series("initDurationMs").units);
  return { architecture, variant, initDurationMs: measureOfSeries({ units }) };
}

function scaled({ ratio, low, high }: Compared, by: number): Scaled {
  if (ratio === undefined || low === undefined || high === undefined) return {};
  return { value: ratio * by, low: low * by, high: high * by };
}

/** The operation that the experiment measures. */
export const work = "hash";

const threadsUsed: OwnMetric = "own.threadsUsed";
/** Hashes per CPU time of all threads: the rate of one core, whatever their number. */
const hashesPerCpuSecond: OwnMetric = "own.hashesPerCpuSecond";
const memoryUsedKb: OwnMetric = "own.memoryUsedKb";

export const multicoreMetrics: readonly OwnMetric[] = [
  threadsUsed,
  hashesPerCpuSecond,
  memoryUsedKb,
];

export function readMulticoreMetrics({ result, cpu }: Sample): Measured {
  const processed = readField(result, "processed");
  const cpuMs = cpu?.invocationCpuMs ?? 0;
  const perCpuSecond = isMeasured(processed) && cpuMs > 0 ? processed / (cpuMs / 1000) : undefined;
  return measured({
    [threadsUsed]: readField(result, "threadsUsed"),
    [hashesPerCpuSecond]: perCpuSecond,
    [memoryUsedKb]: readField(result, "memoryUsedKb"),
  });
}

/** A size's figures, and the common figures of its warm series. */
export interface SizeRow extends SizeFigures {
  readonly series: SeriesView;
}

/** Returns the sizes with measurements. */
export function sizeRows(view: ReportView, sizes: readonly SizeFigures[]): readonly SizeRow[] {
  const warm = view.rows.warm.filter(({ operation }) => operation === work);
  return sizes.flatMap((size) => {
    const series = warm.find(({ cell }) => cell.id === size.cell.id);
    return series === undefined ? [] : [{ ...size, series }];
  });
}

export function isPublished(rows: readonly SizeRow[]): boolean {
  return rows.some(({ cell }) => findPublishedRow(cell) !== undefined);
}

/** Describes the published column for a caption; empty without one. */
export function publishedText(view: ReportView, rows: readonly SizeRow[]): string {
  return isPublished(rows) ? publishedConditions(view, "figures", publishedPlace) : "";
}

const { multicore } = published;

/** Published row of one size. */
type PublishedRow = (typeof multicore.arm64)[number];

/** Describes where the source measured, for a caption. */
export const publishedPlace = `AWS Lambda, ${multicore.conditions.region}, ${multicore.conditions.workload}, mean of ${multicore.conditions.warmSamples}`;

/** Published minimum and maximum of Init, ms. */
export const publishedInitMs: Readonly<Record<Cell["architecture"], readonly number[]>> =
  multicore.initDurationMs;

/** Returns the published figures of a size; the source measured only the crate's hashes. */
export function findPublishedRow(cell: Cell): PublishedRow | undefined {
  if (cell.variant !== "rust") return undefined;
  return multicore[cell.architecture].find(
    ({ memoryMb, workers }) => memoryMb === cell.memoryMb && workers === cell.workers,
  );
}
