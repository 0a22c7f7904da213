import { array, assert, double, integer, oneof, property } from "fast-check";
import { describe, expect, it } from "vitest";
import {
  median,
  quantileBySelection,
  quantileType7,
} from "../../lib/statistics/order-statistics.ts";

describe("percentiles", () => {
  it("has no median of nothing", () => {
    expect(() => median([])).toThrow(/found none/);
    expect(() => quantileType7([], 0.5)).toThrow(/found none/);
  });

  it("refuses a probability outside 0 to 1", () => {
    expect(() => quantileType7([1], -0.01)).toThrow(/probability: found -0.01; allowed: 0 to 1/);
    expect(() => quantileType7([1], 1.01)).toThrow(/probability: found 1.01; allowed: 0 to 1/);
  });

  it("leaves the values it was given in their order", () => {
    const values = [3, 1, 2];
    expect(median(values)).toBe(2);
    expect(values).toEqual([3, 1, 2]);
  });

  it("are the same by selection as by sorting, of whatever values in whatever order", () => {
    const any = oneof(double({ noNaN: true, min: -1e6, max: 1e6 }), integer({ min: -3, max: 3 }));
    // Sorting tells -0 from 0, a selection does not.
    const value = any.map((number) => number + 0);
    const probabilities = array(double({ min: 0, max: 1, noNaN: true }), { maxLength: 4 });
    assert(
      property(array(value, { minLength: 1, maxLength: 300 }), probabilities, (values, wanted) => {
        const selected = Float64Array.from(values);
        for (const probability of [0.025, 0.975, 0, 1, ...wanted]) {
          const bySorting = quantileType7(values, probability);
          expect(quantileBySelection(selected, probability)).toBe(bySorting);
        }
        expect(selected.sort()).toEqual(Float64Array.from(values).sort());
      }),
    );
  });
});
