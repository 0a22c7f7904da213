import { describe, expect, it } from "vitest";
import { countSubsets, subsetMeans } from "../../lib/statistics/subsets.ts";

const of = (sums: readonly number[], counts = sums.map(() => 1)) => ({
  sums: Float64Array.from(sums),
  counts: Float64Array.from(counts),
});
/** 1 in one block, 0 in the others: its mean is above 0 where the block is in the subset. */
const onlyIn = (block: number, blocks: number) =>
  Array.from({ length: blocks }, (_, each) => Number(each === block));

describe("subsets of blocks", () => {
  it("are all but the empty one of up to 12, and as many as are drawn of more", () => {
    expect([1, 6, 12, 13, 60].map((blocks) => countSubsets({ blocks, draws: 500 }))).toEqual([
      1, 63, 4095, 500, 500,
    ]);
    const means = subsetMeans(of([1, 10, 100]), { blocks: 3, draws: 500, seed: 1 });
    expect([...means]).toEqual([1, 10, 5.5, 100, 50.5, 55, 37]);
  });

  it("have no mean of blocks without values, and count what is there", () => {
    const means = subsetMeans(of([6, 0, 10], [2, 0, 1]), { blocks: 3, draws: 500, seed: 1 });
    expect([...means]).toEqual([3, Number.NaN, 3, 10, 16 / 3, 10, 16 / 3]);
  });

  it("have each of many blocks in half of them, whatever other blocks are in", () => {
    const wanted = { blocks: 45, draws: 10_000, seed: 3 };
    const isIn = (block: number) =>
      [...subsetMeans(of(onlyIn(block, 45)), wanted)].map((mean) => mean > 0);
    const shareOf = (is: readonly boolean[]) => is.filter(Boolean).length / is.length;
    const [first, other, last] = [isIn(0), isIn(7), isIn(44)];
    for (const block of [first, other, last])
      expect(Math.abs(shareOf(block) - 0.5)).toBeLessThan(0.02);
    const both = first.map((is, subset) => is && last[subset] === true);
    expect(Math.abs(shareOf(both) - 0.25)).toBeLessThan(0.02);
  });

  it("are the same for all series of a report, and others by another seed", () => {
    const values = Array.from({ length: 60 }, (_, block) => block + 1);
    const wanted = { blocks: 60, draws: 1000, seed: 7 };
    const one = subsetMeans(of(values), wanted);
    const double = subsetMeans(of(values.map((value) => 2 * value)), wanted);
    for (const [subset, mean] of one.entries()) expect(double[subset]).toBeCloseTo(2 * mean, 9);
    expect(subsetMeans(of(values), { ...wanted, seed: 8 })).not.toEqual(one);
    // What was asked for in between changes nothing.
    expect(subsetMeans(of(values), wanted)).toEqual(one);
  });

  it("are fewer where fewer are drawn, and the first of them the same", () => {
    const values = Array.from({ length: 30 }, (_, block) => block ** 2);
    const [many, few] = [2000, 300].map((draws) =>
      subsetMeans(of(values), { blocks: 30, draws, seed: 5 }),
    );
    expect(many?.slice(0, 300)).toEqual(few);
  });
});
