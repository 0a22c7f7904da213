import { ascending } from "./quantile.ts";

/**
 * The arithmetic mean, in the unit of the values and for any order of them; undefined without any.
 * It stands beside figures of sources that give means, and in no comparison: one slow start moves
 * it far and a median hardly. Throws RangeError on a value that is not finite.
 */
export function mean(values: readonly number[]): number | undefined {
  if (values.length === 0) return undefined;
  return ascending(values).reduce((sum, value) => sum + value, 0) / values.length;
}
