import { array, assert, integer, property, tuple } from "fast-check";
import { describe, expect, it } from "vitest";
import { jitterTies, ratioOfMedians } from "../../lib/statistics/ratio.ts";

const sideOf = (values: readonly number[]) =>
  values.map((value, block) => ({ block, value: value }));
const seriesOf = (values: readonly number[]) => ({
  units: values.map((value, block) => ({ block, values: [value] })),
});
/** The largest distance that a value was moved by. */
function mostMoved(values: readonly number[], other: readonly number[]): number {
  const [moved] = jitterTies([sideOf(values), sideOf(other)], 7);
  return Math.max(...moved.map(({ value }, at) => Math.abs(value - (values[at] as number))));
}

describe("equal values of a clock", () => {
  it.each([
    [1, [20, 20, 21, 22], [30, 31, 32, 33]],
    [0.01, [20.01, 20.01, 20.5, 21], [7, 8, 9, 10.02]],
    [0.5, [20, 20.5, 20.5, 21], [7, 8, 9, 10]],
    [1, [1, 2, 3, 4], [700, 700, 700, 700]],
  ])("are moved by at most half its step of %d", (step, one, other) => {
    const moved = mostMoved(one, other);
    expect(moved).toBeGreaterThan(0);
    expect(moved).toBeLessThanOrEqual(step / 2);
  });

  it.each([
    ["that are none: every value is another", [1, 2, 3, 4], [5, 6, 7, 8]],
    ["of which no step fits", [Math.PI, Math.PI, 1, 2], [5, 6, 7, 8]],
  ])("are left where they are: values %s", (_, one, other) => {
    const sides = [sideOf(one), sideOf(other)] as const;
    expect(jitterTies(sides, 7)).toEqual(sides);
  });

  it("are moved by other shares on either side, in the same way whichever side is named first", () => {
    const [one, other] = [sideOf([20, 20, 20, 20, 21]), sideOf([20, 20, 20, 20, 22])];
    const [first, second] = jitterTies([one, other], 7);
    expect(jitterTies([other, one], 7)).toEqual([second, first]);
    for (let at = 0; at < 4; at += 1) expect(first[at]?.value).not.toBe(second[at]?.value);
  });

  it("leave a ratio within its interval, and an interval that is wider than nothing", () => {
    const whole = integer({ min: 1, max: 9 });
    const pairs = array(tuple(whole, whole), { minLength: 6, maxLength: 30 });
    assert(
      property(pairs, integer({ min: 0, max: 999 }), (values, seed) => {
        const [above, below] = [values.map(([a]) => a), values.map(([, b]) => b)];
        const ratio = ratioOfMedians(seriesOf(above), seriesOf(below), { seed, draws: 200 });
        if (ratio.kind !== "ratio") throw new Error(ratio.kind);
        expect(ratio.ratio).toBeGreaterThanOrEqual(ratio.low);
        expect(ratio.ratio).toBeLessThanOrEqual(ratio.high);
      }),
      { numRuns: 50 },
    );
    const sevens = seriesOf(new Array(60).fill(7));
    const eights = seriesOf([7, ...new Array(59).fill(8)]);
    const ratio = ratioOfMedians(eights, sevens, { seed: 1, draws: 400 });
    expect(ratio.kind === "ratio" && ratio.high - ratio.low).toBeGreaterThan(0.01);
  });
});
