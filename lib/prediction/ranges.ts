import { type Calibrator, durationQuantity, type Model, type TimeQuantity } from "./calibration.ts";
import type { ClaimKind } from "./claims.ts";
import type { LocalCall } from "./local-times.ts";
import { predictTimes } from "./model.ts";
import { type LambdaRange, rangeAround } from "./spread.ts";

/** The part of a call that a range is for. */
export type Quantity = ClaimKind["quantity"];

/** The model behind a range, and the calibration if there is one. */
export interface Basis {
  readonly model: Model;
  /** @default the published figures alone */
  readonly calibrator?: Calibrator;
}

/**
 * Returns the 90% range of a time on Lambda, ms; undefined if the call has no such time.
 *
 * @param runSpread standard deviation of the logarithm of the measured time.
 */
export function timeRange(
  call: LocalCall,
  quantity: Quantity,
  runSpread: number,
  { model, calibrator }: Basis,
): LambdaRange | undefined {
  const time = predictTime(call, quantity, { model, ...(calibrator && { calibrator }) });
  if (time === undefined) return undefined;
  const { ms, remaining, isCalibrated } = time;
  const spread = model.spread.of({ quantity, form: "time", work: call.kind.work });
  return {
    ...rangeAround(ms, spread * Math.sqrt(remaining), runSpread),
    ...(isCalibrated !== "not" && { isCalibrated: true }),
  };
}

/**
 * Returns the 90% range of the ratio of two functions' times on Lambda. A calibration is used only if it covers both
 * times: one that covers a single side would put effects of machine and account that both sides share into the ratio.
 * The model's variance is then scaled by the mean of both times' `remaining`; for two functions of one family, whose
 * times have the same factors, it stays the same.
 *
 * @param runSpread standard deviation of the logarithm of the measured ratio.
 */
export function ratioRange(
  above: LocalCall,
  below: LocalCall,
  quantity: Quantity,
  runSpread: number,
  basis: Basis,
): LambdaRange | undefined {
  const { model } = basis;
  const calibrated = [above, below].map((call) => predictTime(call, quantity, basis));
  const isCalibrated = calibrated.every((time) => time?.isCalibrated === "whole");
  const [own, base] = isCalibrated
    ? calibrated
    : [above, below].map((call) => predictTime(call, quantity, { model }));
  if (own === undefined || base === undefined) return undefined;
  const isOneFamily = above.kind.family === below.kind.family;
  const remaining = isOneFamily ? 1 : (own.remaining + base.remaining) / 2;
  const spread = model.spread.of({ quantity, form: "ratio", work: above.kind.work });
  return {
    ...rangeAround(own.ms / base.ms, spread * Math.sqrt(remaining), runSpread),
    ...(isCalibrated && { isCalibrated: true }),
  };
}

interface PredictedTime {
  readonly ms: number;
  /** Remaining share of the model's variance, averaged over the parts. */
  readonly remaining: number;
  /** `part` if only Init or only the first Duration of a cold start is calibrated. */
  readonly isCalibrated: "not" | "part" | "whole";
}

/** Adds up the parts of a time, each multiplied by its calibrated factor. Undefined if a part is missing. */
function predictTime(
  call: LocalCall,
  quantity: Quantity,
  { model, calibrator }: Basis,
): PredictedTime | undefined {
  const { durationMs, initMs } = predictTimes(call, model.constants);
  const part = (ms: number | undefined, name: TimeQuantity) => ({
    ms,
    learned: calibrator?.factorOf(name, call.kind),
  });
  const init = part(initMs, "init");
  const duration = part(durationMs, durationQuantity(call));
  const parts = { init: [init], first: [duration], warm: [duration], cold: [init, duration] };
  const known = parts[quantity].flatMap(({ ms, learned }) =>
    ms === undefined ? [] : [{ ms: ms * (learned?.factor ?? 1), learned }],
  );
  if (known.length < parts[quantity].length) return undefined;
  const learned = known.filter((each) => each.learned !== undefined);
  const isWhole = learned.length === known.length;
  return {
    ms: known.reduce((sum, { ms }) => sum + ms, 0),
    remaining: known.reduce((sum, each) => sum + (each.learned?.remaining ?? 1), 0) / known.length,
    isCalibrated: learned.length === 0 ? "not" : isWhole ? "whole" : "part",
  };
}
