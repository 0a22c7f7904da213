import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SeededRandom } from "../../lib/contract/seeded-order.ts";
import {
  adjustedBySwaps,
  type ComparedSides,
  neededBlocks,
} from "../../lib/statistics/block-swaps.ts";
import { holmAdjusted, mannWhitney } from "../../lib/statistics/shift.ts";
import { standardNormal } from "./simulated-series.ts";
import { simulated } from "./support/simulated.ts";

const byBlock = (values: readonly number[]) =>
  values.map((value, block) => ({ block, value: value }));
const sides = (above: readonly number[], below: readonly number[]): ComparedSides => ({
  above: byBlock(above),
  below: byBlock(below),
});

interface Made {
  readonly comparisons: number;
  readonly blocks: number;
  readonly spread?: number;
  /** On the log scale, of everything in a block. */
  readonly drift?: readonly number[];
  /** Of the first comparison. */
  readonly shift?: number;
}

function makeFamily(made: Made, random: SeededRandom): readonly ComparedSides[] {
  const { comparisons, blocks, spread = 0.07, drift = [], shift = 1 } = made;
  const side = (factor: number) =>
    Array.from(
      { length: blocks },
      (_, block) => factor * Math.exp((drift[block] ?? 0) + spread * standardNormal(random)),
    );
  return Array.from({ length: comparisons }, (_, index) =>
    sides(side(index === 0 ? shift : 1), side(1)),
  );
}

describe("p-values by swaps of blocks", () => {
  it("are the share of labellings that are as extreme: of eight blocks on one side, one of 128", () => {
    const below = [100, 101, 102, 103, 104, 105, 106, 107];
    const above = below.map((value) => 1.5 * value);
    expect(adjustedBySwaps([sides(above, below)], 1)).toEqual([1 / 128]);
  });

  it("take a block of several environments as their geometric mean", () => {
    const below = [100, 101, 102, 103, 104, 105, 106, 107];
    const factors = [1.04, 1.2, 1.15, 0.9, 1.12, 1.18, 1.1, 1.14];
    const above = below.map((value, block) => value * (factors[block] ?? 1));
    const [first = 0] = above;
    const apart = [
      ...byBlock(above),
      ...[1.1, 1 / 1.1].map((by) => ({ block: 0, value: by * first })),
    ];
    const found = adjustedBySwaps([{ above: apart, below: byBlock(below) }], 1);
    // The sum of their logs would lie far from the other side's one, and halve the p-value.
    expect(found).toEqual([4 / 128]);
    expect(found).toEqual(adjustedBySwaps([sides(above, below)], 1));
  });

  it("are 1 of two sides that are the same", () => {
    const values = [1, 2, 3, 4, 5, 6, 7, 8];
    expect(adjustedBySwaps([sides(values, values)], 1)).toEqual([1]);
  });

  it.each([8, 20])(
    "do not depend on which side is which, on the unit, or on the order of the environments: %i blocks",
    (blocks) => {
      const random = new SeededRandom(3);
      const family = makeFamily({ comparisons: 5, blocks, shift: 1.1 }, random);
      const found = adjustedBySwaps(family, 1);
      const turned = family.map(({ above, below }) => ({ above: below, below: above }));
      expect(adjustedBySwaps(turned, 1)).toEqual(found);
      const inSeconds = family.map(({ above, below }) => ({
        above: above.map(({ block, value }) => ({ block, value: value / 1024 })).reverse(),
        below: below.map(({ block, value }) => ({ block, value: value / 1024 })),
      }));
      expect(adjustedBySwaps(inSeconds, 1)).toEqual(found);
    },
  );

  it("are never less among more comparisons that show nothing", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1000 }), (seed) => {
        const family = makeFamily(
          { comparisons: 2, blocks: 7, shift: 1.2 },
          new SeededRandom(seed),
        );
        const [alone = 1] = adjustedBySwaps([family[0] as ComparedSides, same], 1);
        const [among = 0] = adjustedBySwaps([family[0] as ComparedSides, same, same, same], 1);
        expect(among).toBeGreaterThanOrEqual(alone - 1e-9);
      }),
      { numRuns: 20 },
    );
  });
  const ones = [1, 1, 1, 1, 1, 1, 1];
  const same = sides(ones, ones);

  it("are the same beside comparisons whose times never vary", () => {
    for (let seed = 1; seed <= 20; seed++) {
      const family = makeFamily({ comparisons: 1, blocks: 7, shift: 1.1 }, new SeededRandom(seed));
      const [beside] = adjustedBySwaps([...family, same, same], 1);
      expect([beside]).toEqual(adjustedBySwaps(family, 1));
    }
  });

  it("are of the blocks that both sides have, and absent below six", () => {
    const few = { above: byBlock([1, 2, 3, 4, 5, 6]), below: byBlock([2, 3, 4, 5, 6]) };
    const enough = sides([1, 2, 3, 4, 5, 6, 7], [2, 3, 4, 5, 6, 7]);
    const [absent, found] = adjustedBySwaps([few, enough], 1);
    expect(neededBlocks).toBe(6);
    expect(absent).toBeUndefined();
    expect(found).toBeGreaterThan(0);
    expect(found).toEqual(adjustedBySwaps([sides([1, 2, 3, 4, 5, 6], [2, 3, 4, 5, 6, 7])], 1)[0]);
  });

  it("tell bills of 1 to 3 ms apart, though most of them are equal, and not the same bills twice", () => {
    const random = new SeededRandom(21);
    const bills = (meanMs: number) =>
      Array.from({ length: 60 }, () => Math.ceil(meanMs * Math.exp(0.07 * standardNormal(random))));
    // Also beside durations that do not differ.
    const others = makeFamily({ comparisons: 5, blocks: 60 }, random);
    for (const meanMs of [1, 1.6, 2.2]) {
      const [longer, one, other] = [1.3 * meanMs, meanMs, meanMs].map(bills);
      const [found] = adjustedBySwaps([sides(longer ?? [], one ?? []), ...others], 1);
      const [same] = adjustedBySwaps([sides(other ?? [], one ?? [])], 1);
      expect(found, `${meanMs} ms`).toBeLessThan(0.001);
      expect(same, `${meanMs} ms`).toBeGreaterThan(0.05);
    }
  });

  it("rank tied comparisons by their sums of ranks, in units of these ranks' spread", () => {
    const bills = (longer: number, shorter: number) =>
      sides(
        [...new Array(longer).fill(2), ...new Array(shorter).fill(1)],
        [...new Array(longer).fill(1), ...new Array(shorter).fill(2)],
      );
    // Errors are shrunk by 32 blocks: 7 of 7 blocks at 7 ranks each are 49 / sqrt(7 (7 x 49 + 32 x 24.5) / 39) = 3.45,
    // and 10 of 11 at 11 ranks (99 - 11 + 11) / sqrt(11 (11 x 121 + 32 x 60.5) / 43) = 3.42.
    const [all, most] = [bills(7, 0), bills(10, 1)];
    expect(adjustedBySwaps([most], 1)).toEqual([24 / 2048]);
    // By its own swaps `most` is rarer, but it comes second, and cannot be more significant than the first.
    expect(adjustedBySwaps([all, most], 1)).toEqual([2 / 128, 2 / 128]);
  });

  it("are absent where a time is 0, which has no ratio", () => {
    const values = [1, 2, 3, 4, 5, 6];
    expect(adjustedBySwaps([sides([0, 2, 3, 4, 5, 6], values)], 1)).toEqual([undefined]);
  });

  it("are drawn by the seed where there are more blocks than can be swapped in full", () => {
    const family = makeFamily({ comparisons: 4, blocks: 20, shift: 1.03 }, new SeededRandom(5));
    expect(adjustedBySwaps(family, 1)).toEqual(adjustedBySwaps(family, 1));
    expect(adjustedBySwaps(family, 2)).not.toEqual(adjustedBySwaps(family, 1));
    for (const found of adjustedBySwaps(family, 1)) expect(found).toBeGreaterThanOrEqual(1 / 2000);
  });
});

describe("a family by swaps of blocks", () => {
  const families = 200;
  const share = (count: number) => count / families;
  const isTold = (found: number | undefined) => found !== undefined && found < 0.05;
  const walk = (random: SeededRandom) => {
    let level = 0;
    return Array.from({ length: 8 }, () => {
      level += 0.1 * standardNormal(random);
      return level;
    });
  };

  simulated(
    "tells anything apart in about 5 of 100 reports where nothing differs, with drift and without",
    () => {
      for (const drifts of [false, true]) {
        const random = new SeededRandom(11);
        let told = 0;
        for (let round = 0; round < families; round++) {
          const drift = drifts ? walk(random) : [];
          const found = adjustedBySwaps(
            makeFamily({ comparisons: 20, blocks: 8, drift }, random),
            1,
          );
          told += Number(found.some(isTold));
        }
        // 5 of 100, and three standard errors of so many families.
        expect(share(told)).toBeLessThanOrEqual(0.1);
      }
    },
  );

  simulated(
    "sees the only shift of 20% among 36 far more often than ranks corrected for their number",
    () => {
      const random = new SeededRandom(12);
      const told = { bySwaps: 0, byRanks: 0 };
      for (let round = 0; round < families; round++) {
        const drift = walk(random);
        const family = makeFamily({ comparisons: 36, blocks: 8, drift, shift: 1.2 }, random);
        const values = ({ above, below }: ComparedSides) =>
          mannWhitney(
            above.map(({ value }) => value),
            below.map(({ value }) => value),
          );
        const ranks = family.map(values).map((test) => ("pValue" in test ? test.pValue : 1));
        told.bySwaps += Number(isTold(adjustedBySwaps(family, 1)[0]));
        told.byRanks += Number(isTold(holmAdjusted(ranks)[0]));
      }
      expect(share(told.bySwaps)).toBeGreaterThan(0.8);
      expect(share(told.byRanks)).toBeLessThan(0.4);
    },
  );

  it("still sees a small shift beside many large ones", () => {
    const random = new SeededRandom(13);
    const [small, ...others] = makeFamily({ comparisons: 20, blocks: 8, shift: 1.3 }, random);
    const large = others.map(({ above, below }, index) => ({
      above: above.map(({ block, value }) => ({ block, value: (index % 2 ? 5 : 1) * value })),
      below,
    }));
    const found = adjustedBySwaps([small as ComparedSides, ...large], 1);
    expect(isTold(found[0])).toBe(true);
    expect(found.slice(1).filter(isTold)).toHaveLength(9);
  });
});
