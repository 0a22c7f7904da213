import { defined } from "../contract/defined.ts";
import type { CalibratedCall, Calibration, Plan, SpeedProbe } from "../contract/types/contract.ts";
import type { OneRun } from "./compare-runs.ts";
import { isLimited, type LocalFigures, measuredCall, spreadOf } from "./measured-calls.ts";
import { listOperations, type Measure, type SeriesView, seriesViews } from "./series-view.ts";

/** The calls of functions that were measured both here and on Lambda. */
interface SharedCalls {
  readonly calls: readonly CalibratedCall[];
  /** Series that both runs have, including those without an interval on both sides. */
  readonly series: number;
}

/** Returns whether two runs share a function and an operation. An imported run's functions are matched by name. */
export function sharesFunctions(local: Plan, lambda: Plan): boolean {
  if (lambda.target !== "imported" && lambda.experiment !== local.experiment) return false;
  const hasCell = lambda.cells.some((there) => local.cells.some((here) => isSameCell(here, there)));
  return (
    hasCell &&
    (["cold", "warm"] as const).some((phase) =>
      listOperations(local, phase).some((name) => listOperations(lambda, phase).includes(name)),
    )
  );
}

/** shareCalls returns the calls of a local run and a run on Lambda for which sharesFunctions holds. */
export function shareCalls(local: OneRun, lambda: OneRun): SharedCalls {
  const { plan, manifest, samples } = local;
  const figures = { plan, manifest, builds: samples.builds.all() };
  const onLambda = listMeasured(lambda);
  const pairs = listMeasured(local)
    .filter(({ cell }) => isLimited(manifest, cell))
    .flatMap((here) =>
      onLambda.filter((there) => isSameCall(here, there)).map((there) => ({ here, there })),
    );
  return {
    calls: pairs.flatMap(({ here, there }) => calibratedCall(figures, here, there) ?? []),
    series: pairs.length,
  };
}

/** Returns a run's cold and warm series, without the A/A replica and restored snapshots, which have no Init. */
function listMeasured({ plan, samples }: OneRun): readonly SeriesView[] {
  return seriesViews(plan, samples, []).filter(
    ({ cell, phase, n, restoreDurationMs }) =>
      cell.replicaOf === undefined &&
      phase !== "second" &&
      n > 0 &&
      restoreDurationMs === undefined,
  );
}

function isSameCell(
  here: Pick<Plan["cells"][number], "variant" | "memoryMb" | "workers">,
  there: Pick<Plan["cells"][number], "variant" | "memoryMb" | "workers">,
): boolean {
  return (
    here.variant === there.variant &&
    here.memoryMb === there.memoryMb &&
    here.workers === there.workers
  );
}

function isSameCall(here: SeriesView, there: SeriesView): boolean {
  return (
    isSameCell(here.cell, there.cell) &&
    here.phase === there.phase &&
    here.operation === there.operation
  );
}

function calibratedCall(
  figures: LocalFigures,
  here: SeriesView,
  there: SeriesView,
): CalibratedCall | undefined {
  const call = measuredCall(figures, here);
  const [own, lambda] = [meanOf(here.durationMs), meanOf(there.durationMs)];
  if (call === undefined || own === undefined || lambda === undefined) return undefined;
  const [ownInit, lambdaInit] = [meanOf(here.initDurationMs), meanOf(there.initDurationMs)];
  const hasInit = ownInit !== undefined && lambdaInit !== undefined;
  const { kinds, memoryMb, networkMs, answerMs, warmupMs, artefactMb } = call;
  return {
    function: `${figures.plan.experiment}/${here.cell.variant}`,
    operation: here.operation,
    architecture: there.cell.architecture,
    kinds: [...kinds],
    memoryMb,
    call: call.call,
    networkMs,
    ...defined({ answerMs, artefactMb }),
    local: {
      durationMs: own.mean,
      durationSpread: own.spread,
      ...(hasInit && { initMs: ownInit.mean, initSpread: ownInit.spread }),
      ...defined({ warmupMs }),
    },
    lambda: {
      durationMs: lambda.mean,
      durationSpread: lambda.spread,
      ...(hasInit && { initMs: lambdaInit.mean, initSpread: lambdaInit.spread }),
    },
  };
}

/** Returns undefined if the mean has no interval: its precision is then unknown. */
function meanOf(
  measure: Measure | undefined,
): { readonly mean: number; readonly spread: number } | undefined {
  const spread = measure && spreadOf(measure);
  const mean = measure?.mean;
  if (mean === undefined || spread === undefined || mean <= 0) return undefined;
  return { mean, spread };
}

/** The time, CPU model and speed recorded with a calibration. */
interface CalibrationStamp {
  readonly createdAt: string;
  readonly cpuModel: string;
  readonly speed: SpeedProbe;
}

/** makeCalibration returns the calls in their stored form, with the ids of the two runs. */
export function makeCalibration(
  calls: readonly CalibratedCall[],
  local: OneRun,
  lambda: OneRun,
  { createdAt, cpuModel, speed }: CalibrationStamp,
): Calibration {
  const { region, startedAt } = lambda.manifest;
  return {
    schemaVersion: 1,
    createdAt,
    cpuModel,
    speed,
    awsRunId: lambda.plan.runId,
    awsRunAt: startedAt,
    localRunId: local.plan.runId,
    ...defined({ region }),
    architectures: [...new Set(calls.map(({ architecture }) => architecture))].sort(),
    calls: [...calls],
  };
}
