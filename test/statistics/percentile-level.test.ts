import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { calibratedTail } from "../../lib/statistics/percentile-level.ts";

describe("the level of a percentile interval", () => {
  it("is as measured where it was measured", () => {
    expect([6, 8, 10, 30, 100].map((n) => calibratedTail(n, "together"))).toEqual([
      0.0135, 0.0225, 0.029, 0.0365, 0.0325,
    ]);
  });

  it("lies between its neighbours elsewhere, and nears the plain percentile with ever more", () => {
    expect(calibratedTail(20, "together")).toBeCloseTo(0.0355, 10);
    expect(calibratedTail(1000, "together")).toBeCloseTo(0.02575, 10);
    const pairings = fc.constantFrom("together" as const, "apart" as const);
    fc.assert(
      fc.property(fc.integer({ min: 6, max: 100_000 }), pairings, (n, pairing) => {
        const [tail, next] = [calibratedTail(n, pairing), calibratedTail(n + 1, pairing)];
        expect(Math.abs(next - tail)).toBeLessThanOrEqual(0.007 + 1e-12);
        expect(tail).toBeGreaterThanOrEqual(0.0135);
        expect(tail).toBeLessThanOrEqual(0.0365);
      }),
    );
  });

  it("is wider with few blocks where they are drawn together", () => {
    expect(calibratedTail(6, "together")).toBeLessThan(calibratedTail(6, "apart") / 2);
  });
});
