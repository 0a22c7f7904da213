import type { FunctionKind } from "./function-kind.ts";

/** A mean with its 95% confidence interval, if there were enough environments. */
export interface MeanTime {
  readonly mean: number;
  readonly low?: number;
  readonly high?: number;
}

/** One call of one function, as measured by a local run. This is the input of a prediction. */
export interface LocalCall {
  readonly kind: FunctionKind;
  readonly memoryMb: number;
  readonly call: "first" | "warm";
  readonly durationMs: number;
  /** Mean Init; first calls only. */
  readonly initMs?: number;
  /** Mean time of a call made in Init to warm a client. It is part of `initMs`. */
  readonly warmupMs?: number;
  /** Time that a first request waits for the simulated network: the connection and one answer. */
  readonly networkMs: number;
  /** Time that each later request waits for the simulated network's answer. @default 0 */
  readonly answerMs?: number;
  /** Unpacked size of a native function's binary. */
  readonly artefactMb?: number;
}

/** The times of one call on Lambda. */
export interface LambdaTimes {
  readonly durationMs: number;
  readonly initMs?: number;
}
