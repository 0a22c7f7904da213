import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import {
  type FigureOfMeans,
  figureAtMeans,
  intervalOfMeans,
  ratioOfMeans,
} from "../../lib/statistics/mean-interval.ts";
import { mean } from "../../lib/statistics/order-statistics.ts";
import type { Series } from "../../lib/statistics/series.ts";
import { only, seeded, spread, units } from "./figures-of-means.ts";

test("the mean of the published TLS runs is the published mean", () => {
  expect(mean([679, 820, 662, 819])).toBe(745);
});

test("of nothing there is no mean, and not 0", () => {
  expect(mean([])).toBeUndefined();
});

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
    // 15 of the 63 subsets have neither environment with 10, 3 have no other: both beyond the 1.6 at each end.
    expect(found).toMatchObject({ low: 1, high: 10, draws: 63 });
    const [above, below] = [logs, { ...logs, units: logs.units.map((unit) => ({ ...unit })) }];
    expect(ratioOfMeans(only(above), only(below), { ...seeded, pairing: "independent" }).kind).toBe(
      "insufficient",
    );
  });

  it("is of all its series, and absent where one has no value", () => {
    const sum = ([one = 0, other = 0]: readonly number[]) => one + 2 * other;
    expect(figureAtMeans({ series: [units([1], [3]), units([10])], compute: sum })).toBe(22);
    expect(figureAtMeans({ series: [units([1], [3]), units([])], compute: sum })).toBeUndefined();
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
    const both = {
      series: [five, six] as Series[],
      compute: ([one = 0]: readonly number[]) => one,
    };
    expect(intervalOfMeans(both, seeded)).toEqual(needed);
    expect(intervalOfMeans(only(six as Series), seeded).kind).toBe("mean-interval");
  });

  it("depends on neither the samples' order nor what was drawn before", () => {
    const series = units(...spread(13, 5).map((value) => [value, value + 1]));
    const first = intervalOfMeans(only(series), seeded);
    intervalOfMeans(only(units(...spread(14, 5).map((value) => [value]))), seeded);
    const turned = [...series.units]
      .reverse()
      .map(({ block, values }) => ({ block, values: [...values].reverse() }));
    expect(intervalOfMeans(only({ units: turned }), seeded)).toEqual(first);
    expect(intervalOfMeans(only(series), { seed: 8 })).not.toEqual(first);
  });

  it("is between the values of all subsets of up to 12 blocks, whatever the seed", () => {
    const values = fc.array(fc.double({ min: 1, max: 1000, noNaN: true }), {
      ...{ minLength: 6, maxLength: 12 },
    });
    fc.assert(
      fc.property(values, fc.integer({ min: 0, max: 99 }), (all, seed) => {
        const figure = only(units(...all.map((value) => [value])));
        const subsets = Array.from({ length: 2 ** all.length - 1 }, (_, subset) =>
          all.filter((_, block) => ((subset + 1) >> block) & 1),
        );
        const means = subsets.map((each) => mean(each) as number).sort((a, b) => a - b);
        // Linear between the two values around the rank.
        const at = (rank: number) => {
          const [below, above] = [means[Math.floor(rank) - 1], means[Math.floor(rank)]];
          return (below ?? 0) + (rank % 1) * ((above ?? 0) - (below ?? 0));
        };
        const found = intervalOfMeans(figure, { seed });
        if (found.kind === "insufficient") throw new Error("there are enough");
        expect(found.draws).toBe(means.length);
        expect(found.low).toBeCloseTo(at(0.025 * 2 ** all.length), 8);
        expect(found.high).toBeCloseTo(at(0.975 * 2 ** all.length), 8);
      }),
      { numRuns: 30 },
    );
  });

  it("holds the truth of symmetric values in 95 of 100 cases exactly, however far apart they lie", () => {
    const distances = fc.uniqueArray(fc.double({ min: 0.1, max: 1e6, noNaN: true }), {
      ...{ minLength: 7, maxLength: 7 },
    });
    fc.assert(
      fc.property(distances, (far) => {
        const cases = 2 ** far.length;
        let held = 0;
        for (let signs = 0; signs < cases; signs++) {
          const values = far.map((distance, block) =>
            (signs >> block) & 1 ? distance : -distance,
          );
          const found = intervalOfMeans(only(units(...values.map((value) => [value]))), seeded);
          if (found.kind === "insufficient") throw new Error("there are enough");
          held += Number(found.low <= 0 && 0 <= found.high);
        }
        // The truth lies in any of the 128 places among 127 values as often; the ends lie 3.2 places in.
        expect(held).toBeGreaterThanOrEqual(cases - 8);
        expect(held).toBeLessThanOrEqual(cases - 6);
      }),
      { numRuns: 20 },
    );
  });

  it("draws an environment's cold and warm calls together", () => {
    const base = spread(12, 9);
    const series = [units(...base.map((v) => [v])), units(...base.map((v) => [-v]))];
    const sum = ([one = 0, other = 0]: readonly number[]) => one + other;
    const found = intervalOfMeans({ series, compute: sum }, seeded);
    if (found.kind === "insufficient") throw new Error("there are enough");
    for (const bound of [found.value, found.low, found.high]) expect(bound).toBeCloseTo(0, 9);
  });

  it("is no wider for a phase in other blocks that always takes the same", () => {
    const cold = { units: [0, 1, 2, 3, 4, 5].map((block) => ({ block, values: [7] })) };
    const warm = {
      units: spread(30, 4).map((value, at) => ({ block: 100 + at, values: [value] })),
    };
    const both: FigureOfMeans = {
      series: [cold, warm],
      compute: ([one = 0, other = 0]) => one * other,
    };
    const [alone, mixed] = [only(warm), both].map((figure) => intervalOfMeans(figure, seeded));
    if (alone?.kind !== "mean-interval" || mixed?.kind !== "mean-interval") throw new Error("n");
    const width = ({ high, low }: typeof alone) => high - low;
    expect(width(mixed) / 7 / width(alone)).toBeCloseTo(1, 1);
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
    const compute = ([cold = 0, warm = 0]: readonly number[]) => {
      asked.push(cold, warm);
      return cold + warm;
    };
    const found = intervalOfMeans({ series, compute }, seeded);
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
