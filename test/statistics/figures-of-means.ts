import { SeededRandom } from "../../lib/contract/seeded-order.ts";
import type { FigureOfMeans } from "../../lib/statistics/mean-interval.ts";
import type { Series } from "../../lib/statistics/series.ts";

/** A series of environments with these calls. */
export const units = (...values: readonly (readonly number[])[]): Series => ({
  units: values.map((each, block) => ({ block, values: each })),
});
/** The mean of a series by itself. */
export const only = (series: Series): FigureOfMeans => ({
  series: [series],
  compute: ([value = 0]) => value,
});
export const seeded = { seed: 7 };

/** spread returns values that lie evenly between two bounds. */
export function spread(count: number, seed: number, factor = 1): readonly number[] {
  const random = new SeededRandom(seed);
  return Array.from({ length: count }, () => factor * (80 + (40 * random.below(10_000)) / 10_000));
}
