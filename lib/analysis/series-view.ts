import { defined } from "../contract/defined.ts";
import type { Cell, Plan, Sample } from "../contract/types/contract.ts";
import { listWarmOperations } from "../plan/trial-calls.ts";
import {
  type FigureOfMeans,
  figureAtMeans,
  intervalOfMeans,
  subsetsSeed,
} from "../statistics/mean-interval.ts";
import {
  interpolatedMedianInterval,
  median,
  medianInterval,
} from "../statistics/order-statistics.ts";
import { medianPerEnvironment, type Series } from "../statistics/series.ts";
import { tailPercentile } from "../statistics/tail-percentile.ts";
import { findWarnings, type Warning } from "../statistics/warnings.ts";
import type { CollectedSamples } from "./collect-samples.ts";
import type { CollectedSeries, Metric, MetricName, OwnMetric } from "./collected-series.ts";

export type Phase = Sample["phase"];

/** One cell, operation and phase: every quantity's mean and median over environments. */
export interface SeriesView {
  readonly cell: Cell;
  readonly operation: string;
  readonly phase: Phase;
  /** Kept samples. */
  readonly n: number;
  readonly environments: number;
  readonly durationMs: Measure;
  readonly durationP95Ms: Tail;
  readonly durationP99Ms: Tail;
  readonly sdkCallMs: Measure;
  readonly billedDurationMs: Measure;
  readonly maxMemoryUsedMb: Measure;
  readonly clientLatencyMs: Measure;
  /** Time to first byte of streamed responses. */
  readonly firstByteMs?: Measure;
  /** Cold series only. */
  readonly initDurationMs?: Measure;
  /** Restore of a snapshot (SnapStart), in place of Init. */
  readonly restoreDurationMs?: Measure;
  readonly initAndDurationMs?: Measure;
  readonly initAndDurationP95Ms?: Tail;
  /** The call that Init makes to warm the client. Cold series only, if the variant makes one. */
  readonly warmupMs?: Measure;
  /** Duration of the first warm calls, which are set aside as planned. Warm series only, if there are any. */
  readonly setAsideMs?: Measure;
  /** CPU time, if the target measures it; that of Init for cold series only. */
  readonly initCpuMs?: Measure;
  readonly invocationCpuMs?: Measure;
  /** Instruction counts, from samples that are in none of the figures above. */
  readonly instructions?: InstructionCount;
  /** The experiment's own quantities, by their names without `own.`, if they were measured. */
  readonly own?: Readonly<Record<string, Measure>>;
  /** Warnings about the series' Duration. */
  readonly durationWarnings: readonly Warning[];
}

/** Returns the part of a cold start before its first Duration: Init, or the restore of a snapshot. */
export function beforeFirstDuration({
  initDurationMs,
  restoreDurationMs,
}: Pick<SeriesView, "initDurationMs" | "restoreDurationMs">) {
  return restoreDurationMs === undefined
    ? ({ name: "Init", measure: initDurationMs } as const)
    : ({ name: "Restore", measure: restoreDurationMs } as const);
}

/** Returns the operations of a phase; empty if no sample can belong to it. */
export function listOperations(plan: Plan, phase: Phase): readonly string[] {
  if (phase === "second" && plan.target === "imported") return [];
  if (phase === "cold" && plan.sizes.environments === 0) return [];
  if (phase === "warm" && plan.sizes.warmEnvironments === 0) return [];
  return phase === "warm" ? plan.warmOperations : [plan.coldOperation];
}

export const phases: readonly Phase[] = ["cold", "second", "warm"];

/** Returns every series of the plan, including empty ones, by phase, operation and cell. */
export function seriesViews(
  plan: Plan,
  samples: CollectedSamples,
  ownMetrics: readonly OwnMetric[],
): readonly SeriesView[] {
  return phases.flatMap((phase) =>
    listOperations(plan, phase).flatMap((operation) =>
      listCells(plan, phase, operation).map((cell) => ({
        ...seriesView(samples, cell, operation, phase),
        ...ownMeasures(samples.series(cell.id, operation, phase), ownMetrics),
      })),
    ),
  );
}

/** Returns the cells that make an operation. A warm one may belong to some variants only. */
export function listCells(plan: Plan, phase: Phase, operation: string): readonly Cell[] {
  const cells = orderedCells(plan);
  if (phase !== "warm") return cells;
  return cells.filter(({ variant }) => listWarmOperations(plan, variant).includes(operation));
}

/** Sorts cells by architecture, memory and workers, then as planned: variants of one size are adjacent. */
export function orderedCells(plan: Pick<Plan, "cells">): readonly Cell[] {
  const byText = (a: string, b: string) => (a === b ? 0 : a < b ? -1 : 1);
  return [...plan.cells].sort(
    (a, b) =>
      byText(a.architecture, b.architecture) ||
      a.memoryMb - b.memoryMb ||
      (a.workers ?? 0) - (b.workers ?? 0),
  );
}

/** Returns the sorted cells without the A/A replica, whose samples are only for the noise floor. */
export function comparedCells(plan: Pick<Plan, "cells">): readonly Cell[] {
  return orderedCells(plan).filter((cell) => cell.replicaOf === undefined);
}

function seriesView(
  samples: CollectedSamples,
  cell: Cell,
  operation: string,
  phase: Phase,
): SeriesView {
  const collected = samples.series(cell.id, operation, phase);
  return {
    cell,
    operation,
    phase,
    n: collected.n,
    environments: collected.environments.length,
    durationMs: makeMeasure(collected, "durationMs"),
    durationP95Ms: makeTail(collected, "durationMs", "p95"),
    durationP99Ms: makeTail(collected, "durationMs", "p99"),
    sdkCallMs: makeMeasure(collected, "sdkCallMs"),
    billedDurationMs: makeMeasure(collected, "billedDurationMs"),
    maxMemoryUsedMb: makeMeasure(collected, "maxMemoryUsedMb"),
    clientLatencyMs: makeMeasure(collected, "clientLatencyMs"),
    ...(phase === "cold" && {
      initDurationMs: makeMeasure(collected, "initDurationMs"),
      initAndDurationMs: makeMeasure(collected, "initAndDurationMs"),
      initAndDurationP95Ms: makeTail(collected, "initAndDurationMs", "p95"),
      ...whereMeasured(collected, ["restoreDurationMs", "warmupMs", "initCpuMs"]),
    }),
    ...whereMeasured(collected, ["firstByteMs", "invocationCpuMs"]),
    ...(phase === "warm" && setAside(samples.setAside(cell.id, operation))),
    ...instructionCount(samples.instrumented(cell.id, operation, phase)),
    durationWarnings: collected.n === 0 ? [] : findWarnings(collected.series("durationMs")),
  };
}

function setAside(collected: CollectedSeries): Pick<SeriesView, "setAsideMs"> {
  return collected.n === 0 ? {} : { setAsideMs: makeMeasure(collected, "durationMs") };
}

/** Returns whether the calls that are set aside differ from the measured ones by so much that figures hide it. */
export function hidesSlowStart({ setAsideMs, durationMs }: SeriesView): boolean {
  const [before = 0, mean = 0] = [setAsideMs?.mean, durationMs.mean];
  return mean > 0 && before >= 2 * mean && before - mean >= 10;
}

/** Returns the measures that have a value: not every target and variant has all of them. */
function whereMeasured(collected: CollectedSeries, names: readonly Metric[]) {
  const measures = names.map((name) => [name, makeMeasure(collected, name)] as const);
  return Object.fromEntries(measures.filter(([, { n }]) => n > 0)) as {
    readonly [Name in Metric]?: Measure;
  };
}

function ownMeasures(
  collected: CollectedSeries,
  metrics: readonly OwnMetric[],
): Pick<SeriesView, "own"> {
  const measures = metrics
    .map((quantity) => [quantity.slice("own.".length), makeMeasure(collected, quantity)] as const)
    .filter(([, { n }]) => n > 0);
  return measures.length === 0 ? {} : { own: Object.fromEntries(measures) };
}

/** Instructions of one series in user space: medians over environments. */
interface InstructionCount {
  /** Kept samples made under valgrind. */
  readonly n: number;
  readonly environments: number;
  /** Instructions of Init. Cold series only. */
  readonly initMedian?: number;
  readonly invocationMedian?: number;
}

/** Returns the counts of the instrumented samples, if there are any. */
function instructionCount(instrumented: CollectedSeries): {
  readonly instructions?: InstructionCount;
} {
  const init = medianMetric(instrumented, "initInstructions");
  const invocation = medianMetric(instrumented, "invocationInstructions");
  if (init === undefined && invocation === undefined) return {};
  return {
    instructions: {
      n: instrumented.values("invocationInstructions").length,
      environments: instrumented.environments.length,
      ...defined({ initMedian: init, invocationMedian: invocation }),
    },
  };
}

function medianMetric(collected: CollectedSeries, quantity: MetricName): number | undefined {
  const medians = medianPerEnvironment(collected.series(quantity));
  return medians.length === 0 ? undefined : median(medians);
}

/** Mean and median of one quantity over execution environments, in the unit of its key. */
export interface Measure {
  /** Samples that have the quantity. */
  readonly n: number;
  readonly environments: number;
  /** Absent without a sample. */
  readonly mean?: number;
  /** The mean's 95% CI; absent if there are fewer environments than `environmentsNeeded`. */
  readonly low?: number;
  readonly high?: number;
  readonly environmentsNeeded?: number;
  /** Median of the environments' medians. Absent without a sample. */
  readonly median?: number;
  /** The median's interval; absent if the mean's is. */
  readonly medianInterval?: MedianBounds;
}

interface MedianBounds {
  readonly low: number;
  readonly high: number;
  /** Actual confidence of the interval: 0.95 or a little more. */
  readonly confidence: number;
}

/** A percentile over all samples, or the number of samples that it needs. */
export interface Tail {
  readonly n: number;
  readonly value?: number;
  /** Its 95% CI; absent if more samples are needed, `high` also if it lies beyond the longest call. */
  readonly low?: number;
  readonly high?: number;
  readonly needed?: number;
}

export function makeMeasure(collected: CollectedSeries, quantity: MetricName): Measure {
  return measureOfSeries(collected.series(quantity));
}

export function measureOfSeries(series: Series): Measure {
  const medians = medianPerEnvironment(series);
  const n = series.units.reduce((sum, unit) => sum + unit.values.length, 0);
  const environments = medians.length;
  const figure: FigureOfMeans = { series: [series], compute: ([mean = 0]) => mean };
  const mean = figureAtMeans(figure);
  if (mean === undefined) return { n, environments };
  const measure = { n, environments, mean, median: median(medians) };
  const interval = intervalOfMeans(figure, { seed: subsetsSeed });
  if (interval.kind === "insufficient") {
    return { ...measure, environmentsNeeded: interval.needed };
  }
  const ofMedian = series.isUnplanned
    ? interpolatedMedianInterval(medians)
    : medianInterval(medians);
  return {
    ...measure,
    low: interval.low,
    high: interval.high,
    ...(ofMedian.kind === "median-interval" && { medianInterval: boundsOf(ofMedian) }),
  };
}

function boundsOf({ low, high, confidence }: MedianBounds): MedianBounds {
  return { low, high, confidence };
}

export function makeTail(
  collected: CollectedSeries,
  quantity: MetricName,
  name: "p95" | "p99",
): Tail {
  return tailOfSeries(collected.series(quantity), name);
}

export function tailOfSeries(series: Series, name: "p95" | "p99"): Tail {
  const { kind: _, ...found } = tailPercentile(series, name);
  return found;
}
