import { array, assert, double, property } from "fast-check";
import { describe, expect, it } from "vitest";
import { SeededRandom } from "../../lib/contract/seeded-order.ts";
import {
  interpolatedMedianInterval,
  medianInterval,
} from "../../lib/statistics/order-statistics.ts";
import { standardNormal } from "./simulated-series.ts";
import { simulated } from "./support/simulated.ts";

const durations = double({ min: 0, max: 900_000, noNaN: true });

describe("the median's interval", () => {
  it("is insufficient below six values, and says that six are needed", () => {
    expect(medianInterval([1, 2, 3, 4, 5])).toEqual({ kind: "insufficient", needed: 6, n: 5 });
  });

  it("is the whole range of six values, with 96.875%", () => {
    expect(medianInterval([9, 1, 8, 2, 7, 3])).toEqual({
      kind: "median-interval",
      median: 5,
      low: 1,
      high: 9,
      confidence: 0.96875,
      n: 6,
    });
  });

  it("holds the median, is made of values, and minds no order", () => {
    assert(
      property(array(durations, { minLength: 6, maxLength: 80 }), (values) => {
        const interval = medianInterval(values);
        if (interval.kind !== "median-interval") throw new Error(interval.kind);
        expect(interval.low).toBeLessThanOrEqual(interval.median);
        expect(interval.high).toBeGreaterThanOrEqual(interval.median);
        expect(interval.confidence).toBeGreaterThanOrEqual(0.95);
        expect(values).toContain(interval.low);
        expect(medianInterval([...values].reverse())).toEqual(interval);
      }),
    );
  });

  simulated.each([6, 7, 10, 30])(
    "covers the true median in at least 95%% of samples of %i",
    (n) => {
      const random = new SeededRandom(n);
      const rounds = 4000;
      let covered = 0;
      for (let round = 0; round < rounds; round++) {
        const interval = medianInterval(Array.from({ length: n }, () => standardNormal(random)));
        if (interval.kind === "median-interval" && interval.low <= 0 && interval.high >= 0)
          covered++;
      }
      // Three standard errors of a share of 0.95 in 4,000.
      expect(covered / rounds).toBeGreaterThanOrEqual(0.95 - 0.0104);
    },
  );

  it("refuses a value that is no finite number", () => {
    expect(() => medianInterval([1, 2, 3, 4, 5, Number.NaN])).toThrow(/found NaN; allowed: finite/);
  });
});

describe("the median's interval between order statistics", () => {
  it("is insufficient below six values too", () => {
    expect(interpolatedMedianInterval([1, 2, 3, 4, 5])).toMatchObject({ kind: "insufficient" });
  });

  it("lies where Hettmansperger and Sheather's formula has it", () => {
    // n = 10: from rank 2 to 9 it is 97.85%, from 3 to 8 89.06%; a share of 0.3244 of the way, weighed.
    const share = (0.978515625 - 0.95) / (0.978515625 - 0.890625);
    const weight = (8 * share) / (2 + 6 * share);
    const found = interpolatedMedianInterval([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(found).toMatchObject({ median: 5.5, confidence: 0.95, n: 10 });
    if (found.kind !== "median-interval") throw new Error(found.kind);
    expect(found.low).toBeCloseTo(2 + weight, 12);
    expect(found.high).toBeCloseTo(9 - weight, 12);
  });

  it("lies within the exact one, and holds the median", () => {
    assert(
      property(array(durations, { minLength: 6, maxLength: 80 }), (values) => {
        const [exact, between] = [medianInterval(values), interpolatedMedianInterval(values)];
        if (exact.kind !== "median-interval" || between.kind !== "median-interval")
          throw new Error();
        expect(between.low).toBeGreaterThanOrEqual(exact.low);
        expect(between.high).toBeLessThanOrEqual(exact.high);
        expect(between.low).toBeLessThanOrEqual(between.median);
        expect(between.high).toBeGreaterThanOrEqual(between.median);
      }),
    );
  });

  simulated.each([6, 8, 20, 60])("covers the true median in 95%% of samples of %i", (n) => {
    const random = new SeededRandom(n);
    const rounds = 4000;
    let covered = 0;
    for (let round = 0; round < rounds; round++) {
      const values = Array.from({ length: n }, () => standardNormal(random));
      const interval = interpolatedMedianInterval(values);
      if (interval.kind === "median-interval" && interval.low <= 0 && interval.high >= 0) covered++;
    }
    expect(Math.abs(covered / rounds - 0.95)).toBeLessThan(0.0104);
  });
});
