import { describe, expect, it } from "vitest";
import { SeededRandom } from "../../lib/contract/seeded-order.ts";
import type { Series } from "../../lib/statistics/series.ts";
import { farOut, findWarnings } from "../../lib/statistics/warnings.ts";
import { simulatedSeries } from "./simulated-series.ts";
import { simulated } from "./support/simulated.ts";

function cold(values: readonly number[]): Series {
  return { units: values.map((value, block) => ({ block, values: [value] })) };
}

const kinds = (series: Series) => findWarnings(series).map((warning) => warning.kind);

describe("far outliers", () => {
  it("are flagged by their place, beyond three interquartile ranges", () => {
    const outliers = farOut([100, 101, 500, 102, 103, 104, 105, 1]);
    expect(outliers).toMatchObject({ kind: "outliers", indices: [2, 7] });
  });

  it("are not looked for among fewer than six values", () => {
    expect(farOut([1, 1, 1, 1, 900])).toEqual({ kind: "insufficient", needed: 6, n: 5 });
  });
});

describe("warnings", () => {
  it("are none for a tight and steady series", () => {
    expect(kinds(cold([100, 101, 99, 100, 102, 98, 101, 99, 100, 100]))).toEqual([]);
  });

  it("say that there are too few environments, and then nothing else", () => {
    expect(findWarnings(cold([1, 50, 2]))).toEqual([
      { kind: "too-few-environments", n: 3, needed: 6 },
    ]);
  });

  it("tell a drift from the first half of the blocks to the second", () => {
    const drifting = cold([100, 101, 102, 103, 104, 120, 121, 122, 123, 124]);
    const [warning] = findWarnings(drifting);
    expect(warning).toMatchObject({ kind: "drift", laterToEarlier: 122 / 102 });
  });

  it("tell a drift with the quick preset's environments, and none of seven that fall once", () => {
    expect(kinds(cold([100, 103, 106, 109, 112, 115, 118, 121]))).toContain("drift");
    expect(kinds(cold([100, 121, 106, 109, 103, 115, 118, 112]))).not.toContain("drift");
  });

  it("tell a rise within the halves, which the halves by themselves hide", () => {
    const saw = cold([100, 110, 120, 130, 140, 150, 104, 114, 124, 134, 144, 154]);
    expect(kinds(saw)).not.toContain("drift");
    expect(kinds(cold(Array.from({ length: 12 }, (_, at) => 100 + 2 * at)))).toContain("drift");
  });

  it("tell that neighbouring blocks are alike, though nothing rises or falls", () => {
    const waves = cold(Array.from({ length: 60 }, (_, at) => 100 + 10 * Math.sin(at / 2.5)));
    const found = findWarnings(waves);
    expect(found.map(({ kind }) => kind)).toEqual(["autocorrelated"]);
    const [warning] = found;
    expect(warning?.kind === "autocorrelated" && warning.lag1).toBeGreaterThan(0.7);
  });

  it("tell that the times count periods of the processor, where four of five lie near one", () => {
    const counted = [100.2, 119.8, 120.1, 100.4, 140.3, 119.6, 127.2, 100.1];
    expect(findWarnings(cold(counted))).toContainEqual({
      kind: "counts-periods",
      periodMs: 20,
      share: 7 / 8,
    });
    expect(kinds(cold([100.2, 112, 120.1, 106, 140.3, 119.6, 127.2, 100.1]))).not.toContain(
      "counts-periods",
    );
  });

  it("do not take times below a period for its multiples", () => {
    expect(kinds(cold([0.2, 0.3, 0.25, 0.22, 0.24, 0.23]))).not.toContain("counts-periods");
  });

  it("tell no drift that is certain but small", () => {
    expect(kinds(cold([100, 100.1, 100.2, 100.3, 100.4, 101, 101.1, 101.2, 101.3, 101.4]))).toEqual(
      [],
    );
  });

  simulated("tell a drift, and likeness of neighbours, by chance in few steady series", () => {
    const random = new SeededRandom(5);
    const sizes = { environments: 30, callsEach: 1, environmentSpread: 0.2, callSpread: 0 };
    const told = { drift: 0, autocorrelated: 0 };
    for (let round = 0; round < 500; round++) {
      const found = kinds(simulatedSeries({ medianMs: 100, ...sizes }, random));
      for (const kind of ["drift", "autocorrelated"] as const) {
        told[kind] += Number(found.includes(kind));
      }
    }
    expect(told.drift / 500).toBeLessThan(0.025);
    expect(told.autocorrelated / 500).toBeLessThan(0.025);
  });

  it.each([
    ["six blocks show no drift", 6, undefined],
    ["seven do, from the first three to the last three", 7, 160 / 120],
    ["eight do, from half to half", 8, 165 / 125],
    ["more blocks than are compared each with each do too", 1001, 7615 / 2605],
  ])("compare the later half with the earlier one: %s", (_, blocks, laterToEarlier) => {
    const rising = Array.from({ length: blocks }, (__, block) => 110 + 10 * block);
    const drifts = (values: readonly number[]) =>
      findWarnings(cold(values)).filter(({ kind }) => kind === "drift");
    const drift = { kind: "drift", laterToEarlier: expect.closeTo(laterToEarlier ?? 0, 9) };
    expect(drifts(rising)).toEqual(
      laterToEarlier === undefined ? [] : [expect.objectContaining(drift)],
    );
    const falling = { ...drift, laterToEarlier: expect.closeTo(1 / (laterToEarlier ?? 1), 9) };
    expect(drifts(rising.toReversed())).toEqual(
      laterToEarlier === undefined ? [] : [expect.objectContaining(falling)],
    );
  });

  it("count a block once for a trend, however many environments it has", () => {
    const units = Array.from({ length: 18 }, (_, at) => ({
      block: Math.floor(at / 3),
      values: [100 + 10 * Math.floor(at / 3)],
    }));
    expect(kinds({ units })).not.toContain("drift");
  });

  it("compare neighbouring blocks from 20 on, in the order of the blocks", () => {
    const waves = (blocks: number) =>
      cold(Array.from({ length: blocks }, (_, at) => 100 + 10 * Math.sin(at / 1.6)));
    expect(kinds(waves(19))).toEqual([]);
    expect(kinds(waves(20))).toEqual(["autocorrelated"]);
    const { units } = waves(20);
    expect(findWarnings({ units: units.toReversed() })).toEqual(findWarnings({ units }));
    const turns = cold(Array.from({ length: 20 }, (_, at) => (at % 2 ? 101 : 99) + at / 100));
    expect(kinds(turns)).toEqual([]);
  });

  it("are none for blocks that all take the same", () => {
    expect(kinds(cold(new Array(30).fill(7)))).toEqual([]);
  });

  it("tell a wide interval and its width over the mean", () => {
    const [wide] = findWarnings(cold([50, 150, 60, 140, 70, 130]));
    // Of 63 subsets' means the one between the first two and that between the last two: 52 and 148.
    expect(wide).toEqual({ kind: "wide-interval", relativeWidth: expect.closeTo(0.91, 1) });
  });

  it("count far outliers and keep them", () => {
    const series = cold([100, 101, 99, 100, 102, 98, 101, 99, 100, 900]);
    expect(findWarnings(series)).toContainEqual({ kind: "far-outliers", count: 1, n: 10 });
  });

  it("tells that a mean rests on a few long calls, and how much of the time they add", () => {
    const calls = (pauses: number) =>
      Array.from({ length: 70 }, (_, call) => (call < pauses ? 50 : 10) + 0.01 * (call % 10));
    const warned = (values: readonly number[]) => {
      const units = Array.from({ length: 10 }, (_, block) => ({
        block,
        values: Array.from({ length: 7 }, (__, call) => values[10 * call + block] ?? 0),
      }));
      const isOfCalls = ({ kind }: { kind: string }) => !/far-outliers|wide-interval/.test(kind);
      return findWarnings({ units }).find(isOfCalls);
    };
    expect(warned(calls(8))).toMatchObject({ count: 8, n: 70 });
    expect(warned(calls(8))).toMatchObject({ timeShare: expect.closeTo(320 / 1023, 2) });
    expect(warned(calls(0))).toBeUndefined();
    // One call of 70 that is four times as long adds 4%.
    expect(warned([...calls(0).slice(1), 40])).toBeUndefined();
    // A hundred long calls are enough to know their part of the mean.
    const many = (long: number) => ({
      units: Array.from({ length: 200 }, (_, block) => ({
        block,
        values: Array.from({ length: 5 }, (__, call) => (5 * block + call < long ? 50 : 10)),
      })),
    });
    expect(findWarnings(many(99))).toContainEqual(expect.objectContaining({ count: 99, n: 1000 }));
    expect(findWarnings(many(100)).map(({ kind }) => kind)).not.toContain("long-calls");
    // A single call an environment that is long is an outlying environment.
    const units = calls(1).map((value, block) => ({ block, values: [value] }));
    const kinds = findWarnings({ units }).map(({ kind }) => kind);
    expect(kinds).toContain("far-outliers");
    expect(kinds).not.toContain("long-calls");
  });
});
