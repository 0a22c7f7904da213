import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { calibratedTail } from "../../lib/statistics/ratio.ts";

describe("the level of a percentile interval", () => {
  it("is as measured where it was measured", () => {
    expect([6, 8, 10, 30, 60, 100].map((n) => calibratedTail(n, "together"))).toEqual([
      0.011, 0.0195, 0.0255, 0.0315, 0.031, 0.0305,
    ]);
  });

  it("lies between its neighbours elsewhere, and nears the plain percentile with ever more", () => {
    expect(calibratedTail(20, "together")).toBeCloseTo(0.03225, 10);
    expect(calibratedTail(1000, "together")).toBeCloseTo(0.02555, 10);
    const pairings = fc.constantFrom("together" as const, "apart" as const);
    fc.assert(
      fc.property(fc.integer({ min: 6, max: 100_000 }), pairings, (n, pairing) => {
        const [tail, next] = [calibratedTail(n, pairing), calibratedTail(n + 1, pairing)];
        expect(Math.abs(next - tail)).toBeLessThanOrEqual(0.0085 + 1e-12);
        expect(tail).toBeGreaterThanOrEqual(0.011);
        expect(tail).toBeLessThanOrEqual(0.035);
      }),
    );
  });

  it("is wider with few blocks where they are drawn together", () => {
    expect(calibratedTail(6, "together")).toBeLessThan(calibratedTail(6, "apart") / 2);
  });

  it("is narrower the more of their drift both sides share", () => {
    const tails = [0, 0.2, 1].map((drift) => calibratedTail(60, "together", drift));
    expect(tails).toEqual([0.031, expect.closeTo(0.04092, 10), expect.closeTo(0.0806, 10)]);
  });
});
