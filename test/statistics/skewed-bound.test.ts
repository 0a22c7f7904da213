import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { upperBoundOfMean } from "../../lib/statistics/skewed-bound.ts";
import "../support/property-seed.ts";

const seriesOf = (values: readonly number[]) => ({
  units: values.map((value, block) => ({ block, values: [value] })),
});

describe("the upper bound of a mean", () => {
  it("is the first term of Cornish and Fisher beyond Student's t, by hand", () => {
    // Of 1, 1, 1, 5: mean 2, standard deviation 2, skewness 2, and t is 3.18245 at 3 degrees.
    const t = 3.182_446_3;
    const byHand = 2 + (2 / 2) * (t + (2 * (2 * t ** 2 + 1)) / (6 * 2));
    expect(upperBoundOfMean(seriesOf([1, 1, 1, 5]), 0)).toBeCloseTo(byHand, 6);
  });

  it("is that of Student's t where times are skewed to the left, and never below the interval's end", () => {
    const t = 3.182_446_3;
    expect(upperBoundOfMean(seriesOf([5, 5, 5, 1]), 0)).toBeCloseTo(4 + t, 6);
    const values = fc.array(fc.double({ min: 0.1, max: 1e6, noNaN: true }), { maxLength: 80 });
    fc.assert(
      fc.property(values, fc.double({ min: 0.1, max: 1e6, noNaN: true }), (drawn, high) => {
        expect(upperBoundOfMean(seriesOf(drawn), high)).toBeGreaterThanOrEqual(high);
      }),
    );
  });

  it("is the interval's end where all environments take the same, or are fewer than three", () => {
    expect(upperBoundOfMean(seriesOf([4, 4, 4, 4]), 4)).toBe(4);
    expect(upperBoundOfMean(seriesOf([4, 9]), 7)).toBe(7);
  });

  it("counts an environment once, however many calls it answered", () => {
    const many = {
      units: [[1, 1], [1], [1, 1, 1], [4, 6]].map((values, block) => ({ block, values })),
    };
    expect(upperBoundOfMean(many, 0)).toBe(upperBoundOfMean(seriesOf([1, 1, 1, 5]), 0));
  });
});
