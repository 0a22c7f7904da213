import fc from "fast-check";
import { expect, it } from "vitest";
import { asymptoticPValue, exactPValue } from "../../lib/statistics/mann-whitney-tails.ts";
import { mannWhitney } from "../../lib/statistics/shift.ts";

const range = (n: number, from = 1) => Array.from({ length: n }, (_, index) => from + index);

/** Two sides that are alike: how often the normal approximation calls them different at a level. */
function sizeAt(environments: number, level: number): number {
  const isCalled = (u: number) => asymptoticPValue(u, environments, environments, 0) < level;
  let u = Math.floor(environments ** 2 / 2);
  while (!isCalled(u)) u -= 1;
  const doubledRanks = Float64Array.from(range(2 * environments), (rank) => 2 * rank);
  return exactPValue(u, environments, doubledRanks);
}

it.each([61, 80])(
  "tells what is alike apart no more often than its level says: %i environments",
  (environments) => {
    for (const level of [0.05, 0.05 / 84]) {
      const size = sizeAt(environments, level);
      expect(size).toBeLessThanOrEqual(level);
      expect(size).toBeGreaterThan(0.7 * level);
    }
  },
);

it("is as small with a tie as without where all of one side is below all of the other", () => {
  const [low, high] = [range(8), range(8, 20)];
  const smallest = { method: "exact", pValue: 2 / 12_870 };
  expect(mannWhitney(low, high)).toMatchObject(smallest);
  expect(mannWhitney([1, 1, ...low.slice(2)], high)).toMatchObject(smallest);
  expect(mannWhitney(low, [25, 25, 25, 25, 25, 25, 25, 25])).toMatchObject(smallest);
});

it("is exact with ties and without up to the pairs of 60 environments a side, and no further", () => {
  const methodOf = (n: number, m: number, tied: boolean) => {
    const test = mannWhitney(tied ? [2, ...range(n - 1)] : range(n, 1000), range(m));
    return test.kind === "mann-whitney" && test.method;
  };
  for (const tied of [false, true]) {
    expect(methodOf(60, 60, tied)).toBe("exact");
    expect(methodOf(36, 100, tied)).toBe("exact");
    expect(methodOf(3600, 1, tied)).toBe("exact");
    expect(methodOf(61, 60, tied)).toBe("asymptotic");
  }
});

it("is the share of ways to deal out the values that are as extreme, in the rarer direction, doubled", () => {
  const value = fc.integer({ min: 0, max: 5 });
  const side = fc.array(value, { minLength: 1, maxLength: 4 });
  // U is the mean of all ways, and fewer of them are as high as are as low.
  const skewed: [number[], number[]] = [
    [1, 1, 2],
    [0, 0, 3, 3],
  ];
  fc.assert(
    fc.property(side, side, (a, b) => {
      const all = [...a, ...b];
      const pairsWon = (own: readonly number[], other: readonly number[]) =>
        own.flatMap((x) => other.map((y) => (Math.sign(x - y) + 1) / 2)).reduce((x, y) => x + y, 0);
      const dealt = Array.from({ length: 2 ** all.length }, (_, ways) =>
        all.map((each, place) => ({ each, isOwn: ((ways >> place) & 1) === 1 })),
      ).filter((ways) => ways.filter(({ isOwn }) => isOwn).length === a.length);
      const us = dealt.map((ways) => {
        const of = (isWanted: boolean) =>
          ways.flatMap(({ each, isOwn }) => (isOwn === isWanted ? [each] : []));
        return pairsWon(of(true), of(false));
      });
      const u = pairsWon(a, b);
      const shareOf = (isAsExtreme: (other: number) => boolean) =>
        us.filter(isAsExtreme).length / us.length;
      const pValue = Math.min(
        1,
        2 *
          Math.min(
            shareOf((other) => other <= u),
            shareOf((other) => other >= u),
          ),
      );
      expect(mannWhitney(a, b)).toMatchObject({ u, pValue: expect.closeTo(pValue, 12) });
    }),
    { examples: [skewed], numRuns: 50 },
  );
});
