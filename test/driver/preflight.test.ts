import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lanesWithin } from "../../lambdas/driver/preflight.ts";

describe("lanes", () => {
  it("are 8 where the account carries them, and 4 in a new account, which then is told why", () => {
    expect(lanesWithin(1000, undefined)).toEqual({ lanes: 8, warnings: [] });
    const { lanes, warnings } = lanesWithin(10, undefined);
    expect(lanes).toBe(4);
    expect(warnings).toEqual([
      "4 lanes and not 8: the account has 10 concurrent executions free, a lane takes 2 " +
        "(driver and function) and 2 are left to others",
    ]);
  });

  it("are as many as were asked for, and never more than the account carries", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 2000 }),
        fc.integer({ min: 1, max: 1000 }),
        (free, asked) => {
          const { lanes, warnings } = lanesWithin(free, asked);
          expect(lanes).toBeGreaterThanOrEqual(1);
          expect(lanes).toBeLessThanOrEqual(asked);
          expect(lanes * 2).toBeLessThanOrEqual(Math.max(free, 2));
          expect(warnings.length > 0).toBe(lanes < asked);
        },
      ),
    );
  });

  it("cannot be had where a driver and a function do not run at once", () => {
    expect(() => lanesWithin(1, undefined)).toThrow(
      "concurrent executions of the account: found 1; allowed: at least 2",
    );
  });
});
