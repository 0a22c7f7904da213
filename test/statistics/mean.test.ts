import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { SeededRandom } from "../../lib/contract/seeded-order.ts";
import {
  expandedTail,
  type FigureOfMeans,
  figureAtMeans,
  intervalOfMeans,
  ratioOfMeans,
} from "../../lib/statistics/mean-interval.ts";
import { mean } from "../../lib/statistics/order-statistics.ts";
import type { Series } from "../../lib/statistics/series.ts";

test("the mean of the published TLS runs is the published mean", () => {
  expect(mean([679, 820, 662, 819])).toBe(745);
});

test("of nothing there is no mean, and not 0", () => {
  expect(mean([])).toBeUndefined();
});

const units = (...values: readonly (readonly number[])[]): Series => ({
  units: values.map((each, block) => ({ block, values: each })),
});
const only = (series: Series): FigureOfMeans => ({ series: [series], of: ([value = 0]) => value });
const seeded = { seed: 7 };

/** Environments whose logarithms are even between two bounds: some spread, and no surprise. */
function spread(count: number, seed: number, factor = 1): readonly number[] {
  const random = new SeededRandom(seed);
  return Array.from({ length: count }, () => factor * (80 + (40 * random.below(10_000)) / 10_000));
}

describe("a figure at the means", () => {
  it("counts every environment once, however many of its calls were kept", () => {
    // By calls the mean would be 13 / 4.
    expect(figureAtMeans(only(units([1, 1, 1], [10], [])))).toBe(5.5);
  });

  it("counts every call of an import, whose environments answered as many as there was traffic", () => {
    const logs: Series = { ...units([1, 1, 1], [10], []), isUnplanned: true };
    expect(figureAtMeans(only(logs))).toBe(13 / 4);
    const found = intervalOfMeans(
      only({ ...units([1, 1, 1], [10], [1], [1], [1], [10]), isUnplanned: true }),
      seeded,
    );
    if (found.kind === "insufficient") throw new Error("there are enough");
    expect(found).toMatchObject({ value: 26 / 8, n: 6 });
    // Of draws in which the environments with 10 are most, the calls of the one with three are still three.
    expect(found.low).toBe(1);
    expect(found.high).toBeLessThan(10);
    const [above, below] = [logs, { ...logs, units: logs.units.map((unit) => ({ ...unit })) }];
    expect(ratioOfMeans(only(above), only(below), { ...seeded, pairing: "independent" }).kind).toBe(
      "insufficient",
    );
  });

  it("is of all its series, and absent where one has no value", () => {
    const sum = ([one = 0, other = 0]: readonly number[]) => one + 2 * other;
    expect(figureAtMeans({ series: [units([1], [3]), units([10])], of: sum })).toBe(22);
    expect(figureAtMeans({ series: [units([1], [3]), units([])], of: sum })).toBeUndefined();
  });
});

describe("the interval of a mean", () => {
  it("is Student's of values that spread evenly", () => {
    const values = spread(40, 3);
    const average = values.reduce((sum, value) => sum + value, 0) / 40;
    const variance = values.reduce((sum, value) => sum + (value - average) ** 2, 0) / 39;
    const half = 2.0227 * Math.sqrt(variance / 40);
    const found = intervalOfMeans(only(units(...values.map((value) => [value]))), seeded);
    if (found.kind === "insufficient") throw new Error("there are enough");
    expect(found).toMatchObject({ n: 40, confidence: 0.95, draws: 10_000 });
    expect(found.value).toBeCloseTo(average, 9);
    expect((found.high - found.low) / (2 * half)).toBeGreaterThan(0.97);
    expect((found.high - found.low) / (2 * half)).toBeLessThan(1.03);
  });

  it("takes 6 environments of each series, as everywhere", () => {
    const [five, six] = [5, 6].map((count) => units(...spread(count, 1).map((value) => [value])));
    const needed = { kind: "insufficient", needed: 6, n: 5 };
    expect(intervalOfMeans(only(five as Series), seeded)).toEqual(needed);
    const both = { series: [five, six] as Series[], of: ([one = 0]: readonly number[]) => one };
    expect(intervalOfMeans(both, seeded)).toEqual(needed);
    expect(intervalOfMeans(only(six as Series), seeded).kind).toBe("mean-interval");
  });

  it("hangs on neither the samples' order nor what was drawn before", () => {
    const series = units(...spread(9, 5).map((value) => [value, value + 1]));
    const first = intervalOfMeans(only(series), seeded);
    intervalOfMeans(only(units(...spread(12, 5).map((value) => [value]))), seeded);
    const turned = [...series.units]
      .reverse()
      .map(({ block, values }) => ({ block, values: [...values].reverse() }));
    expect(intervalOfMeans(only({ units: turned }), seeded)).toEqual(first);
    expect(intervalOfMeans(only(series), { seed: 8 })).not.toEqual(first);
  });

  it("draws an environment's cold and warm calls together", () => {
    const base = spread(12, 9);
    const series = [units(...base.map((v) => [v])), units(...base.map((v) => [-v]))];
    const sum = ([one = 0, other = 0]: readonly number[]) => one + other;
    const found = intervalOfMeans({ series, of: sum }, seeded);
    if (found.kind === "insufficient") throw new Error("there are enough");
    for (const bound of [found.value, found.low, found.high]) expect(bound).toBeCloseTo(0, 9);
  });

  it("draws a phase that shares no block by itself, so that each draw has all of its number", () => {
    const cold = { units: [0, 1, 2, 3, 4, 5].map((block) => ({ block, values: [7] })) };
    const warm = {
      units: spread(30, 4).map((value, at) => ({ block: 100 + at, values: [value] })),
    };
    const both: FigureOfMeans = { series: [cold, warm], of: ([one = 0, other = 0]) => one * other };
    const [alone, mixed] = [only(warm), both].map((figure) => intervalOfMeans(figure, seeded));
    if (alone?.kind !== "mean-interval" || mixed?.kind !== "mean-interval") throw new Error("n");
    const width = ({ high, low }: typeof alone) => high - low;
    // As wide in proportion, but for the tail of 6 environments.
    expect(width(mixed) / 7 / width(alone)).toBeGreaterThan(1.2);
    expect(width(mixed) / 7 / width(alone)).toBeLessThan(1.6);
  });

  it("asks for no figure of a draw that has none of a series", () => {
    const at = (blocks: readonly number[]) => ({
      units: blocks.map((block) => ({ block, values: [block + 1] })),
    });
    const from = (first: number, count: number) =>
      Array.from({ length: count }, (_, index) => first + index);
    // Seven cold calls, four of them in blocks of warm ones: too few of either kind to be drawn apart.
    const series = [at([...from(0, 4), ...from(100, 3)]), at(from(0, 40))];
    const asked: number[] = [];
    const of = ([cold = 0, warm = 0]: readonly number[]) => {
      asked.push(cold, warm);
      return cold + warm;
    };
    const found = intervalOfMeans({ series, of }, seeded);
    expect(found).toMatchObject({ kind: "mean-interval", n: 7 });
    expect(asked.length).toBeLessThan(2 * 10_001);
    expect(asked.every(Number.isFinite)).toBe(true);
  });

  it("of a hundred thousand invocations is as of their batches, and takes no minute", () => {
    const values = spread(100_000, 2);
    const found = intervalOfMeans(only(units(...values.map((value) => [value]))), seeded);
    if (found.kind === "insufficient") throw new Error("there are enough");
    // Even from 80 to 120: 40 / sqrt(12) / sqrt(100,000), by 1.96 to each side.
    expect((found.high - found.low) / (2 * 1.96 * (40 / Math.sqrt(12e5)))).toBeCloseTo(1, 1);
  });
});

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
});

describe("the level of a mean's percentile interval", () => {
  // scipy: norm.sf(sqrt(n / (n - 1)) * t.ppf(0.975, n - 1))
  it.each([
    [6, 0.0024318],
    [8, 0.0057375],
    [10, 0.0085506],
    [60, 0.0218018],
    [100, 0.0230644],
  ])("of %i environments leaves %d at each end", (environments, tail) => {
    expect(expandedTail(environments)).toBeCloseTo(tail, 5);
  });
});
