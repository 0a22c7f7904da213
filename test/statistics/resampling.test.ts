import fc from "fast-check";
import { expect, it } from "vitest";
import { SeededRandom } from "../../lib/contract/seeded-order.ts";
import { median } from "../../lib/statistics/order-statistics.ts";
import { resamplingPlan } from "../../lib/statistics/resampling.ts";
import type { EnvironmentValue, Pairing } from "../../lib/statistics/series.ts";

const environments = (stride: number) =>
  Array.from({ length: 100 }, (_, index) => ({
    block: index,
    value: 100 + ((stride * index) % 100),
  }));

const shared = () => resamplingPlan(environments(37), environments(53), "shared-blocks");
const apart = () => resamplingPlan(environments(37), environments(53), "independent");

/** Returns what resamplingPlan draws, by its definition: the medians of all values in the blocks of each draw. */
function drawnByDefinition(
  sides: readonly [readonly EnvironmentValue[], readonly EnvironmentValue[]],
  { pairing, draws, seed }: { pairing: Pairing; draws: number; seed: number },
): readonly number[] {
  const random = new SeededRandom(seed);
  const [blocks, others] = sides.map((side) =>
    [...new Set(side.map(({ block }) => block))].sort((a, b) => a - b),
  ) as [number[], number[]];
  const drawn = (of: readonly number[]) => of.map(() => of[random.below(of.length)]);
  const medianIn = (side: 0 | 1, wanted: readonly (number | undefined)[]) =>
    median(
      wanted.flatMap((each) =>
        sides[side].flatMap(({ block, value }) => (block === each ? [value] : [])),
      ),
    );
  return Array.from({ length: draws }, () => {
    const own = drawn(blocks);
    const other = pairing === "shared-blocks" ? own : drawn(others);
    return Math.log(medianIn(0, own) / medianIn(1, other));
  });
}

it("draws whole blocks of however many environments, one draw for both sides or one each", () => {
  const value = fc.double({ min: 1, max: 100, noNaN: true });
  const block = fc.tuple(
    fc.array(value, { minLength: 1, maxLength: 3 }),
    fc.array(value, { minLength: 1, maxLength: 3 }),
  );
  fc.assert(
    fc.property(fc.array(block, { minLength: 2, maxLength: 9 }), fc.nat(99), (values, seed) => {
      const side = (own: 0 | 1) =>
        values.flatMap((each, at) => each[own].map((ms) => ({ block: 7 * at, value: ms })));
      const sides = [side(0).reverse(), side(1)] as const;
      // The fewer draws come first: what is kept of them does not serve the others.
      for (const draws of [5, 9]) {
        for (const pairing of ["shared-blocks", "independent"] as const) {
          const plan = resamplingPlan(...sides, pairing);
          const isShared = pairing === "shared-blocks";
          const n = values.length;
          expect(plan).toMatchObject({
            blocks: isShared ? n : 2 * n,
            pairedBlocks: isShared ? n : 0,
          });
          const wanted = drawnByDefinition(sides, { pairing, draws, seed });
          expect([...plan.drawnLogRatios(draws, seed)]).toEqual(
            wanted.map((log) => expect.closeTo(log, 12)),
          );
        }
      }
    }),
    { numRuns: 40 },
  );
});

it("draws the same for a ratio whatever was drawn before it", () => {
  const [draws, seed] = [500, 7];
  const first = shared().drawnLogRatios(draws, seed);
  const others = [
    apart().drawnLogRatios(draws, seed),
    shared().drawnLogRatios(draws, seed + 1),
    shared().drawnLogRatios(draws - 1, seed),
  ];
  expect(shared().drawnLogRatios(draws, seed)).toEqual(first);
  expect(others[0]).not.toEqual(first);
  expect(others[1]).not.toEqual(first);
  expect(others[2]).toEqual(first.slice(0, -1));
});

it("draws more than are kept as it draws the fewer that are", () => {
  const [many, few] = [50_000, 1000].map((draws) => shared().drawnLogRatios(draws, 3));
  expect(many?.slice(0, 1000)).toEqual(few);
});
