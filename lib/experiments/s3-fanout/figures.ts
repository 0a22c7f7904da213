import {
  type CollectedSeries,
  isMeasured,
  type Measured,
  type MetricName,
  measured,
  type OwnMetric,
  readField,
} from "../../analysis/collected-series.ts";
import { noiseFloors } from "../../analysis/comparisons.ts";
import type { ReportView } from "../../analysis/report-view.ts";
import { type Compared, ratioOfSeries, withVerdict } from "../../analysis/series-ratio.ts";
import {
  comparedCells,
  listCells,
  measureOfSeries,
  type SeriesView,
} from "../../analysis/series-view.ts";
import type { SummaryInputs } from "../../analysis/summary.ts";
import { cpuCredit } from "../../contract/cpu-credit.ts";
import type { Cell, Plan, Sample } from "../../contract/types/contract.ts";
import { isSameSize } from "../../plan/matrix.ts";
import type { Series } from "../../statistics/series.ts";

/** The operation with the libraries' defaults. */
export const asItComes = "fanout";
/** The operation with 50 concurrent calls, each with a connection. */
export const wide = "fanout-50";
/** The operation with 50 concurrent calls over boto3's default 10 connections. */
export const wideWithSmallPool = "fanout-50-pool-10";

const concurrency: OwnMetric = "own.concurrency";
const poolSize: OwnMetric = "own.poolSize";
/** Average number of concurrent calls: the sum of their times divided by the whole time. */
const callsUnderWay: OwnMetric = "own.callsUnderWay";

export const s3FanoutQuantities: readonly OwnMetric[] = [concurrency, poolSize, callsUnderWay];

export function s3FanoutQuantitiesOf({ result }: Sample): Measured {
  const summedMs = readField(result, "sdkCallMs");
  const wholeMs = readField(result, "durationMs");
  const isKnown = isMeasured(summedMs) && isMeasured(wholeMs) && wholeMs > 0;
  return measured({
    [concurrency]: readField(result, "concurrency"),
    [poolSize]: readField(result, "poolSize"),
    [callsUnderWay]: isKnown ? summedMs / wholeMs : undefined,
  });
}

/** A setting's figures, and the common figures of its warm series. */
export interface SettingRow extends SettingFigures {
  readonly series: SeriesView;
}

/** Returns the settings with measurements. */
export function settingRows(
  view: ReportView,
  settings: readonly SettingFigures[],
): readonly SettingRow[] {
  const warm = view.rows.warm;
  return settings.flatMap((setting) => {
    const series = warm.find(
      ({ cell, operation, n }) =>
        cell.id === setting.cell.id && operation === setting.operation && n > 0,
    );
    return series === undefined ? [] : [{ ...setting, series }];
  });
}

/** Figures that only this experiment's report has: `own` in summary.json. */
export interface S3FanoutFigures {
  readonly settings: readonly SettingFigures[];
  readonly gains: readonly GainFigures[];
  readonly factors: readonly FactorFigures[];
}

/** Figures of one cell under one setting, warm. */
interface SettingFigures {
  readonly cell: Cell;
  readonly operation: string;
  readonly bounds: Bounds;
}

/** Gain from concurrent calls, with the libraries' defaults. */
export interface GainFigures {
  readonly cell: Cell;
  /** Ratio to the same language's serial variant at the same size. */
  readonly toSerial: Compared;
  /** Ratio to the next smaller size; absent for the smallest. */
  readonly toSmaller?: Compared & { readonly memoryMb: number };
}

/** Ratio of times after only one factor was changed. */
export interface FactorFigures {
  readonly cell: Cell;
  readonly change: "concurrency-and-pool" | "pool-alone";
  readonly compared: Compared;
}

export function s3FanoutFigures(inputs: SummaryInputs): S3FanoutFigures {
  const cells = comparedCells(inputs.plan);
  const concurrent = cells.filter(({ variant }) => !variant.endsWith("-serial"));
  const compare = comparing(inputs);
  return {
    settings: inputs.plan.warmOperations.flatMap((operation) =>
      listCells(inputs.plan, "warm", operation)
        .filter((cell) => cell.replicaOf === undefined)
        .map((cell) => settingFigures(inputs, cell, operation)),
    ),
    gains: concurrent.flatMap((cell) => gainFigures(compare, cells, cell)),
    factors: concurrent.flatMap((cell) => factorFigures(inputs.plan, compare, cell)),
  };
}

function durations({ samples }: SummaryInputs, cell: Cell, operation: string): Series {
  return samples.series(cell.id, operation, "warm").series("durationMs");
}

function settingFigures(inputs: SummaryInputs, cell: Cell, operation: string): SettingFigures {
  const collected = inputs.samples.series(cell.id, operation, "warm");
  return { cell, operation, bounds: findBounds(inputs.plan, cell, collected) };
}

function gainFigures(
  compare: Comparing,
  cells: readonly Cell[],
  cell: Cell,
): readonly GainFigures[] {
  const language = cell.runtime.startsWith("python") ? "python" : "rust";
  const serial = cells.find(
    (other) => other.variant === `${language}-serial` && isSameSize(other, cell),
  );
  if (serial === undefined) return [];
  const smaller = cells.findLast(
    (other) =>
      other.variant === cell.variant &&
      other.architecture === cell.architecture &&
      other.memoryMb < cell.memoryMb,
  );
  const over = (below: Cell) => compare([cell, asItComes], [below, asItComes]);
  return [
    {
      cell,
      toSerial: over(serial),
      ...(smaller !== undefined && { toSmaller: { ...over(smaller), memoryMb: smaller.memoryMb } }),
    },
  ];
}

const changes = [
  { change: "concurrency-and-pool", to: wide, from: asItComes },
  { change: "pool-alone", to: wideWithSmallPool, from: wide },
] as const;

function factorFigures(
  plan: SummaryInputs["plan"],
  compare: Comparing,
  cell: Cell,
): readonly FactorFigures[] {
  const makes = (operation: string) =>
    listCells(plan, "warm", operation).some(({ id }) => id === cell.id);
  return changes
    .filter(({ to, from }) => makes(to) && makes(from))
    .map(({ change, to, from }) => ({ cell, change, compared: compare([cell, to], [cell, from]) }));
}

/** Compares one setting with another, each a cell and its operation. */
type Comparing = (above: readonly [Cell, string], below: readonly [Cell, string]) => Compared;

/** Makes a comparison against the noise floor: the difference of the A/A pair at the size of one of the cells. */
function comparing(inputs: SummaryInputs): Comparing {
  const { plan } = inputs;
  const floorAt = noiseFloors(plan, ({ cell, baselineCell }) => {
    const series = (of: Cell) => durations(inputs, of, asItComes);
    return ratioOfSeries(series(cell), series(baselineCell), plan).ratio;
  });
  return (above, below) => {
    const pair = ratioOfSeries(durations(inputs, ...above), durations(inputs, ...below), plan);
    return withVerdict(pair, floorAt([above[0], below[0]]));
  };
}

/** Number of objects, with one call each. */
const objects = 100;

/** Lower bounds of a fan-out's time, ms. Absent if not known. */
interface Bounds {
  /** Number of calls that the variant allows at the same time. */
  readonly atOnce?: number;
  /** Network delay of the rounds of calls, without the listing. */
  readonly waitingMs?: number;
  /** CPU time of an invocation. */
  readonly cpuMs?: number;
  /** CPU time divided by the size's share of a CPU. */
  readonly processorMs?: number;
}

function findBounds(plan: Plan | Omit<Plan, "blocks">, cell: Cell, of: CollectedSeries): Bounds {
  const atOnce = callsAtOnce(cell, of);
  const cpuMs = meanMetric(of, "invocationCpuMs");
  const { network } = plan;
  return {
    ...(atOnce !== undefined && { atOnce }),
    ...(atOnce !== undefined &&
      network !== undefined && { waitingMs: Math.ceil(objects / atOnce) * network.delayMs }),
    ...(cpuMs !== undefined && { cpuMs, processorMs: cpuMs / usableCpus(cell) }),
  };
}

/**
 * Returns the number of concurrent calls. aiohttp's pool holds a call back until a connection is free; boto3 opens an
 * extra connection instead.
 */
function callsAtOnce({ variant }: Cell, of: CollectedSeries): number | undefined {
  const allowed = meanMetric(of, concurrency);
  const pool = variant === "python-aioboto3" ? meanMetric(of, poolSize) : undefined;
  if (allowed === undefined) return undefined;
  return Math.min(allowed, pool ?? allowed);
}

/** Returns the number of usable CPUs. Python runs on one at a time, whatever its threads. */
function usableCpus({ runtime, memoryMb }: Cell): number {
  const credit = cpuCredit(memoryMb);
  return runtime.startsWith("python") ? Math.min(1, credit) : credit;
}

function meanMetric(of: CollectedSeries, quantity: MetricName): number | undefined {
  return measureOfSeries(of.series(quantity)).mean;
}
