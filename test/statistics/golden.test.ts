import { describe, expect, it } from "vitest";
import { normalTail } from "../../lib/statistics/mann-whitney-tails.ts";
import { median, medianInterval, quantileType7 } from "../../lib/statistics/order-statistics.ts";
import {
  cliffsDelta,
  hodgesLehmannShift,
  holmAdjusted,
  mannWhitney,
} from "../../lib/statistics/shift.ts";
import golden from "./golden/golden.json" with { type: "json" };

describe(`SciPy ${golden.versions.scipy} agrees`, () => {
  it("on quantiles of type 7 and on the median", () => {
    for (const { values, quantiles } of golden.quantiles) {
      for (const { probability, value } of quantiles) {
        expect(quantileType7(values, probability)).toBeCloseTo(value, 9);
        if (probability === 0.5) expect(median(values)).toBeCloseTo(value, 9);
      }
    }
  });

  it("on the ranks and the confidence of the median's interval", () => {
    for (const { n, rank, confidence } of golden.medianIntervals) {
      const ranks = Array.from({ length: n }, (_, index) => index + 1);
      const interval = medianInterval(ranks);
      expect(interval).toMatchObject({ low: rank, high: n + 1 - rank, n });
      expect(interval.kind === "median-interval" && interval.confidence).toBeCloseTo(
        confidence,
        10,
      );
    }
  });

  it.each(golden.shifts)("on the $method Mann-Whitney test with U = $u, p = $pValue", (shift) => {
    const test = mannWhitney(shift.a, shift.b);
    expect(test).toMatchObject({ kind: "mann-whitney", u: shift.u, method: shift.method });
    const pValue = test.kind === "mann-whitney" ? test.pValue : Number.NaN;
    expect(pValue / shift.pValue).toBeCloseTo(1, 9);
  });

  it("on the Hodges-Lehmann shift and on Cliff's delta", () => {
    for (const shift of golden.shifts) {
      expect(hodgesLehmannShift(shift.a, shift.b)).toBeCloseTo(shift.hodgesLehmann, 9);
      expect(cliffsDelta(shift.a, shift.b)).toBeCloseTo(shift.cliffsDelta, 12);
    }
  });

  it("on Holm's correction", () => {
    for (const { pValues, adjusted } of golden.holm) {
      holmAdjusted(pValues).forEach((p, index) => {
        expect(p).toBeCloseTo(adjusted[index] as number, 12);
      });
    }
  });

  it("on the normal distribution's tail", () => {
    for (const { z, probability } of golden.normalTail) {
      expect(normalTail(z) / probability).toBeCloseTo(1, 11);
    }
  });
});
