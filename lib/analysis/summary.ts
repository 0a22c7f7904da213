import { defined } from "../contract/defined.ts";
import type { Cell, Manifest, Plan } from "../contract/types/contract.ts";
import type { RunCost } from "../cost/invocation-cost.ts";
import type { PriceAbsent, PriceTable } from "../cost/prices.ts";
import { defaultMargin } from "../statistics/verdict.ts";
import { pricedSamples } from "./billed-cost.ts";
import type { BuildRecord, CollectedSamples, WarmupFailure } from "./collect-samples.ts";
import type { OwnMetric } from "./collected-series.ts";
import { type Comparisons, compareVariants } from "./comparisons.ts";
import { type CostAndSpeed, type CostView, costAndSpeed, costView } from "./cost-view.ts";
import { type ColdRun, coldRuns, type Distribution, listDistributions } from "./distribution.ts";
import { type FactorComparison, factorComparisons } from "./factors.ts";
import { type LimitVerdict, limitVerdicts } from "./limits.ts";
import { type OnLambda, onLambda } from "./on-lambda.ts";
import type { Origin } from "./origins.ts";
import { measurePrecision, type Precision, ruledComparisons } from "./precision.ts";
import { type PublishedFigures, type PublishedSource, publishedFigures } from "./published.ts";
import { type QualityView, qualityView } from "./quality-view.ts";
import { type Recommendation, recommendation } from "./recommendation.ts";
import { pickSubject, type ReportSubject, type Traffic } from "./report-subject.ts";
import {
  listCells,
  listOperations,
  type Measure,
  makeMeasure,
  type Phase,
  phases,
  type SeriesView,
  seriesViews,
} from "./series-view.ts";
import type { SizeChoices } from "./size-choice.ts";
import { plannedByCell } from "./sound-trials.ts";

/** All figures of a report, unrounded, with units in the keys: the content of summary.json. */
export interface Summary {
  readonly schemaVersion: 3;
  readonly subject: ReportSubject;
  readonly plan: Omit<Plan, "blocks" | "warnings" | "instrumented">;
  readonly manifest: Manifest;
  /** True for a local or fake target: the figures are not Lambda's. */
  readonly simulated: boolean;
  /** The smallest relative difference that matters. */
  readonly margin: number;
  readonly series: readonly SeriesView[];
  readonly comparisons: Comparisons;
  /** Cells that differ in one factor alone, each with its baseline. Absent if the run declares none. */
  readonly factors?: readonly FactorComparison[];
  /** Verdicts for each function and size; absent if no limits were given. */
  readonly limits?: readonly LimitVerdict[];
  /** Precision of the ratios against the target, for a run with a stopping rule. */
  readonly precision?: Precision;
  /** Choices of a run that chooses memory sizes. */
  readonly sizeChoices?: SizeChoices;
  /** Predictions for Lambda; only for a run on one machine. */
  readonly onLambda?: OnLambda;
  readonly coldRuns: readonly ColdRun[];
  readonly distributions: readonly Distribution[];
  readonly cost: CostView;
  /** One group per phase and operation with at least two priced cells. */
  readonly costAndSpeed: readonly (readonly CostAndSpeed[])[];
  /** Absent if no warm call was planned. */
  readonly recommendation?: Recommendation;
  /** Cost of the measured invocations; absent off AWS, where nothing is charged. */
  readonly runCost?: RunCost | PriceAbsent;
  readonly quality: QualityView;
  /** Builds as the processes report them. */
  readonly builds: readonly BuildRecord[];
  readonly warmupFailures: readonly WarmupFailure[];
  /** Versions and CPUs of the environments, as they and Lambda report them. */
  readonly origins: readonly Origin[];
  /** Series by CPU model, if that split was requested. */
  readonly byCpuModel?: readonly CpuSeries[];
  readonly published?: PublishedFigures;
  /** Figures of the experiment's own report. */
  readonly own?: object;
}

/** Inputs of the summary, once the samples have been read. */
export interface SummaryInputs {
  readonly plan: Plan;
  readonly manifest: Omit<Manifest, "counts">;
  readonly subject: ReportSubject;
  readonly samples: CollectedSamples;
  readonly prices: PriceTable;
  readonly runCost: RunCost | PriceAbsent;
  /** The traffic for which costs are stated. */
  readonly traffic: Traffic;
  /** Choices of a run that chooses memory sizes. */
  readonly sizeChoices?: SizeChoices;
}

/** Figures that the experiment's own report adds. */
interface OwnFigures {
  readonly metrics: readonly OwnMetric[];
  readonly published?: PublishedSource;
  readonly figures?: object;
}

export function summarize(inputs: SummaryInputs, own: OwnFigures): Summary {
  const { plan, manifest, subject, samples } = inputs;
  const { blocks: _, warnings: __, instrumented: ___, ...planWithoutBlocks } = plan;
  const planned = [...plannedByCell(plan).values()].reduce((sum, n) => sum + n, 0);
  const { published, figures } = own;
  const comparisons = compareVariants(plan, subject.baselineVariant, samples);
  const series = seriesViews(plan, samples, own.metrics);
  const builds = samples.builds.all();
  return {
    schemaVersion: 3,
    subject: pickSubject(subject),
    plan: planWithoutBlocks,
    manifest: { ...manifest, counts: samples.quality.counts(planned) },
    simulated: plan.target === "local" || plan.target === "fake",
    margin: plan.verdicts?.margin ?? defaultMargin,
    series,
    comparisons,
    ...conclusions(inputs, comparisons),
    ...defined({ onLambda: onLambda({ plan, manifest, series, comparisons, builds }) }),
    coldRuns: coldRuns(plan, samples),
    distributions: listDistributions(plan, samples),
    ...costs(inputs, series),
    quality: qualityView(plan, manifest, samples.quality),
    builds,
    warmupFailures: samples.warmupFailures.all(),
    origins: samples.origins.all(),
    ...defined({ byCpuModel: seriesByCpuModel(plan, samples) }),
    ...(published !== undefined && { published: publishedFigures(plan, published) }),
    ...defined({ own: figures }),
  };
}

/** Returns what the run was asked to decide: factors, limits, and sizes or a precision. */
function conclusions(inputs: SummaryInputs, comparisons: Comparisons) {
  const { plan, manifest, samples, traffic, sizeChoices } = inputs;
  const { coldShare } = traffic;
  const factors = factorComparisons({ ...pricedSamples(inputs), comparisons, coldShare });
  const target = sizeChoices === undefined ? plan.stopping?.untilPrecision : undefined;
  const ruled = () => ruledComparisons(plan, comparisons.variants, samples);
  return {
    ...(factors.length > 0 && { factors }),
    ...(plan.limits !== undefined && { limits: limitVerdicts(plan, manifest, samples) }),
    ...defined({ sizeChoices }),
    ...(target !== undefined && { precision: measurePrecision(ruled(), target) }),
  };
}

function costs(inputs: SummaryInputs, series: readonly SeriesView[]) {
  const { plan, subject, runCost, traffic, sizeChoices } = inputs;
  const priced = pricedSamples(inputs);
  const cost = costView(priced, traffic.coldShare);
  const chosen = sizeChoices?.coldShare === traffic.coldShare ? sizeChoices : undefined;
  const basis = {
    ...priced,
    baselineVariant: subject.baselineVariant,
    traffic,
    cost,
    ...defined({ sizeChoices: chosen }),
  };
  return {
    cost,
    costAndSpeed: costAndSpeed(cost, series),
    ...defined({ recommendation: recommendation(basis) }),
    ...(plan.target === "aws" && { runCost }),
  };
}

/** A series of the environments that have one CPU model. */
export interface CpuSeries {
  readonly cell: Cell;
  readonly operation: string;
  readonly phase: Phase;
  /** Absent for environments that did not report it. */
  readonly cpuModel?: string;
  readonly durationMs: Measure;
  /** Cold series only. */
  readonly initDurationMs?: Measure;
}

/** Returns every non-empty series by CPU model; undefined if samples were not collected by model. */
function seriesByCpuModel(
  plan: Plan,
  { byCpuModel }: CollectedSamples,
): readonly CpuSeries[] | undefined {
  if (byCpuModel === undefined) return undefined;
  const models = [...byCpuModel].sort(([a = "\uffff"], [b = "\uffff"]) => (a < b ? -1 : 1));
  return phases.flatMap((phase) =>
    listOperations(plan, phase).flatMap((operation) =>
      listCells(plan, phase, operation).flatMap((cell) =>
        models.flatMap(([cpuModel, samples]) => {
          const collected = samples.get(cell.id, operation, phase);
          if (collected.n === 0) return [];
          return {
            cell,
            operation,
            phase,
            ...(cpuModel !== undefined && { cpuModel }),
            durationMs: makeMeasure(collected, "durationMs"),
            ...(phase === "cold" && { initDurationMs: makeMeasure(collected, "initDurationMs") }),
          };
        }),
      ),
    ),
  );
}
