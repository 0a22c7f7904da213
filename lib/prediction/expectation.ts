import type { Calibration, SpeedProbe } from "../contract/types/contract.ts";
import {
  type CalibratingCall,
  type Calibrator,
  type LearnedFactor,
  type Model,
  makeCalibrator,
  type Part,
  partOf,
  type TimeQuantity,
} from "./calibration.ts";
import { heldOutClaims } from "./claims.ts";
import { fitConstants } from "./fit.ts";
import type { FunctionKind } from "./function-kind.ts";
import type { LocalCall } from "./local-times.ts";
import { atStudySpeed, isComparable, slownessOf } from "./machine-speed.ts";
import { type Quantity, ratioRange, timeRange } from "./ranges.ts";
import { type LambdaRange, measureSpread } from "./spread.ts";
import { observations } from "./study-calls.ts";

/** One call of a function, with every kind that it may be (several for a user's own function). */
export interface MeasuredCall extends Omit<LocalCall, "kind"> {
  readonly kinds: readonly FunctionKind[];
  /** Speed of the machine that measured the call. */
  readonly speed: SpeedProbe;
}

/** Inputs for a local run's range, in addition to the published figures. */
interface RangeOptions {
  /** Standard deviation of the logarithm of the measured time or ratio. */
  readonly runSpread: number;
  /** @default no calibration */
  readonly calibrator?: Calibrator;
}

let fitted: Model | undefined;

/** Fits the model to all sources, once per process. Its spread comes from leaving out each source in turn. */
function model(): Model {
  fitted ??= {
    constants: fitConstants(observations),
    spread: measureSpread(heldOutClaims(observations)),
  };
  return fitted;
}

/** Returns the call for each kind that it may be, as the study's machine would have measured it. */
function listCalls({ kinds, speed, ...call }: MeasuredCall): readonly LocalCall[] {
  return kinds
    .filter((kind) => isComparable(speed, kind))
    .map((kind) => atStudySpeed({ ...call, kind }, slownessOf(speed, kind)));
}

/** Returns the factors of a stored calibration, computed with the current model. */
export function calibratorOf({ calls, speed }: Calibration): Calibrator {
  return makeCalibrator(
    calls.map((call) => calibratingCall(call, speed)),
    model(),
  );
}

function calibratingCall(
  { function: name, local, lambda, ...shared }: Calibration["calls"][number],
  speed: SpeedProbe,
): CalibratingCall {
  const { durationMs, initMs, warmupMs } = local;
  const call = {
    ...shared,
    speed,
    durationMs,
    ...(initMs !== undefined && { initMs }),
    ...(warmupMs !== undefined && { warmupMs }),
  };
  return {
    function: name,
    calls: listCalls(call),
    lambda: {
      durationMs: lambda.durationMs,
      ...(lambda.initMs !== undefined && { initMs: lambda.initMs }),
    },
    runSpread: {
      durationMs: Math.hypot(local.durationSpread, lambda.durationSpread),
      initMs: Math.hypot(local.initSpread ?? 0, lambda.initSpread ?? 0),
    },
  };
}

/** A factor of a calibration, and what it applies to. */
export interface NamedFactor extends LearnedFactor {
  readonly part: Part;
  readonly family: FunctionKind["family"];
  /** Kind of work that the calls may do. Absent for Init, which is the same for all work. */
  readonly work?: FunctionKind["work"];
}

const quantities: readonly TimeQuantity[] = ["init", "first", "warmed", "warm"];

/** Returns every factor of a calibration, for each kind of work that its functions may do. */
export function listFactors(calibration: Calibration): readonly NamedFactor[] {
  const calibrator = calibratorOf(calibration);
  const named = calibration.calls.flatMap(({ kinds }) =>
    kinds.flatMap((kind) =>
      quantities.flatMap((quantity): readonly NamedFactor[] => {
        const factor = calibrator.factorOf(quantity, kind);
        if (factor === undefined) return [];
        const part = partOf(quantity, kind);
        const { family, work } = kind;
        return [{ part, family, ...(part !== "init" && { work }), ...factor }];
      }),
    ),
  );
  const key = ({ part, family, work }: NamedFactor) => JSON.stringify([part, family, work]);
  return [...new Map(named.map((each) => [key(each), each])).values()];
}

/**
 * Returns the 90% range of a time on Lambda, ms. With several kinds, it covers the range of each. Undefined if the
 * call has no such time.
 */
export function expectTime(
  call: MeasuredCall,
  quantity: Quantity,
  { runSpread, calibrator }: RangeOptions,
): LambdaRange | undefined {
  const basis = { model: model(), ...(calibrator !== undefined && { calibrator }) };
  return coverAll(listCalls(call).map((each) => timeRange(each, quantity, runSpread, basis)));
}

/**
 * Returns the 90% range of the ratio of two functions' times on Lambda. If their kinds are unknown, it covers all
 * possible ones, with the same work in both.
 */
export function expectRatio(
  above: MeasuredCall,
  below: MeasuredCall,
  quantity: Quantity,
  { runSpread, calibrator }: RangeOptions,
): LambdaRange | undefined {
  const basis = { model: model(), ...(calibrator !== undefined && { calibrator }) };
  const ranges = listCalls(above).flatMap((own) =>
    listCalls(below)
      .filter(({ kind }) => kind.work === own.kind.work)
      .map((base) => ratioRange(own, base, quantity, runSpread, basis)),
  );
  return coverAll(ranges);
}

/** Returns the range that covers all ranges. Its expected value is the middle one of theirs. */
function coverAll(ranges: readonly (LambdaRange | undefined)[]): LambdaRange | undefined {
  const known = ranges.flatMap((range) => range ?? []);
  const expected = known.map((range) => range.expected).toSorted((a, b) => a - b);
  const middle = expected[Math.floor(expected.length / 2)];
  if (middle === undefined) return undefined;
  return {
    low: Math.min(...known.map(({ low }) => low)),
    high: Math.max(...known.map(({ high }) => high)),
    expected: middle,
    ...(known.some(({ isCalibrated }) => isCalibrated === true) && { isCalibrated: true }),
  };
}
