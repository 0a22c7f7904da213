import { defined } from "../contract/defined.ts";
import type { Manifest } from "../contract/types/contract.ts";
import { functionsExperimentId } from "../plan/functions-subject.ts";
import { expectRatio, expectTime, type MeasuredCall } from "../prediction/expectation.ts";
import { isComparable, speedOf } from "../prediction/machine-speed.ts";
import type { Quantity } from "../prediction/ranges.ts";
import type { LambdaRange } from "../prediction/spread.ts";
import { seriesKey } from "./collected-series.ts";
import type { Comparison, Comparisons } from "./comparisons.ts";
import { isLimited, type LocalFigures, measuredCall, spreadOf } from "./measured-calls.ts";
import type { Measure, SeriesView } from "./series-view.ts";

/**
 * Predictions of a local run's figures on Lambda, as 90% ranges of means (docs/prediction.md). `times` and `ratios`
 * leave out runtimes without published figures, sizes that the machine did not limit, and times without an interval.
 * `rows.ts` joins them to the measured figures. A range claims a direction only if `claimsDirection` is true.
 */
export interface OnLambda {
  readonly times: readonly ExpectedTimes[];
  readonly ratios: readonly ExpectedRatio[];
  /** True for users' own functions: the kind of work that they do is unknown, so their ranges cover every kind. */
  readonly coversEveryKind: boolean;
  /** True if work of about a hundred requests is not among these kinds: this machine is not as fast as the study's. */
  readonly lacksFanOut?: true;
  /** True if the run did not store its machine's speed; nothing is then predicted. */
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
interface LocalRunFigures extends LocalFigures {
  readonly manifest: Pick<Manifest, "machine" | "artefacts" | "speed">;
  readonly series: readonly SeriesView[];
  readonly comparisons: Comparisons;
}

/** onLambda returns the ranges of a local run, undefined for any other. */
export function onLambda(run: LocalRunFigures): OnLambda | undefined {
  const { plan, manifest, series, comparisons } = run;
  if (plan.target !== "local") return undefined;
  const calls = new Map(
    series
      .filter(({ cell }) => isLimited(manifest, cell))
      .flatMap((each) => {
        const call = measuredCall(run, each);
        return call === undefined ? [] : [[seriesKey(each.cell.id, each), call] as const];
      }),
  );
  const times = series.flatMap((each) =>
    expectSeries(each, calls.get(seriesKey(each.cell.id, each))),
  );
  const ratios = comparisons.variants.flatMap((each) => expectComparison(each, calls));
  const coversEveryKind = plan.experiment === functionsExperimentId;
  const isIncomparable = ({ kinds, speed }: MeasuredCall) =>
    kinds.some((kind) => !isComparable(speed, kind));
  return {
    times,
    ratios,
    coversEveryKind,
    ...(coversEveryKind && [...calls.values()].some(isIncomparable) && { lacksFanOut: true }),
    lacksSpeed: speedOf(manifest) === undefined,
    lacksSmallSizes: manifest.machine?.cpuQuota === "unthrottled",
  };
}

function expectSeries(
  { cell, phase, operation, durationMs, initDurationMs, initAndDurationMs }: SeriesView,
  call: MeasuredCall | undefined,
): readonly ExpectedTimes[] {
  if (call === undefined || phase === "second") return [];
  const range = (measure: Measure | undefined, quantity: Quantity) => {
    const runSpread = measure === undefined ? undefined : spreadOf(measure);
    return runSpread === undefined ? undefined : expectTime(call, quantity, runSpread);
  };
  const duration = range(durationMs, phase === "cold" ? "first" : "warm");
  const init = range(initDurationMs, "init");
  const cold = range(initAndDurationMs, "cold");
  if (duration === undefined) return [];
  return [
    {
      cellId: cell.id,
      phase,
      operation,
      durationMs: duration,
      ...defined({ initDurationMs: init, initAndDurationMs: cold }),
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
  const runSpread = spreadOf(comparison);
  if (own === undefined || baseline === undefined || runSpread === undefined) return [];
  const range = expectRatio(own, baseline, phase === "cold" ? "cold" : "warm", runSpread);
  if (range === undefined) return [];
  const places = { cellId: cell.id, baselineCellId: baselineCell.id, phase, operation };
  return [{ ...places, quantity, range }];
}

export type LambdaDirection = "slower" | "faster" | "either";

/** Returns the direction that a range claims: only one that lies on one side of 1 claims any. */
export function lambdaDirection({ low, high }: Pick<LambdaRange, "low" | "high">): LambdaDirection {
  if (low > 1) return "slower";
  return high < 1 ? "faster" : "either";
}
