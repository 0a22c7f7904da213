import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkReportSize, concurrencyWithin } from "../../lambdas/driver/preflight.ts";
import { firstRequestPlan } from "../report/support/first-request-fixture.ts";

describe("lanes", () => {
  it("are as many as a block has cells where the account carries them, and 4 in a new account, which then is told why", () => {
    expect(concurrencyWithin(1000, 19)).toEqual({ lanes: 19, warnings: [] });
    const { lanes, warnings } = concurrencyWithin(10, 19);
    expect(lanes).toBe(4);
    expect(warnings).toEqual([
      "4 lanes instead of 19: the account has 10 concurrent executions free, a lane needs 2 " +
        "(driver and function), and 2 are left for other functions",
    ]);
  });

  it("are as many as were asked for, and never more than the account carries", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 2000 }),
        fc.integer({ min: 1, max: 1000 }),
        (free, asked) => {
          const { lanes, warnings } = concurrencyWithin(free, asked);
          expect(lanes).toBeGreaterThanOrEqual(1);
          expect(lanes).toBeLessThanOrEqual(asked);
          expect(lanes * 2).toBeLessThanOrEqual(Math.max(free, 2));
          expect(warnings.length > 0).toBe(lanes < asked);
        },
      ),
    );
  });

  it("cannot be had where a driver and a function do not run at once", () => {
    expect(() => concurrencyWithin(1, 8)).toThrow(
      "concurrent executions of the account: found 1; allowed: at least 2",
    );
  });
});

describe("a run's report", () => {
  const largest = { memoryMb: [128, 256, 512, 1024, 1769, 3008], preset: "standard" } as const;

  it("is expected to be written after the most cold starts of every cell of first-request", () => {
    expect(() =>
      checkReportSize(firstRequestPlan({ ...largest, cold: 1000, warm: 480 })),
    ).not.toThrow();
  });

  it("that would not fit into its driver's time or memory is refused, with what it would take", () => {
    const tooLong = firstRequestPlan({ ...largest, cold: 1000, warm: 100_000 });
    expect(() => checkReportSize(tooLong)).toThrow(
      /^warm: found 100020; allowed: fewer: the report of first-request would read \d{7} samples in \d{6} objects, take about \d+ minutes and \d+ MB, and its driver has 12 minutes and 1769 MB; or fewer cells$/,
    );
    const cells = { architectures: ["arm64", "x86_64"] as const };
    const tooMany = firstRequestPlan({ ...largest, ...cells, cold: 1000, warm: 20_000 });
    expect(() => checkReportSize(tooMany)).toThrow("the report of first-request would read");
  });
});
