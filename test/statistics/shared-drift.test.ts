import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SeededRandom } from "../../lib/contract/seeded-order.ts";
import { sharedDrift } from "../../lib/statistics/ratio.ts";
import { standardNormal } from "./simulated-series.ts";

const series = (medians: readonly number[], firstBlock = 0) =>
  medians.map((median, index) => ({ block: firstBlock + index, value: median }));
const rising = Array.from({ length: 20 }, (_, index) => 100 + index);

describe("the drift that two series share", () => {
  it("is whole where the same blocks are slow in both, less what chance makes of so many", () => {
    const alike = series(rising.map((median) => 3 * median));
    expect(sharedDrift(series(rising), alike)).toBeCloseTo(1 - 1 / 20, 12);
  });

  it("is none where one is slow when the other is quick, or where neither moves", () => {
    expect(sharedDrift(series(rising), series([...rising].reverse()))).toBe(0);
    const still = series(rising.map(() => 7));
    expect(sharedDrift(series(rising), still)).toBe(0);
    expect(sharedDrift(still, still)).toBe(0);
  });

  it("is of the blocks that both have", () => {
    expect(sharedDrift(series(rising), series(rising, 100))).toBe(0);
    const later = series(rising, 10);
    expect(sharedDrift(series([...rising, ...rising]), later)).toBeLessThan(1);
  });

  it("is small where blocks say nothing, and the same whichever series is named first", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0xffff_ffff }), (seed) => {
        const random = new SeededRandom(seed);
        const draw = () => series(Array.from({ length: 60 }, () => standardNormal(random)));
        const [one, other] = [draw(), draw()];
        const drift = sharedDrift(one, other);
        // Five standard deviations of the agreement of 60 blocks.
        expect(drift).toBeLessThan(25 / 60);
        expect(sharedDrift(other, one)).toBe(drift);
      }),
      { numRuns: 50 },
    );
  });
});
