import { defined } from "../../lib/contract/defined.ts";
import type { ConsoleInput, Limit } from "../../lib/contract/types/contract.ts";
import { formatLimit } from "../../lib/plan/limits.ts";

/** The options that become the state machine's input. */
export interface InputOptions {
  readonly experiment?: readonly string[];
  readonly variants?: readonly string[];
  readonly memory?: readonly number[];
  readonly architectures?: readonly string[];
  readonly preset?: "quick" | "standard";
  readonly cold?: number;
  readonly warm?: number;
  readonly seed?: number;
  readonly lanes?: number;
  readonly maxCost?: number;
  /** The share as typed, e.g. 5%. */
  readonly untilPrecision?: string;
  readonly maxSamples?: number;
  readonly maxMinutes?: number;
  readonly limit?: readonly Limit[];
}

/** Returns the input as typed into the console; `{}` if no option was given. */
export function consoleInput(options: InputOptions): ConsoleInput {
  const { experiment, variants, memory, architectures, maxCost, ...rest } = options;
  const { preset, cold, warm, seed, lanes, untilPrecision, maxSamples, maxMinutes, limit } = rest;
  const isAll = experiment?.length === 1 && experiment[0] === "all";
  return defined({
    experiment: isAll ? undefined : experiment,
    variants,
    memoryMb: memory,
    architectures,
    preset,
    cold,
    warm,
    seed,
    lanes,
    maxCostUsd: maxCost,
    untilPrecision,
    maxSamples,
    maxMinutes,
    limits: limit?.map(formatLimit),
  }) as ConsoleInput;
}
