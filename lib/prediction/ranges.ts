import type { ClaimKind } from "./claims.ts";
import type { LocalCall } from "./local-times.ts";
import { type Constants, predictTimes } from "./model.ts";
import { type LambdaRange, rangeAround, type Spread } from "./spread.ts";

/** Constants, with the spread of their errors for figures that they were not fitted to. */
export interface Model {
  readonly constants: Constants;
  readonly spread: Spread;
}

/** The part of a call that a range is for. */
export type Quantity = ClaimKind["quantity"];

/**
 * Returns the 90% range of a time on Lambda, ms; undefined if the call has no such time.
 *
 * @param runSpread standard deviation of the logarithm of the measured time.
 */
export function timeRange(
  call: LocalCall,
  quantity: Quantity,
  runSpread: number,
  { constants, spread }: Model,
): LambdaRange | undefined {
  const ms = predictTime(call, quantity, constants);
  if (ms === undefined) return undefined;
  return rangeAround(ms, spread.of({ quantity, form: "time", work: call.kind.work }), runSpread);
}

/**
 * Returns the 90% range of the ratio of two functions' times on Lambda; undefined if a call has no such time.
 *
 * @param runSpread standard deviation of the logarithm of the measured ratio.
 */
export function ratioRange(
  above: LocalCall,
  below: LocalCall,
  quantity: Quantity,
  runSpread: number,
  { constants, spread }: Model,
): LambdaRange | undefined {
  const [own, base] = [above, below].map((call) => predictTime(call, quantity, constants));
  if (own === undefined || base === undefined) return undefined;
  const modelSpread = spread.of({ quantity, form: "ratio", work: above.kind.work });
  return rangeAround(own / base, modelSpread, runSpread);
}

/** Adds up the parts of a time, ms. Undefined if a part is missing. */
function predictTime(
  call: LocalCall,
  quantity: Quantity,
  constants: Constants,
): number | undefined {
  const { durationMs, initMs } = predictTimes(call, constants);
  if (quantity === "init") return initMs;
  if (quantity !== "cold") return durationMs;
  return initMs === undefined || durationMs === undefined ? undefined : initMs + durationMs;
}
