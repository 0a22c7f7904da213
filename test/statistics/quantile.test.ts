import { describe, expect, it } from "vitest";
import { median, quantileType7, tailPercentile } from "../../lib/statistics/quantile.ts";

const upTo = (n: number) => Array.from({ length: n }, (_, index) => index + 1);

describe("percentiles", () => {
  it("asks for 60 values for P95", () => {
    expect(tailPercentile(upTo(59), "p95")).toEqual({ kind: "insufficient", needed: 60, n: 59 });
    expect(tailPercentile(upTo(60), "p95")).toMatchObject({ kind: "percentile", n: 60 });
  });

  it("asks for 300 values for P99", () => {
    expect(tailPercentile(upTo(299), "p99")).toEqual({ kind: "insufficient", needed: 300, n: 299 });
    expect(tailPercentile(upTo(301), "p99")).toMatchObject({ value: 298, probability: 0.99 });
  });

  it("has no median of nothing", () => {
    expect(() => median([])).toThrow(/found none/);
    expect(() => quantileType7([], 0.5)).toThrow(/found none/);
  });

  it("refuses a probability outside 0 to 1", () => {
    expect(() => quantileType7([1], 1.01)).toThrow(/probability: found 1.01; allowed: 0 to 1/);
  });

  it("leaves the values it was given in their order", () => {
    const values = [3, 1, 2];
    expect(median(values)).toBe(2);
    expect(values).toEqual([3, 1, 2]);
  });
});
