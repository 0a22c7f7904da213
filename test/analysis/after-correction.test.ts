import { describe, expect, it } from "vitest";
import type { SeriesChange } from "../../lib/analysis/compare-runs.ts";
import { afterCorrection, environmentsForFamily } from "../../lib/analysis/family.ts";
import { mannWhitney } from "../../lib/statistics/shift.ts";

function change(verdict: SeriesChange["verdict"], pValue?: number): SeriesChange {
  return {
    experiment: "dynamodb",
    cell: {
      id: "rust-arm64-128",
      variant: "rust",
      runtime: "provided.al2023",
      architecture: "arm64",
      memoryMb: 128,
    },
    phase: "cold",
    operation: "get",
    quantity: "durationMs",
    before: { n: 10, environments: 10 },
    after: { n: 10, environments: 10 },
    beforeP95: { n: 9 },
    afterP95: { n: 9 },
    environments: 10,
    baselineEnvironments: 10,
    verdict,
    ...(pValue !== undefined && { pValue }),
  };
}

describe("a verdict on one of many series", () => {
  it("stands where chance in so many would not make it", () => {
    const [first] = afterCorrection([change("slower", 0.001), change("equivalent", 0.9)]);
    expect(first).toMatchObject({ verdict: "slower", adjustedPValue: 0.002 });
  });

  it("is undecided where chance in so many may make it", () => {
    const many = Array.from({ length: 9 }, () => change("undecided", 0.6));
    const [first] = afterCorrection([change("faster", 0.01), ...many]);
    expect(first).toMatchObject({
      verdict: "undecided",
      undecidedReason: "one-of-many",
      adjustedPValue: 0.1,
    });
  });

  it("differs where the test tells apart what the interval leaves on both sides of the margin", () => {
    const open = {
      ...change("undecided", 0.001),
      undecidedReason: "interval-crosses-margin",
    } as const;
    const [differs, maybe] = afterCorrection([open, { ...open, pValue: 0.2 }]);
    expect(differs).toMatchObject({ verdict: "undecided", undecidedReason: "differs" });
    expect(maybe?.undecidedReason).toBe("interval-crosses-margin");
  });

  it("differs neither inside the noise floor nor where the whole interval lies inside the margin", () => {
    const inside = {
      ...change("undecided", 0.001),
      undecidedReason: "inside-noise-floor",
    } as const;
    const [floored, equivalent] = afterCorrection([inside, change("equivalent", 0.001)]);
    expect(floored?.undecidedReason).toBe("inside-noise-floor");
    expect(equivalent).toMatchObject({ verdict: "equivalent" });
    expect(equivalent).not.toHaveProperty("undecidedReason");
  });

  it("has no p-value where a side was not measured, and takes no part in the family", () => {
    const [absent, tested] = afterCorrection([change("undecided"), change("slower", 0.04)]);
    expect(absent).not.toHaveProperty("adjustedPValue");
    expect(tested).toMatchObject({ verdict: "slower", adjustedPValue: 0.04 });
  });
});

it.each([1, 5, 12, 50, 300])(
  "the environments that a family takes are the fewest that can pass it: %i series",
  (series) => {
    const smallestPValue = (environments: number) => {
      const low = Array.from({ length: environments }, (_, index) => index);
      const test = mannWhitney(
        low,
        low.map((value) => value + 1000),
      );
      return test.kind === "insufficient" ? 1 : test.pValue;
    };
    const needed = environmentsForFamily(series);
    expect(smallestPValue(needed) * series).toBeLessThan(0.05);
    expect(smallestPValue(needed - 1) * series).toBeGreaterThanOrEqual(0.05);
  },
);
