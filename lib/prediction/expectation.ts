import type { SpeedProbe } from "../contract/types/contract.ts";
import { type ClaimKind, heldOutClaims } from "./claims.ts";
import { fitConstants } from "./fit.ts";
import type { FunctionKind } from "./function-kind.ts";
import type { LocalCall } from "./local-times.ts";
import { atStudySpeed, isComparable, slownessOf } from "./machine-speed.ts";
import { type Constants, predictTimes } from "./model.ts";
import { type LambdaRange, measureSpread, rangeAround, type Spread } from "./spread.ts";
import { observations } from "./study-calls.ts";

/** One call of a function, with all kinds that it may be (several for a user's own function). */
export interface MeasuredCall extends Omit<LocalCall, "kind"> {
  readonly kinds: readonly FunctionKind[];
  /** Speed of the machine that measured the call. */
  readonly speed: SpeedProbe;
}

/** The part of a call that a range is for. */
export type Quantity = ClaimKind["quantity"];

interface Model {
  readonly constants: Constants;
  readonly spread: Spread;
}

let fitted: Model | undefined;

/** The model is fitted to all sources once per process; its spread comes from leaving each one out. */
function model(): Model {
  fitted ??= {
    constants: fitConstants(observations),
    spread: measureSpread(heldOutClaims(observations)),
  };
  return fitted;
}

/**
 * expectTime returns the 90% range of a time on Lambda, ms; with several kinds it covers the range of each. Undefined
 * if the call has no such time.
 *
 * @param runSpread standard deviation of the logarithm of the measured time.
 */
export function expectTime(
  call: MeasuredCall,
  quantity: Quantity,
  runSpread: number,
): LambdaRange | undefined {
  const ranges = call.kinds.map((kind) => {
    const ms = timeOf({ ...call, kind }, quantity);
    if (ms === undefined) return undefined;
    const spread = model().spread.of({ quantity, form: "time", work: kind.work });
    return rangeAround(ms, spread, runSpread);
  });
  return coverAll(ranges);
}

/**
 * expectRatio returns the 90% range of the ratio of two functions' times on Lambda. If their kinds are not known, it
 * covers all possible ones, with the same work in both.
 *
 * @param runSpread standard deviation of the logarithm of the measured ratio.
 */
export function expectRatio(
  above: MeasuredCall,
  below: MeasuredCall,
  quantity: Quantity,
  runSpread: number,
): LambdaRange | undefined {
  const ranges = above.kinds.flatMap((kind) =>
    below.kinds
      .filter(({ work }) => work === kind.work)
      .map((other) => {
        const [own, base] = [
          timeOf({ ...above, kind }, quantity),
          timeOf({ ...below, kind: other }, quantity),
        ];
        if (own === undefined || base === undefined) return undefined;
        const spread = model().spread.of({ quantity, form: "ratio", work: kind.work });
        return rangeAround(own / base, spread, runSpread);
      }),
  );
  return coverAll(ranges);
}

function timeOf(
  { speed, ...call }: LocalCall & Pick<MeasuredCall, "speed">,
  quantity: Quantity,
): number | undefined {
  if (!isComparable(speed, call.kind)) return undefined;
  const atSpeed = atStudySpeed(call, slownessOf(speed, call.kind.family));
  const { durationMs, initMs } = predictTimes(atSpeed, model().constants);
  if (quantity === "init") return initMs;
  if (quantity !== "cold") return durationMs;
  return initMs === undefined ? undefined : initMs + durationMs;
}

/** The single value that is most to be expected is the middle one. */
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
