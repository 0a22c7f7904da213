import { array, assert, double, integer, property, tuple } from "fast-check";
import { describe, expect, it } from "vitest";
import { SeededRandom } from "../../lib/contract/seeded-order.ts";
import { countDraws, type RatioInterval, ratioOfMedians } from "../../lib/statistics/ratio.ts";
import type { Series } from "../../lib/statistics/series.ts";
import { type Simulation, simulatedSeries, standardNormal } from "./simulated-series.ts";
import { inverted } from "./support/inverted.ts";
import { simulated } from "./support/simulated.ts";

const duration = double({ min: 0.01, max: 900_000, noNaN: true });
const calls = array(duration, { minLength: 1, maxLength: 4 });
const pairs = array(tuple(calls, calls), { minLength: 6, maxLength: 20 });
const seeds = integer({ min: 0, max: 0xffff_ffff });
const quick = { numRuns: 40 };

function seriesFrom(environments: readonly (readonly number[])[]): Series {
  return { units: environments.map((values, block) => ({ block, values })) };
}

function interval(a: Series, b: Series, seed: number, draws = 400): RatioInterval {
  const ratio = ratioOfMedians(a, b, { seed, draws });
  if (ratio.kind !== "ratio") throw new Error(ratio.kind);
  return ratio;
}

describe("the ratio of medians", () => {
  it("is that of the medians that were measured, and not of a resample", () => {
    const series = (values: readonly number[]) => ({
      units: values.map((value, block) => ({ block, values: [value] })),
    });
    const above = series([2, 4, 6, 8, 10, 12, 40]);
    const below = series([1, 2, 3, 5, 7, 11, 13]);
    for (const seed of [1, 2, 3, 4, 5]) {
      expect(ratioOfMedians(above, below, { seed, draws: 101 })).toMatchObject({ ratio: 8 / 5 });
    }
  });

  it("is the same for the same samples and seed, in whatever order they come", () => {
    assert(
      property(pairs, seeds, (environments, seed) => {
        const a = seriesFrom(environments.map(([above]) => above));
        const b = seriesFrom(environments.map(([, below]) => below));
        const reordered = { units: [...a.units].reverse() };
        expect(interval(reordered, b, seed)).toEqual(interval(a, b, seed));
      }),
      quick,
    );
  });

  it("minds no unit: both series in other units give the same ratio", () => {
    assert(
      property(
        pairs,
        seeds,
        double({ min: 0.001, max: 1000, noNaN: true }),
        (envs, seed, factor) => {
          const scaled = (side: 0 | 1, by: number) =>
            seriesFrom(envs.map((pair) => pair[side].map((value) => value * by)));
          const before = interval(scaled(0, 1), scaled(1, 1), seed);
          const after = interval(scaled(0, factor), scaled(1, factor), seed);
          expect(after.ratio / before.ratio).toBeCloseTo(1, 9);
          expect(after.low / before.low).toBeCloseTo(1, 9);
          expect(after.high / before.high).toBeCloseTo(1, 9);
        },
      ),
      quick,
    );
  });

  it("inverts exactly when numerator and denominator change places", () => {
    assert(
      property(pairs, seeds, (environments, seed) => {
        const a = seriesFrom(environments.map(([above]) => above));
        const b = seriesFrom(environments.map(([, below]) => below));
        const there = interval(a, b, seed);
        const back = inverted(interval(b, a, seed));
        expect(back.ratio / there.ratio).toBeCloseTo(1, 9);
        expect(back.low / there.low).toBeCloseTo(1, 9);
        expect(back.high / there.high).toBeCloseTo(1, 9);
      }),
      quick,
    );
  });

  it("needs six environments on either side", () => {
    const six = seriesFrom(new Array(6).fill([1]));
    const five = seriesFrom(new Array(5).fill([1]));
    const insufficient = { kind: "insufficient", needed: 6, n: 5 };
    expect(ratioOfMedians(six, five, { seed: 1 })).toEqual(insufficient);
    expect(ratioOfMedians(five, six, { seed: 1 })).toEqual(insufficient);
  });

  it("is no ratio where a median is not above zero", () => {
    const ones = seriesFrom(new Array(6).fill([1]));
    const zeros = seriesFrom([[0], [1], [1], [1], [1], [1]]);
    expect(ratioOfMedians(ones, zeros, { seed: 1 })).toEqual({ kind: "not-positive", found: 0 });
  });

  it("takes ten thousand draws", () => {
    const ones = seriesFrom(new Array(6).fill([1]));
    expect(ratioOfMedians(ones, ones, { seed: 1 })).toMatchObject({
      draws: 10_000,
      low: 1,
      high: 1,
    });
  });

  it("draws shared blocks once for both, so that drift which both shared cancels", () => {
    const drift = [1, 9, 2, 8, 3, 7, 4, 6, 5, 10].map((value) => [value]);
    const doubled = drift.map(([value]) => [2 * (value as number)]);
    const paired = interval(seriesFrom(doubled), seriesFrom(drift), 3);
    expect(paired).toMatchObject({ ratio: 2, low: 2, high: 2, pairedBlocks: 10 });
  });

  it("draws apart what is of two runs", () => {
    const drift = [1, 9, 2, 8, 3, 7, 4, 6, 5, 10].map((value) => [value]);
    const a = seriesFrom(drift);
    const independent = ratioOfMedians(a, a, { seed: 3, draws: 400, pairing: "independent" });
    expect(independent).toMatchObject({ kind: "ratio", pairedBlocks: 0 });
    expect(independent.kind === "ratio" && independent.high).toBeGreaterThan(1.2);
  });

  it("is of the blocks that both sides have", () => {
    // Of no clock's steps, so that equal values stay equal.
    const one = Math.PI;
    const a = seriesFrom([...new Array(3).fill([99]), ...new Array(7).fill([2 * one])]);
    const b = { units: seriesFrom([...new Array(10).fill([one]), [0.5]]).units.slice(3) };
    const compared = { ratio: 2, numeratorN: 7, denominatorN: 7, pairedBlocks: 7 };
    expect(interval(a, b, 1)).toMatchObject({ ...compared, low: 2, high: 2 });
    const withoutCalls = { units: [...b.units, { block: 0, values: [] }] };
    expect(interval(a, withoutCalls, 1)).toMatchObject(compared);
  });

  it("needs six blocks that both sides have", () => {
    const a = seriesFrom(new Array(10).fill([2]));
    const later = { units: a.units.map((unit) => ({ ...unit, block: unit.block + 5 })) };
    expect(ratioOfMedians(a, later, { seed: 1 })).toEqual({
      kind: "insufficient",
      needed: 6,
      n: 5,
    });
  });

  it("takes 10,000 draws, and of more blocks than that as many as take as long", () => {
    const series = seriesFrom(Array.from({ length: 30 }, (_, block) => [1 + block]));
    expect(ratioOfMedians(series, series, { seed: 1 })).toMatchObject({ draws: 10_000 });
    const drawsOf = (blocks: number) => countDraws({ blocks });
    expect([30, 10_000, 40_000, 1_000_000].map(drawsOf)).toEqual([10_000, 10_000, 2500, 1000]);
  });

  simulated.each([0, 15])(
    "holds the truth where times rise, and one side stops at block %i",
    (stop) => {
      const random = new SeededRandom(2027);
      const rising = Array.from({ length: 30 }, (_, block) => 0.02 * block);
      const base = { environments: 30, callsEach: 1, environmentSpread: 0.1, callSpread: 0.05 };
      let covered = 0;
      for (let round = 0; round < 200; round++) {
        const effects = { ...base, blockEffects: rising };
        const a = simulatedSeries({ medianMs: 150, ...effects }, random);
        const b = simulatedSeries({ medianMs: 100, ...effects }, random);
        const { low, high } = interval(a, { units: b.units.slice(0, stop || 30) }, round, 300);
        if (low <= 1.5 && high >= 1.5) covered++;
      }
      expect(covered / 200).toBeGreaterThan(0.91);
    },
  );

  simulated.each<[string, Partial<Simulation>, number]>([
    ["6 cold environments", { environments: 6 }, 0],
    ["10 warm environments of 17 calls", { environments: 10, callsEach: 17 }, 0],
    ["30 cold environments", { environments: 30 }, 0],
    ["30 cold environments under drift", { environments: 30 }, 0.3],
  ])("covers the true ratio about 95 times in 100: %s", (_, sizes, driftSpread) => {
    const random = new SeededRandom(2026);
    const rounds = 500;
    let covered = 0;
    for (let round = 0; round < rounds; round++) {
      const blockEffects = Array.from({ length: 30 }, () => driftSpread * standardNormal(random));
      const base = { environments: 30, callsEach: 1, environmentSpread: 0.2, callSpread: 0.1 };
      const a = simulatedSeries({ medianMs: 150, ...base, ...sizes, blockEffects }, random);
      const b = simulatedSeries({ medianMs: 100, ...base, ...sizes, blockEffects }, random);
      const { low, high } = interval(a, b, round, 500);
      if (low <= 1.5 && high >= 1.5) covered++;
    }
    // Six environments reach 0.93 to 0.95; many calls and drift make the interval cautious.
    expect(covered / rounds).toBeGreaterThan(0.91);
    expect(covered / rounds).toBeLessThanOrEqual(0.995);
  });
});
