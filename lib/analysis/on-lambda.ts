import type { Cell, Manifest, Plan } from "../contract/types/contract.ts";
import { functionsExperimentId } from "../plan/functions-subject.ts";
import { findService } from "../plan/trial-calls.ts";
import {
  expectRatio,
  expectTime,
  type MeasuredCall,
  type Quantity,
} from "../prediction/expectation.ts";
import { type FunctionKind, familyOf, type Work } from "../prediction/function-kind.ts";
import { speedOf } from "../prediction/machine-speed.ts";
import { wholeCpuMb } from "../prediction/model.ts";
import type { LambdaRange } from "../prediction/spread.ts";
import type { BuildRecord } from "./collect-samples.ts";
import type { Comparison, Comparisons } from "./comparisons.ts";
import type { Measure, SeriesView } from "./series-view.ts";

/**
 * Predictions of a local run's figures on Lambda, as 90% ranges of means (docs/prediction.md). `times` and `ratios`
 * leave out runtimes without published figures, sizes that the machine did not limit, and times without an
 * interval. To show a range beside a row, use `expectedRatio(view, comparison)` or `expectedTimes(view, series)`;
 * a range claims a direction only if `claimsDirection` is true of it.
 */
export interface OnLambda {
  readonly times: readonly ExpectedTimes[];
  readonly ratios: readonly ExpectedRatio[];
  /**
   * True for users' own functions: it is not known what their calls do, so their ranges cover every kind
   * of work.
   */
  readonly coversEveryKind: boolean;
  /** True if the run did not store its machine's speed: nothing is predicted from it then. */
  readonly lacksSpeed: boolean;
  /** True if sizes below a whole CPU are left out, since this machine does not limit them. */
  readonly lacksSmallSizes: boolean;
}

/** Ranges of one series' times. */
export interface ExpectedTimes {
  readonly cellId: string;
  readonly phase: "cold" | "warm";
  readonly operation: string;
  readonly durationMs: LambdaRange;
  readonly initDurationMs?: LambdaRange;
  readonly initAndDurationMs?: LambdaRange;
}

/** Range of one comparison's ratio: Init plus first Duration of cold starts, Duration of warm calls. */
interface ExpectedRatio {
  readonly cellId: string;
  readonly baselineCellId: string;
  readonly phase: "cold" | "warm";
  readonly operation: string;
  readonly quantity: "initAndDurationMs" | "durationMs";
  readonly range: LambdaRange;
}

/** Figures of a local run that ranges are computed from. */
interface LocalRunFigures {
  readonly plan: Plan;
  readonly manifest: Pick<Manifest, "machine" | "artefacts" | "speed">;
  readonly series: readonly SeriesView[];
  readonly comparisons: Comparisons;
  readonly builds: readonly BuildRecord[];
}

/** onLambda returns the ranges of a local run, undefined for any other. */
export function onLambda(run: LocalRunFigures): OnLambda | undefined {
  const { plan, manifest, series, comparisons } = run;
  if (plan.target !== "local") return undefined;
  const lacksSmallSizes = manifest.machine?.cpuQuota === "unthrottled";
  const isShown = ({ memoryMb }: Cell) => !lacksSmallSizes || memoryMb >= wholeCpuMb;
  const calls = new Map(
    series
      .filter(({ cell }) => isShown(cell))
      .flatMap((each) => {
        const call = measuredCall(run, each);
        return call === undefined ? [] : [[seriesKey(each.cell.id, each), call] as const];
      }),
  );
  return {
    times: series.flatMap((each) => expectSeries(each, calls.get(seriesKey(each.cell.id, each)))),
    ratios: comparisons.variants.flatMap((each) => expectComparison(each, calls)),
    coversEveryKind: plan.experiment === functionsExperimentId,
    lacksSpeed: speedOf(manifest) === undefined,
    lacksSmallSizes,
  };
}

function seriesKey(cellId: string, { phase, operation }: Pick<SeriesView, "phase" | "operation">) {
  return JSON.stringify([cellId, phase, operation]);
}

function measuredCall(
  { plan, manifest, builds }: LocalRunFigures,
  { cell, phase, durationMs, initDurationMs, warmupMs }: SeriesView,
): MeasuredCall | undefined {
  const kinds = kindsOf(plan, cell, builds);
  if (phase === "second" || kinds.length === 0 || durationMs.mean === undefined) return undefined;
  const speed = speedOf(manifest);
  if (speed === undefined) return undefined;
  const { delayMs = 0, connectMs = 0 } = plan.network ?? {};
  const bytes = manifest.artefacts.find(({ variant }) => variant === cell.variant)?.sizeBytes;
  return {
    ...{ kinds, memoryMb: cell.memoryMb, call: phase === "cold" ? "first" : "warm" },
    durationMs: durationMs.mean,
    ...{ networkMs: delayMs + connectMs, answerMs: delayMs },
    speed,
    ...(initDurationMs?.mean !== undefined && { initMs: initDurationMs.mean }),
    ...(warmupMs?.mean !== undefined && { warmupMs: warmupMs.mean }),
    ...(bytes !== undefined && { artefactMb: bytes / 1_000_000 }),
  };
}

/** Returns no kind for a runtime without published figures. */
function kindsOf(
  plan: Plan,
  { runtime, variant }: Cell,
  builds: readonly BuildRecord[],
): readonly FunctionKind[] {
  const family = familyOf(runtime);
  if (family === undefined) return [];
  const isOwn = plan.experiment === functionsExperimentId;
  const works: readonly Work[] = isOwn ? ["service", "fan-out", "compute"] : [workOf(plan)];
  const entropy = builds.find((build) => build.variant === variant)?.entropy;
  const isUnknown = isOwn && family === "native" && entropy === undefined;
  const jitters = isUnknown ? [false, true] : [entropy === "cpu-jitter"];
  return works.flatMap((work) => jitters.map((gathersJitter) => ({ family, work, gathersJitter })));
}

function workOf(plan: Plan): Work {
  const service = findService(plan);
  if (service === undefined) return "compute";
  return service === "S3" ? "fan-out" : "service";
}

/** Bounds of a 95% confidence interval lie this many standard deviations from its middle. */
const deviationsOf95Percent = 1.96;

/** Undefined without an interval: Lambda's value is not predicted from an unknown local one. */
function spreadOf({ low, high }: Pick<Measure, "low" | "high">): number | undefined {
  if (low === undefined || high === undefined || low <= 0) return undefined;
  return Math.log(high / low) / (2 * deviationsOf95Percent);
}

function expectSeries(
  { cell, phase, operation, durationMs, initDurationMs, initAndDurationMs }: SeriesView,
  call: MeasuredCall | undefined,
): readonly ExpectedTimes[] {
  if (call === undefined || phase === "second") return [];
  const range = (measure: Measure | undefined, quantity: Quantity) => {
    const spread = measure === undefined ? undefined : spreadOf(measure);
    return spread === undefined ? undefined : expectTime(call, quantity, spread);
  };
  const duration = range(durationMs, phase === "cold" ? "first" : "warm");
  const init = range(initDurationMs, "init");
  const cold = range(initAndDurationMs, "cold");
  if (duration === undefined) return [];
  return [
    {
      ...{ cellId: cell.id, phase, operation, durationMs: duration },
      ...(init !== undefined && { initDurationMs: init }),
      ...(cold !== undefined && { initAndDurationMs: cold }),
    },
  ];
}

function expectComparison(
  comparison: Comparison,
  calls: ReadonlyMap<string, MeasuredCall>,
): readonly ExpectedRatio[] {
  const { cell, baselineCell, phase, operation, quantity } = comparison;
  if (phase === "second") return [];
  if (quantity !== (phase === "cold" ? "initAndDurationMs" : "durationMs")) return [];
  const [own, baseline] = [cell, baselineCell].map(({ id }) =>
    calls.get(seriesKey(id, comparison)),
  );
  const spread = spreadOf(comparison);
  if (own === undefined || baseline === undefined || spread === undefined) return [];
  const range = expectRatio(own, baseline, phase === "cold" ? "cold" : "warm", spread);
  if (range === undefined) return [];
  const places = { cellId: cell.id, baselineCellId: baselineCell.id, phase, operation };
  return [{ ...places, quantity, range }];
}

/** A view that may have ranges. */
interface WithRanges {
  readonly onLambda?: OnLambda;
}

/** The range of a comparison's ratio on Lambda; undefined if none is claimed. */
export function expectedRatio(
  view: WithRanges,
  { cell, baselineCell, phase, operation, quantity }: Comparison,
): LambdaRange | undefined {
  return view.onLambda?.ratios.find(
    (each) =>
      each.cellId === cell.id &&
      each.baselineCellId === baselineCell.id &&
      each.phase === phase &&
      each.operation === operation &&
      each.quantity === quantity,
  )?.range;
}

/** The ranges of a series' times on Lambda; undefined if none is claimed. */
export function expectedTimes(
  view: WithRanges,
  { cell, phase, operation }: Pick<SeriesView, "cell" | "phase" | "operation">,
): ExpectedTimes | undefined {
  return view.onLambda?.times.find(
    (each) => each.cellId === cell.id && each.phase === phase && each.operation === operation,
  );
}

/** True if a range lies on one side of 1: only then is one function claimed to be faster on Lambda. */
export function claimsDirection({ low, high }: Pick<LambdaRange, "low" | "high">): boolean {
  return low > 1 || high < 1;
}
