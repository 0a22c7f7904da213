import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareRacers, type Racer } from "../../lib/statistics/size-ratio.ts";
import { studentTQuantile } from "../../lib/statistics/student-t.ts";

const racer = (rows: readonly (readonly number[])[]): Racer => ({
  ...{ id: "one", memoryMb: 128 },
  byBlock: new Map(rows.map((row, block) => [block, row])),
});
const of = (values: readonly number[]) => racer(values.map((value) => [value]));
const steady = (blocks: number) => ({ ...of(new Array(blocks).fill(1)), id: "other" });
const bounds = { tail: 0.025 };

/** Returns the half-width of an interval by Student's t, of terms whose mean is 0. */
function halfWidth(terms: readonly number[]): number {
  const squares = terms.reduce((sum, term) => sum + term ** 2, 0);
  const [n, degrees] = [terms.length, terms.length - 1];
  return studentTQuantile(bounds.tail, degrees) * Math.sqrt(squares / degrees / n);
}

describe("the ratio of two sizes", () => {
  it("is that of their means, with Student's t over the blocks' shares in it", () => {
    const found = compareRacers(of([18, 20, 22, 20, 20]), steady(5), bounds);
    // The shares are -10%, 0, 10%, 0 and 0; t is 2.7764 at 4 degrees.
    const half = 2.776_445 * Math.sqrt(0.02 / 4 / 5);
    expect(found).toMatchObject({ id: "other", blocks: 5, ratio: expect.closeTo(20, 9) });
    expect(found.low).toBeCloseTo(20 * Math.exp(-half), 5);
    expect(found.high).toBeCloseTo(20 * Math.exp(half), 5);
  });

  it("has no interval of fewer than three shared blocks, and is 1 without any", () => {
    const two = of([3, 5]);
    const ratio = expect.closeTo(4, 9);
    expect(compareRacers(two, steady(9), bounds)).toEqual({ id: "other", blocks: 2, ratio });
    expect(compareRacers(of([]), steady(9), bounds)).toMatchObject({ blocks: 0, ratio: 1 });
    expect(compareRacers(of([3, 5, 4]), steady(9), bounds)).toHaveProperty("low");
  });

  it("has a narrower interval the larger the tail that it allows", () => {
    const [strict, lax] = [0.01, 0.1].map((tail) =>
      compareRacers(of([18, 20, 22]), steady(3), { tail }),
    );
    expect(strict?.high).toBeGreaterThan(lax?.high ?? 0);
  });

  it("leaves no width to what varies alike at both sizes, nor to quantities that cancel", () => {
    const drift = [5, 9, 7, 8, 6];
    const twice = compareRacers(
      of(drift.map((value) => 2 * value)),
      { ...of(drift), id: "other" },
      bounds,
    );
    // What one block adds to the cost it takes from the time.
    const opposite = racer([-0.2, 0.1, 0, 0.3, -0.2].map((by) => [4 * (1 + by), 9 * (1 - by)]));
    const ones = racer(drift.map(() => [1, 1]));
    const both = compareRacers(opposite, ones, bounds);
    for (const [found, ratio] of [
      [twice, 2],
      [both, 6],
    ] as const) {
      for (const end of [found.low, found.ratio, found.high]) expect(end).toBeCloseTo(ratio, 9);
    }
  });

  it("takes neighbouring blocks that are alike as eight batches, from 16 blocks on", () => {
    const rising = (blocks: number) =>
      Array.from({ length: blocks }, (_, block) => 0.01 * (block - (blocks - 1) / 2));
    const widthOf = (terms: readonly number[]) => {
      const { low = 0, high = 0 } = compareRacers(
        of(terms.map((term) => 1 + term)),
        steady(terms.length),
        bounds,
      );
      return Math.log(high / low) / 2;
    };
    expect(widthOf(rising(15))).toBeCloseTo(halfWidth(rising(15)), 9);
    const pairs = [-7, -5, -3, -1, 1, 3, 5, 7].map((place) => 0.01 * place);
    expect(widthOf(rising(16))).toBeCloseTo(halfWidth(pairs), 9);
    // Of 20 blocks, batches of three and of two in turn.
    const batches = [1, 3.5, 6, 8.5, 11, 13.5, 16, 18.5].map((place) => 0.01 * (place - 9.5));
    expect(widthOf(rising(20))).toBeCloseTo(halfWidth(batches), 9);
    const turns = rising(16).map((_, block) => (block % 2 === 0 ? 0.05 : -0.05));
    expect(widthOf(turns)).toBeCloseTo(halfWidth(turns), 9);
  });

  it("depends on no order of the blocks, and is inverted where the sizes change places", () => {
    const value = fc.double({ min: 0.5, max: 2, noNaN: true });
    const rows = fc.array(fc.tuple(value, value), { minLength: 3, maxLength: 24 });
    fc.assert(
      fc.property(rows, (drawn) => {
        const rising = (side: 0 | 1) => drawn.map((row, block) => row[side] + 0.2 * block);
        const [one, other] = [of(rising(0)), of(rising(1))];
        const found = compareRacers(one, other, bounds);
        const turned = { ...one, byBlock: new Map([...one.byBlock].toReversed()) };
        expect(compareRacers(turned, other, bounds)).toEqual(found);
        const back = compareRacers(other, one, bounds);
        expect((back.low ?? 0) * (found.high ?? 0)).toBeCloseTo(1, 9);
        expect(back.ratio * found.ratio).toBeCloseTo(1, 9);
      }),
    );
  });
});
