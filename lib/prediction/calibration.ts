import { groupBy } from "../contract/group-by.ts";
import type { ClaimKind } from "./claims.ts";

import type { FunctionKind } from "./function-kind.ts";
import type { LambdaTimes, LocalCall } from "./local-times.ts";
import { type Constants, predictTimes } from "./model.ts";
import type { Spread } from "./spread.ts";

/** Constants, with the spread of their errors for figures that they were not fitted to. */
export interface Model {
  readonly constants: Constants;
  readonly spread: Spread;
}

/** A call that was measured both here and on Lambda. */
export interface CalibratingCall {
  /** Name of the function, shared by all its sizes and operations. */
  readonly function: string;
  /** The call as measured here, at the study machine's speed: one entry per kind that a user's function may be. */
  readonly calls: readonly LocalCall[];
  readonly lambda: Partial<LambdaTimes>;
  /** Standard deviations of the logarithms of the ratios of Lambda's times to those here. */
  readonly runSpread: Readonly<Record<"durationMs" | "initMs", number>>;
}

/** The measured times of a call. A cold start has two of them. */
export type TimeQuantity =
  | Exclude<ClaimKind["quantity"], "cold">
  /** The first Duration after an Init that made the first request. It is unlike any warm call. */
  | "warmed";

/** The parts of the model that are calibrated separately. */
export type Part = TimeQuantity | "compute";

/** Factor on one part of the model for functions of one family, estimated from calls on Lambda. */
export interface LearnedFactor {
  /** Number of functions behind the factor. */
  readonly functions: number;
  readonly calls: number;
  /** The model's time is multiplied by this. */
  readonly factor: number;
  /** Standard deviation of the logarithms of predictions that use the factor, for other functions. */
  readonly spread: number;
  /** Remaining variance as a share of the model's; usually below 1. */
  readonly remaining: number;
}

/** Factors on the model's times. Undefined for a part that no call measures. */
export interface Calibrator {
  factorOf(quantity: TimeQuantity, kind: FunctionKind): LearnedFactor | undefined;
}

/** Returns the factors estimated from these calls, each computed on first use. */
export function makeCalibrator(calls: readonly CalibratingCall[], model: Model): Calibrator {
  const known = new Map<string, LearnedFactor | undefined>();
  return {
    factorOf: (quantity, kind) => {
      const key = JSON.stringify([quantity, kind.family, kind.work, kind.gathersJitter]);
      if (!known.has(key)) known.set(key, learnFactor(calls, quantity, kind, model));
      return known.get(key);
    },
  };
}

/** Returns the part of a time. Computation has one part: it takes as long in a first call as in a warm one. */
export function partOf(quantity: TimeQuantity, { work }: FunctionKind): Part {
  if (quantity === "init") return "init";
  return work === "compute" ? "compute" : quantity;
}

export function durationQuantity({
  call,
  warmupMs,
}: Pick<LocalCall, "call" | "warmupMs">): Exclude<TimeQuantity, "init"> {
  if (call === "warm") return "warm";
  return warmupMs === undefined ? "first" : "warmed";
}

/** Logarithm of the ratio of a time on Lambda to the model's. */
interface Residual {
  readonly function: string;
  readonly log: number;
  /** Variance of the logarithm, from the two runs' intervals. */
  readonly variance: number;
}

/** Share of the model's variance attributed to the machine and the account. The rest is each function's own. */
const accountShare = 0.5;

/**
 * Estimates the factor of machine and account from the functions' residuals, as a random effect: the fewer functions
 * there are, and the more they differ, the closer it stays to 1. A function's own variance is that of the residuals
 * around their mean, pooled with the model's as if that were one more function.
 */
function learnFactor(
  calls: readonly CalibratingCall[],
  quantity: TimeQuantity,
  kind: FunctionKind,
  { constants, spread }: Model,
): LearnedFactor | undefined {
  const residuals = calls.flatMap((call) => residualOf(call, quantity, kind, constants));
  const functions = [...groupBy(residuals, (each) => each.function).values()];
  const n = functions.length;
  if (n === 0) return undefined;
  const claimed = quantity === "warmed" ? "first" : quantity;
  const variance = spread.of({ quantity: claimed, form: "time", work: kind.work }) ** 2;
  const account = accountShare * variance;
  const center = mean(functions.map((own) => mean(own.map(({ log }) => log))));
  const scatter = functions.map((own) => mean(own.map(({ log }) => (log - center) ** 2)));
  const own = (n * mean(scatter) + (1 - accountShare) * variance) / n;
  const ofRuns = mean(functions.map((each) => mean(each.map((residual) => residual.variance))));
  const weight = (n * account) / (n * account + own + ofRuns);
  const remainingVariance = own + account * (1 - weight);
  return {
    functions: n,
    calls: residuals.length,
    factor: Math.exp(weight * center),
    spread: Math.sqrt(remainingVariance),
    remaining: remainingVariance / variance,
  };
}

/** Returns nothing for a call of another family or part, or if either side lacks the time. */
function residualOf(
  call: CalibratingCall,
  quantity: TimeQuantity,
  kind: FunctionKind,
  constants: Constants,
): readonly Residual[] {
  const part = partOf(quantity, kind);
  const [as] = call.calls
    .filter((each) => {
      const own = quantity === "init" ? quantity : durationQuantity(each);
      return each.kind.family === kind.family && partOf(own, each.kind) === part;
    })
    .toSorted((a, b) => likeness(b.kind, kind) - likeness(a.kind, kind));
  if (as === undefined) return [];
  const time = quantity === "init" ? "initMs" : "durationMs";
  const [observed, predicted] = [call.lambda[time], predictTimes(as, constants)[time]];
  if (observed === undefined || predicted === undefined || !(predicted > 0)) return [];
  const log = Math.log(observed / predicted);
  return [{ function: call.function, log, variance: call.runSpread[time] ** 2 }];
}

/** Returns how similar two kinds are: the same work counts more than the same way to get entropy. */
function likeness(one: FunctionKind, other: FunctionKind): number {
  return 2 * Number(one.work === other.work) + Number(one.gathersJitter === other.gathersJitter);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
