import { array, assert, integer, property } from "fast-check";
import { describe, expect, it } from "vitest";
import { SeededRandom } from "../../lib/contract/seeded-order.ts";

const seeds = integer({ min: 0, max: 0xffff_ffff });

describe("seeded random", () => {
  // Expected numbers: the authors' C source of xoshiro128** 1.1 (from the state 1, 2, 3, 4 it gives
  // 11520, 0, 5927040, 70819200, 2031721883), seeded in C as the docstring says.
  it.each([
    [0, [3809008728, 1133695204, 53579671, 2891528803, 139681546, 2203266335]],
    [42, [2837322924, 544945897, 479756282, 3500138142, 339756180, 113173290]],
    [4294967295, [835879718, 1921286648, 2356205009, 1885780724, 980451116, 1053911718]],
  ])("gives the C source's numbers for seed %i", (seed, expected) => {
    const random = new SeededRandom(seed);
    expect(expected.map(() => random.nextUint32())).toEqual(expected);
  });

  it("gives the same shuffle for the same seed", () => {
    assert(
      property(seeds, array(integer()), (seed, items) => {
        const first = new SeededRandom(seed).shuffled(items);
        expect(new SeededRandom(seed).shuffled(items)).toEqual(first);
      }),
    );
  });

  it("shuffles to a permutation and leaves the array it was given alone", () => {
    assert(
      property(seeds, array(integer()), (seed, items) => {
        const before = [...items];
        const shuffled = new SeededRandom(seed).shuffled(items);
        expect(items).toEqual(before);
        expect([...shuffled].sort(byValue)).toEqual([...items].sort(byValue));
      }),
    );
  });

  it("stays below n", () => {
    assert(
      property(seeds, integer({ min: 1, max: 0x20_0000 }), (seed, n) => {
        const drawn = new SeededRandom(seed).below(n);
        expect(Number.isInteger(drawn) && drawn >= 0 && drawn < n).toBe(true);
      }),
    );
  });

  it("draws every order of three items about as often", () => {
    const random = new SeededRandom(7);
    const counts = new Map<string, number>();
    for (let round = 0; round < 12_000; round++) {
      const order = random.shuffled(["a", "b", "c"]).join("");
      counts.set(order, (counts.get(order) ?? 0) + 1);
    }
    // Chi-squared with 5 degrees of freedom passes 20.5 once in a thousand seeds.
    const chiSquared = [...counts.values()].reduce((sum, n) => sum + (n - 2000) ** 2 / 2000, 0);
    expect(counts.size).toBe(6);
    expect(chiSquared).toBeLessThan(20.5);
  });

  it("draws each of a few numbers about as often", () => {
    const random = new SeededRandom(11);
    const counts = new Array<number>(7).fill(0);
    for (let round = 0; round < 70_000; round++) {
      const drawn = random.below(7);
      counts[drawn] = (counts[drawn] ?? 0) + 1;
    }
    // Chi-squared with 6 degrees of freedom passes 22.5 once in a thousand seeds.
    const chiSquared = counts.reduce((sum, n) => sum + (n - 10_000) ** 2 / 10_000, 0);
    expect(chiSquared).toBeLessThan(22.5);
  });

  it.each([-1, 0.5, 4294967296, Number.NaN])("refuses the seed %s", (seed) => {
    expect(() => new SeededRandom(seed)).toThrow(/seed: found .*; allowed: a whole number/);
  });

  it.each([0, 1.5, 2097153])("refuses to draw below %s", (n) => {
    expect(() => new SeededRandom(1).below(n)).toThrow(/n: found/);
  });
});

function byValue(a: number, b: number): number {
  return a - b;
}
