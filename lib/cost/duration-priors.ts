import { cpuCredit } from "../contract/cpu-credit.ts";
import type { Cell, Plan, SeenDurations } from "../contract/types/contract.ts";

type Language = "rust" | "python";

/** Expected durations of a variant's phases, ms, before it is measured. */
type DurationPrior = Omit<SeenDurations, "memoryMb">;

export type DurationPriors = Readonly<Record<Language, SeenDurations>>;

/**
 * Published figures of "Lambda Rust x DynamoDB" (2026): ap-northeast-1, arm64, 128 MB; medians of 4 cold starts,
 * means of 5 warm calls. warmMs is the mean Duration of its four operations. The second invocation is published only
 * for Rust, as its SDK call; for Python, a warm get is used instead.
 */
export const publishedPriors: DurationPriors = {
  rust: { memoryMb: 128, initMs: 112, firstMs: 912, secondMs: 6.7, warmMs: 9.1 },
  python: { memoryMb: 128, initMs: 357, firstMs: 291, secondMs: 34.5, warmMs: 34.2 },
};

/**
 * The same operations measured locally (Intel Xeon, November 2026): means at 128 MB of the study behind
 * docs/prediction.md. A warm get is used for the second invocation. Init is the start of a process.
 */
const localPriors: DurationPriors = {
  rust: { memoryMb: 128, initMs: 7, firstMs: 291, secondMs: 8, warmMs: 8 },
  python: { memoryMb: 128, initMs: 242, firstMs: 178, secondMs: 36, warmMs: 41 },
};

const ms = Number.POSITIVE_INFINITY;
const endless = { memoryMb: 128, initMs: ms, firstMs: ms, secondMs: ms, warmMs: ms };
/** Every call takes until its function's timeout. */
export const untilTimeout: DurationPriors = { rust: endless, python: endless };

/** Returns the experiment's own priors; for other languages, those of the plan's target. */
export function choosePriors({ priors, target }: Pick<Plan, "priors" | "target">): DurationPriors {
  return { ...(target === "aws" ? publishedPriors : localPriors), ...priors };
}

/** Minimum duration of a handler that calls a service: about one network round trip. */
const leastMs = 2;

/**
 * Returns the prior of a cell. Handler time scales with 1 / (share of a vCPU) up to one vCPU per worker; more does
 * not make a thread faster. Init does not scale: it runs at burst CPU at any memory size.
 */
export function choosePrior(
  { runtime, memoryMb, workers = 1 }: Pick<Cell, "runtime" | "memoryMb" | "workers">,
  priors: DurationPriors,
): DurationPrior {
  const seen = priors[runtime.startsWith("python") ? "python" : "rust"];
  const share = Math.min(cpuCredit(memoryMb), workers) / Math.min(cpuCredit(seen.memoryMb), 1);
  const scaled = (durationMs: number) => Math.max(durationMs / share, leastMs);
  return {
    initMs: seen.initMs,
    firstMs: scaled(seen.firstMs),
    secondMs: scaled(seen.secondMs),
    warmMs: scaled(seen.warmMs),
  };
}
