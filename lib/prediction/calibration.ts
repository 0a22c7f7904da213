import { groupBy } from "../contract/group-by.ts";
import type { ClaimKind } from "./claims.ts";

import type { FunctionKind } from "./function-kind.ts";
import type { LambdaTimes, LocalCall } from "./local-times.ts";
import { type Constants, predictTimes } from "./model.ts";
import type { Spread } from "./spread.ts";

/** Constants with the spread that they leave in figures that they were not fitted to. */
export interface Model {
  readonly constants: Constants;
  readonly spread: Spread;
}

/** A call that was measured here and on Lambda. */
export interface CalibratingCall {
  /** The name of what counts as one function, whatever its sizes and operations. */
  readonly function: string;
  /** As measured here, at the speed of the study's machine: once for each kind that a user's own function may be. */
  readonly calls: readonly LocalCall[];
  readonly lambda: Partial<LambdaTimes>;
  /** Standard deviations of the logarithms of Lambda's times over those here. */
  readonly runSpread: Readonly<Record<"durationMs" | "initMs", number>>;
}

/** The times of a call that are measured; a cold start is two of them. */
export type TimeQuantity =
  | Exclude<ClaimKind["quantity"], "cold">
  /** The first Duration after an Init that made the first request: no warm call is like it. */
  | "warmed";

/** The parts of the model that are calibrated apart from each other. */
export type Part = TimeQuantity | "compute";

/** What calls on Lambda say of one part of the model, for functions of one family. */
export interface LearnedFactor {
  /** Functions that say it. */
  readonly functions: number;
  readonly calls: number;
  /** The model's time is multiplied by it. */
  readonly factor: number;
  /** Standard deviation of the logarithms of predictions that use the factor, for other functions. */
  readonly spread: number;
  /** The variance that is left, over the model's: usually below 1. */
  readonly remaining: number;
}

/** Factors on the model's times; undefined for a part that no call says anything of. */
export interface Calibrator {
  factorOf(quantity: TimeQuantity, kind: FunctionKind): LearnedFactor | undefined;
}

/** makeCalibrator returns the factors that the calls say, each worked out at its first use. */
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

/** Computing takes as long in a first call as in a warm one. */
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

/** The logarithm of one time on Lambda over the model's. */
interface Residual {
  readonly function: string;
  readonly log: number;
  /** Variance of the logarithm, from the two runs' intervals. */
  readonly variance: number;
}

/** Half of the model's variance is taken to be the machine's and account's, the other half each function's own. */
const accountShare = 0.5;

/**
 * learnFactor estimates the factor of machine and account from the functions' residuals, as a random effect: the fewer
 * functions there are, and the more they differ, the closer it stays to 1. The variance of a function's own is that of
 * the residuals around their mean, pooled with the model's as if that were one function more.
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
  const left = own + account * (1 - weight);
  return {
    ...{ functions: n, calls: residuals.length, factor: Math.exp(weight * center) },
    ...{ spread: Math.sqrt(left), remaining: left / variance },
  };
}

/** residualOf returns nothing for a call of another family or part, or without the time on both sides. */
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

/** How much a kind is like another: the same work counts more than the same way to get entropy. */
function likeness(one: FunctionKind, other: FunctionKind): number {
  return 2 * Number(one.work === other.work) + Number(one.gathersJitter === other.gathersJitter);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
