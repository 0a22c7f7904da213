import { describe, expect, it } from "vitest";
import type { Comparison } from "../../lib/analysis/comparisons.ts";
import { measurePrecision, relativeHalfWidth } from "../../lib/analysis/precision.ts";

const comparison = (figures: Partial<Comparison>) => figures as Comparison;

describe("the precision of a ratio", () => {
  it("is half its interval's width, for a ratio and its inverse alike", () => {
    expect(relativeHalfWidth({ low: 1 / 1.05, high: 1.05 })).toBeCloseTo(0.05, 12);
    const inverse = { low: 1 / 1.3, high: 1 / 0.9 };
    expect(relativeHalfWidth({ low: 0.9, high: 1.3 })).toBeCloseTo(
      relativeHalfWidth(inverse) ?? 0,
      12,
    );
    expect(relativeHalfWidth({ low: 2, high: 2 })).toBe(0);
  });

  it("is not there without an interval, and such a ratio is the widest", () => {
    const none = comparison({ verdict: "undecided", undecidedReason: "too-few" });
    const narrow = comparison({ low: 1, high: 1.02 });
    const wider = comparison({ low: 1, high: 1.3 });
    const found = measurePrecision([narrow, none, wider], 0.05);
    expect(found.ratios).toBe(3);
    expect(found.wide.map((each) => each.comparison)).toEqual([none, wider]);
    expect(found.widest?.comparison).toBe(wider);
  });

  it("is not asked of a median of 0, of which there is no ratio", () => {
    const zero = comparison({ verdict: "undecided", undecidedReason: "not-positive" });
    expect(measurePrecision([zero], 0.05)).toEqual({ ratios: 0, wide: [] });
  });
});
