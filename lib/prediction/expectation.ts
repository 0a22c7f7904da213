import type { SpeedProbe } from "../contract/types/contract.ts";
import { heldOutClaims } from "./claims.ts";
import { fitConstants } from "./fit.ts";
import type { FunctionKind } from "./function-kind.ts";
import type { LocalCall } from "./local-times.ts";
import { atStudySpeed, isComparable, slownessOf } from "./machine-speed.ts";
import { type Model, type Quantity, ratioRange, timeRange } from "./ranges.ts";
import { type LambdaRange, measureSpread } from "./spread.ts";
import { observations } from "./study-calls.ts";

/** One call of a function, with every kind that it may be (several for a user's own function). */
export interface MeasuredCall extends Omit<LocalCall, "kind"> {
  readonly kinds: readonly FunctionKind[];
  /** Speed of the machine that measured the call. */
  readonly speed: SpeedProbe;
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

/**
 * Returns the 90% range of a time on Lambda, ms. With several kinds, it covers the range of each. Undefined if the
 * call has no such time.
 *
 * @param runSpread standard deviation of the logarithm of the measured time.
 */
export function expectTime(
  call: MeasuredCall,
  quantity: Quantity,
  runSpread: number,
): LambdaRange | undefined {
  return coverAll(listCalls(call).map((each) => timeRange(each, quantity, runSpread, model())));
}

/**
 * Returns the 90% range of the ratio of two functions' times on Lambda. If their kinds are unknown, it covers all
 * possible ones, with the same work in both.
 *
 * @param runSpread standard deviation of the logarithm of the measured ratio.
 */
export function expectRatio(
  above: MeasuredCall,
  below: MeasuredCall,
  quantity: Quantity,
  runSpread: number,
): LambdaRange | undefined {
  const ranges = listCalls(above).flatMap((own) =>
    listCalls(below)
      .filter(({ kind }) => kind.work === own.kind.work)
      .map((base) => ratioRange(own, base, quantity, runSpread, model())),
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
  };
}
