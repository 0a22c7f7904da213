import { readFileSync } from "node:fs";
import { join } from "node:path";
import { collectSamples } from "../../lib/analysis/collect-samples.ts";
import type { Interval, PredictionKind } from "../../lib/analysis/prediction.ts";
import { listOperations, phases } from "../../lib/analysis/series-view.ts";
import { currentPlan } from "../../lib/contract/earlier-schemas.ts";
import type { Plan, Sample } from "../../lib/contract/types/contract.ts";
import { DiskResultStore } from "../../lib/local/disk-result-store.ts";
import { storedSamples } from "../../lib/sampler/result-store.ts";
import {
  type FigureOfMeans,
  figureAtMeans,
  intervalOfMeans,
} from "../../lib/statistics/mean-interval.ts";
import type { Series } from "../../lib/statistics/series.ts";

/** A figure published from Lambda, and its counterpart in a local run. */
export interface PublishedFigure {
  readonly kind: PredictionKind;
  readonly what: string;
  readonly observed: number;
  /** Returns the local run's counterpart; undefined if it has none. */
  readonly predict: (runs: LocalRuns) => number | undefined;
  /** The prediction's 95% confidence interval, if it is a mean of the run. */
  readonly interval?: (runs: LocalRuns) => Interval | undefined;
}

/** Series of the runs, by experiment. */
export type LocalRuns = ReadonlyMap<string, readonly LocalSeries[]>;

export type MeasureName = "durationMs" | "initDurationMs" | "billedDurationMs" | "warmupMs";

/** One cell, operation and phase. The published figures are means, so means are used here too. */
export interface LocalSeries extends Omit<Place, "experiment"> {
  /** Means over environments; absent if there is no sample. */
  readonly means: Readonly<Partial<Record<MeasureName, Mean>>>;
}

/** The interval is absent if there are too few environments. */
interface Mean extends Partial<Interval> {
  readonly mean: number;
  /** Mean of each run, one per seed; absent if there is one run. */
  readonly ofRuns?: readonly number[];
}

/** The coordinates of a series. */
export interface Place {
  readonly experiment: string;
  readonly variant: string;
  readonly memoryMb: number;
  readonly phase: Sample["phase"];
  readonly operation: string;
}

/** Reads the kept samples in a run's folder, without the A/A replica. */
export async function readLocalRun(folder: string): Promise<readonly LocalSeries[]> {
  const plan = currentPlan(JSON.parse(readFileSync(join(folder, "plan.json"), "utf8"))) as Plan;
  const samples = await collectSamples(
    plan,
    storedSamples(new DiskResultStore(folder)),
    { add: () => {} },
    () => ({}),
  );
  const cells = plan.cells.filter(({ replicaOf }) => replicaOf === undefined);
  return phases.flatMap((phase) =>
    listOperations(plan, phase).flatMap((operation) =>
      cells.map(({ id, variant, memoryMb }): LocalSeries => {
        const collected = samples.series(id, operation, phase);
        const named = measures.map((name) => [name, meanOver(collected.series(name), plan.seed)]);
        const means = Object.fromEntries(named.filter(([, mean]) => mean !== undefined));
        return { variant, memoryMb, phase, operation, means };
      }),
    ),
  );
}

/** meanOfRuns returns the series of runs that differ only in their seed, with the mean of their means. */
export function meanOfRuns(runs: readonly (readonly LocalSeries[])[]): readonly LocalSeries[] {
  const [first = []] = runs;
  return first.map((series, index) => {
    const named = measures.map((name) => {
      const own = runs.map((each) => each[index]?.means[name]);
      return [
        name,
        own.every((mean) => mean !== undefined) ? meanOfMeans(own) : undefined,
      ] as const;
    });
    return { ...series, means: Object.fromEntries(named.filter(([, mean]) => mean !== undefined)) };
  });
}

/** Combines the intervals' half-widths in quadrature, since the runs are independent. */
function meanOfMeans(runs: readonly Mean[]): Mean {
  const ofRuns = runs.map((run) => run.mean);
  const mean = ofRuns.reduce((sum, each) => sum + each, 0) / runs.length;
  const half = (bound: "low" | "high") =>
    Math.hypot(...runs.map((run) => (run[bound] ?? Number.NaN) - run.mean)) / runs.length;
  const [below, above] = [half("low"), half("high")];
  const seeds = runs.length > 1 ? { ofRuns } : {};
  if (Number.isNaN(below) || Number.isNaN(above)) return { mean, ...seeds };
  return { mean, low: mean - below, high: mean + above, ...seeds };
}

const measures: readonly MeasureName[] = [
  "durationMs",
  "initDurationMs",
  "billedDurationMs",
  "warmupMs",
];

function meanOver(series: Series, seed: number): Mean | undefined {
  const figure: FigureOfMeans = { series: [series], compute: ([mean = Number.NaN]) => mean };
  const mean = figureAtMeans(figure);
  if (mean === undefined) return undefined;
  const interval = intervalOfMeans(figure, { seed });
  if (interval.kind !== "mean-interval") return { mean };
  return { mean, low: interval.low, high: interval.high };
}

/** Predicts a figure as the mean of a run, with its interval. */
export function meanOf(
  place: Place,
  measure: MeasureName,
): Pick<Required<PublishedFigure>, "predict" | "interval"> {
  return {
    predict: (runs) => read(runs, place, measure),
    interval: (runs) => {
      const { low, high } = find(runs, place)?.means[measure] ?? {};
      return low === undefined || high === undefined ? undefined : { low, high };
    },
  };
}

/** Returns undefined if the runs do not contain the value. */
function read(runs: LocalRuns, place: Place, measure: MeasureName): number | undefined {
  return find(runs, place)?.means[measure]?.mean;
}

function find(runs: LocalRuns, { experiment, ...place }: Place): LocalSeries | undefined {
  const keys = ["variant", "memoryMb", "phase", "operation"] as const;
  return runs.get(experiment)?.find((series) => keys.every((key) => series[key] === place[key]));
}

/** Predicts a figure as the ratio of two means of a run; it has no interval. */
export function ratioOf(
  above: Place,
  below: Place,
  measure: MeasureName = "durationMs",
): Pick<PublishedFigure, "predict"> {
  return {
    predict: (runs) => {
      const [over, under] = [read(runs, above, measure), read(runs, below, measure)];
      return over === undefined || under === undefined ? undefined : over / under;
    },
  };
}
