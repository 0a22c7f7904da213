import type { Insufficient } from "./order-statistics.ts";

export interface RatioInterval {
  readonly kind: "ratio";
  /** The numerator's figure divided by the denominator's. */
  readonly ratio: number;
  readonly low: number;
  readonly high: number;
  readonly confidence: number;
  readonly draws: number;
  /** Number of environments on each side. */
  readonly numeratorN: number;
  readonly denominatorN: number;
  /** Blocks in which both sides have an environment, resampled together; 0 if the pairing is independent. */
  readonly pairedBlocks: number;
}

/** No ratio, because a figure is not above 0; `found` is the smaller one. */
interface NotPositive {
  readonly kind: "not-positive";
  readonly found: number;
}

export type Ratio = RatioInterval | NotPositive | Insufficient;
