import { type Insufficient, insufficient } from "./insufficient.ts";
import { ascending, quantileOfSorted } from "./quantile.ts";

export interface Outliers {
  readonly kind: "outliers";
  /** Places in the values as given. */
  readonly indices: readonly number[];
  readonly lowFence: number;
  readonly highFence: number;
}

const fenceWidths = 3;
const neededForQuartiles = 6;

/**
 * Values beyond Tukey's outer fences, three interquartile ranges past the quartiles (Exploratory
 * Data Analysis, 1977: "far out"). They are flagged and stay in every statistic: a slow start is
 * part of what Lambda does, and medians do not mind. Fences in the unit of the values.
 */
export function farOut(values: readonly number[]): Outliers | Insufficient {
  if (values.length < neededForQuartiles) return insufficient(neededForQuartiles, values.length);
  const sorted = ascending(values);
  const lowerQuartile = quantileOfSorted(sorted, 0.25);
  const upperQuartile = quantileOfSorted(sorted, 0.75);
  const reach = fenceWidths * (upperQuartile - lowerQuartile);
  const lowFence = lowerQuartile - reach;
  const highFence = upperQuartile + reach;
  const indices = values.flatMap((value, index) =>
    value < lowFence || value > highFence ? [index] : [],
  );
  return { kind: "outliers", indices, lowFence, highFence };
}
