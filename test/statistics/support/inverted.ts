import type { RatioInterval } from "../../../lib/statistics/ratio.ts";

/** Returns the ratio with its sides swapped, without drawing again. */
export function inverted(ratio: RatioInterval): RatioInterval {
  return {
    ...ratio,
    ratio: 1 / ratio.ratio,
    low: 1 / ratio.high,
    high: 1 / ratio.low,
    numeratorN: ratio.denominatorN,
    denominatorN: ratio.numeratorN,
  };
}
