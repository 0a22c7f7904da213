import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SeededRandom } from "../../lib/contract/seeded-order.ts";
import { type FigureOfMeans, ratioOfMeans } from "../../lib/statistics/mean-interval.ts";
import type { Series } from "../../lib/statistics/series.ts";
import { only, seeded, spread, units } from "./figures-of-means.ts";
import { type Simulation, simulatedSeries, standardNormal } from "./simulated-series.ts";
import { simulated } from "./support/simulated.ts";

describe("the ratio of means", () => {
  const pairs = fc.array(
    fc.tuple(fc.integer({ min: 1, max: 999 }), fc.integer({ min: 1, max: 999 })),
    {
      minLength: 6,
      maxLength: 12,
    },
  );

  it("is inverted with its interval where the sides change places", () => {
    fc.assert(
      fc.property(pairs, (values) => {
        const [above, below] = [0, 1].map((side) =>
          only(units(...values.map((pair) => [pair[side] as number]))),
        ) as [FigureOfMeans, FigureOfMeans];
        const options = { seed: 1, draws: 200 };
        const [one, other] = [
          ratioOfMeans(above, below, options),
          ratioOfMeans(below, above, options),
        ];
        if (one.kind !== "ratio" || other.kind !== "ratio") throw new Error("there are enough");
        expect(one.ratio * other.ratio).toBeCloseTo(1, 9);
        expect(one.low * other.high).toBeCloseTo(1, 9);
        expect(one.low).toBeLessThanOrEqual(one.high);
      }),
      { numRuns: 20 },
    );
  });

  it("holds 1 in 95 of 100 swaps of the blocks' sides exactly, whatever was measured and whatever drifts", () => {
    const measured = fc.double({ min: 0.01, max: 10_000, noNaN: true });
    const pairsOf = fc.array(fc.tuple(measured, measured), { minLength: 7, maxLength: 7 });
    fc.assert(
      fc.property(pairsOf, (blocks) => {
        const cases = 2 ** blocks.length;
        let held = 0;
        for (let swaps = 0; swaps < cases; swaps++) {
          const side = (own: 0 | 1) =>
            only(units(...blocks.map((pair, at) => [pair[((swaps >> at) & 1) ^ own] as number])));
          const found = ratioOfMeans(side(0), side(1), seeded);
          if (found.kind !== "ratio") throw new Error("there are enough");
          held += Number(found.low <= 1 && 1 <= found.high);
        }
        expect(held).toBeGreaterThanOrEqual(cases - 8);
        // Where the two sides of several blocks are the same, more intervals end at 1.
        const differing = new Set(blocks.map(([own, other]) => own - other));
        if (differing.size === blocks.length && !differing.has(0)) {
          expect(held).toBeLessThanOrEqual(cases - 6);
        }
      }),
      { numRuns: 20 },
    );
  });

  it("is the same in any order of samples and any unit, and with more blocks than 12 by the seed", () => {
    const value = fc.double({ min: 0.01, max: 10_000, noNaN: true });
    const blocks = fc.array(fc.tuple(value, value), { minLength: 6, maxLength: 20 });
    fc.assert(
      fc.property(blocks, fc.integer({ min: 0, max: 99 }), (values, seed) => {
        const side = (own: 0 | 1) => units(...values.map((pair) => [pair[own] as number]));
        const ratio = (above: Series, below: Series, by = seed) =>
          ratioOfMeans(only(above), only(below), { seed: by, draws: 300 });
        const found = ratio(side(0), side(1));
        expect(ratio({ units: side(0).units.toReversed() }, side(1))).toEqual(found);
        const inSeconds = ({ units: each }: Series): Series => ({
          units: each.map((unit) => ({ ...unit, values: unit.values.map((ms) => ms / 1024) })),
        });
        const other = ratio(inSeconds(side(0)), inSeconds(side(1)));
        if (found.kind !== "ratio" || other.kind !== "ratio") throw new Error("there are enough");
        expect(other.low / found.low).toBeCloseTo(1, 9);
        expect(other.high / found.high).toBeCloseTo(1, 9);
        if (values.length <= 12) expect(ratio(side(0), side(1), seed + 1)).toEqual(found);
      }),
      { numRuns: 40 },
    );
  });

  simulated.each<[string, number, number, Partial<Simulation>]>([
    ["6 and 6 cold starts of two runs", 6, 6, {}],
    ["9 and 9 cold starts of two runs", 9, 9, {}],
    ["15 and 60 cold starts of two runs", 15, 60, {}],
    ["9 and 20 environments of 7 calls", 9, 20, { callsEach: 7 }],
  ])(
    "holds the true ratio in some 95 of 100 runs where the sides are drawn apart: %s",
    (_, one, other, sizes) => {
      const random = new SeededRandom(2026);
      const base = { callsEach: 1, environmentSpread: 0.2, callSpread: 0.1, ...sizes };
      const rounds = 500;
      let covered = 0;
      for (let round = 0; round < rounds; round++) {
        const a = simulatedSeries({ medianMs: 150, environments: one, ...base }, random);
        const b = simulatedSeries({ medianMs: 100, environments: other, ...base }, random);
        const options = { seed: round, draws: 500, pairing: "independent" } as const;
        const ratio = ratioOfMeans(only(a), only(b), options);
        covered += Number(ratio.kind === "ratio" && ratio.low <= 1.5 && ratio.high >= 1.5);
      }
      // Two and a half standard errors below; few blocks that are drawn apart make it cautious.
      expect(covered / rounds).toBeGreaterThan(0.925);
      expect(covered / rounds).toBeLessThanOrEqual(0.985);
    },
  );

  it("has nothing left of the drift that both sides share", () => {
    const drift = Array.from({ length: 10 }, (_, block) => 100 * 1.3 ** block);
    const found = ratioOfMeans(
      only(units(...drift.map((ms) => [1.2 * ms]))),
      only(units(...drift.map((ms) => [ms]))),
      seeded,
    );
    if (found.kind !== "ratio") throw new Error("there are enough");
    expect(found).toMatchObject({ pairedBlocks: 10, numeratorN: 10, denominatorN: 10 });
    for (const bound of [found.ratio, found.low, found.high]) expect(bound).toBeCloseTo(1.2, 9);
  });

  it("is of the blocks that both sides have: what one has later is another time of day", () => {
    const early = spread(8, 1);
    const found = ratioOfMeans(
      only(units(...early.map((ms) => [ms]))),
      only(units(...[...early, ...spread(8, 2, 5)].map((ms) => [ms]))),
      seeded,
    );
    expect(found).toMatchObject({ ratio: 1, low: 1, high: 1, denominatorN: 8 });
  });

  it("is of all where the sides share no block, as of two imported functions", () => {
    const later = { units: spread(8, 2, 2).map((ms, at) => ({ block: 50 + at, values: [ms] })) };
    const found = ratioOfMeans(only(later), only(units(...spread(8, 1).map((ms) => [ms]))), seeded);
    expect(found).toMatchObject({ kind: "ratio", pairedBlocks: 0 });
    expect(found.kind === "ratio" && found.low).toBeGreaterThan(1.5);
  });

  it("is of all, drawn apart, where the sides' blocks are not the same stretches of time", () => {
    const early = spread(8, 1);
    const [above, below] = [early, [...early, ...spread(8, 2, 5)]].map((values) =>
      only(units(...values.map((ms) => [ms]))),
    ) as [FigureOfMeans, FigureOfMeans];
    const found = ratioOfMeans(above, below, { ...seeded, pairing: "independent" });
    expect(found).toMatchObject({ numeratorN: 8, denominatorN: 16, pairedBlocks: 0 });
    expect(found.kind === "ratio" && found.ratio).toBeLessThan(0.5);
    const moved = only({
      units: (below.series[0] as Series).units.map(({ block, values }) => ({
        block: block + 100,
        values,
      })),
    });
    expect(ratioOfMeans(above, moved, { ...seeded, pairing: "independent" })).toEqual(found);
  });

  it("is none of fewer than 6 environments, nor of a mean that is 0", () => {
    const [five, six] = [5, 6].map((n) => only(units(...spread(n, 1).map((ms) => [ms]))));
    expect(ratioOfMeans(five as FigureOfMeans, six as FigureOfMeans, seeded)).toEqual({
      kind: "insufficient",
      needed: 6,
      n: 5,
    });
    const zero = only(units([0], [0], [0], [0], [0], [0]));
    expect(ratioOfMeans(zero, six as FigureOfMeans, seeded)).toEqual({
      kind: "not-positive",
      found: 0,
    });
  });

  it("is none of fewer than 6 blocks that both sides have", () => {
    const early = units(...spread(10, 1).map((ms) => [ms]));
    const later = { units: early.units.map((unit) => ({ ...unit, block: unit.block + 5 })) };
    expect(ratioOfMeans(only(early), only(later), seeded)).toEqual({
      kind: "insufficient",
      needed: 6,
      n: 5,
    });
  });

  simulated.each<[string, Partial<Simulation>, number, number]>([
    ["6 cold environments", { environments: 6 }, 0, 30],
    ["10 warm environments of 17 calls", { environments: 10, callsEach: 17 }, 0, 30],
    ["30 cold environments", { environments: 30 }, 0, 30],
    ["30 cold environments under drift", { environments: 30 }, 0.3, 30],
    ["30 cold environments under drift, one side of which stops early", {}, 0.3, 15],
  ])("holds the true ratio in some 95 of 100 runs: %s", (_, sizes, driftSpread, stop) => {
    const random = new SeededRandom(2026);
    const rounds = 500;
    let covered = 0;
    for (let round = 0; round < rounds; round++) {
      const blockEffects = Array.from({ length: 30 }, () => driftSpread * standardNormal(random));
      const base = { environments: 30, callsEach: 1, environmentSpread: 0.2, callSpread: 0.1 };
      const a = simulatedSeries({ medianMs: 150, ...base, ...sizes, blockEffects }, random);
      const b = simulatedSeries({ medianMs: 100, ...base, ...sizes, blockEffects }, random);
      const below = only({ units: b.units.slice(0, stop) });
      const ratio = ratioOfMeans(only(a), below, { seed: round, draws: 500 });
      covered += Number(ratio.kind === "ratio" && ratio.low <= 1.5 && ratio.high >= 1.5);
    }
    expect(covered / rounds).toBeGreaterThan(0.925);
    expect(covered / rounds).toBeLessThanOrEqual(0.985);
  });
});
