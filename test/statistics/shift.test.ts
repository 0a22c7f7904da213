import { array, assert, double, integer, property } from "fast-check";
import { describe, expect, it } from "vitest";
import { SeededRandom } from "../../lib/contract/seeded-order.ts";
import {
  cliffsDelta,
  hodgesLehmannShift,
  holmAdjusted,
  mannWhitney,
} from "../../lib/statistics/shift.ts";

const values = array(integer({ min: 0, max: 50 }), { minLength: 1, maxLength: 12 });
const probabilities = array(double({ min: 0, max: 1, noNaN: true }), { maxLength: 20 });

describe("the shift between two sets of environments", () => {
  it("changes its sign, and no p-value, when the sides change places", () => {
    assert(
      property(values, values, (a, b) => {
        const there = mannWhitney(a, b);
        const back = mannWhitney(b, a);
        if (there.kind !== "mann-whitney" || back.kind !== "mann-whitney") throw new Error();
        expect(back.pValue).toBeCloseTo(there.pValue, 12);
        expect(back.u + there.u).toBe(a.length * b.length);
        expect(cliffsDelta(b, a)).toBeCloseTo(-cliffsDelta(a, b), 12);
        expect(hodgesLehmannShift(b, a)).toBeCloseTo(-hodgesLehmannShift(a, b), 9);
      }),
    );
  });

  it("is not significant between equal values", () => {
    expect(mannWhitney([5, 5, 5], [5, 5])).toMatchObject({ u: 3, pValue: 1, method: "exact" });
  });

  it("is complete where every value of one side is the larger", () => {
    expect(cliffsDelta([4, 5, 6], [1, 2, 3])).toBe(1);
    expect(hodgesLehmannShift([14, 15, 16], [4, 5, 6])).toBe(10);
  });

  it("is the same shift of more differences than are listed, each rank found exactly", () => {
    const random = new SeededRandom(3);
    const drawn = (n: number) => Array.from({ length: n }, () => random.nextUint32() / 1000);
    const [a, b] = [drawn(1002), drawn(1000)];
    const listed = Float64Array.from(a.flatMap((x) => b.map((y) => x - y))).sort();
    const middle = ((listed[500_999] as number) + (listed[501_000] as number)) / 2;
    expect(hodgesLehmannShift(a, b)).toBe(middle);
  });

  it("says so when a side is empty", () => {
    expect(mannWhitney([], [1])).toEqual({ kind: "insufficient", needed: 1, n: 0 });
    expect(() => cliffsDelta([], [1])).toThrow(/found none/);
    expect(() => hodgesLehmannShift([1], [])).toThrow(/found none/);
  });
});

describe("Holm's correction", () => {
  it("never lowers a p-value, keeps their order and stays within 1", () => {
    assert(
      property(probabilities, (pValues) => {
        const adjusted = holmAdjusted(pValues);
        const order = pValues.map((_, index) => index);
        order.sort((x, y) => (pValues[x] as number) - (pValues[y] as number));
        let previous = 0;
        for (const index of order) {
          const value = adjusted[index] as number;
          expect(value).toBeGreaterThanOrEqual(Math.max(previous, pValues[index] as number));
          expect(value).toBeLessThanOrEqual(1);
          previous = value;
        }
      }),
    );
  });

  it("corrects nothing in a family of one, and nothing in none", () => {
    expect(holmAdjusted([0.03])).toEqual([0.03]);
    expect(holmAdjusted([])).toEqual([]);
  });
});
