import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SeededRandom } from "../../lib/contract/seeded-order.ts";
import { quantileType7 } from "../../lib/statistics/order-statistics.ts";
import type { Series } from "../../lib/statistics/series.ts";
import { percentileBounds, tailPercentile } from "../../lib/statistics/tail-percentile.ts";
import { simulatedSeries } from "./simulated-series.ts";
import { simulated } from "./support/simulated.ts";

const coldStarts = (values: readonly number[]): Series => ({
  units: values.map((value, block) => ({ block, values: [value] })),
});
const upTo = (n: number) => coldStarts(Array.from({ length: n }, (_, index) => index + 1));

describe("a percentile of calls", () => {
  it("asks for 60 values for P95", () => {
    expect(tailPercentile(upTo(59), "p95")).toEqual({ kind: "insufficient", needed: 60, n: 59 });
    expect(tailPercentile(upTo(60), "p95")).toMatchObject({ kind: "percentile", n: 60 });
  });

  it("asks for 300 values for P99", () => {
    expect(tailPercentile(upTo(299), "p99")).toEqual({ kind: "insufficient", needed: 300, n: 299 });
    expect(tailPercentile(upTo(301), "p99")).toMatchObject({ value: 298, n: 301 });
  });

  it("has the interval of the share that lies below it", () => {
    // A share of 0.95 of 400 calls has a standard error of 0.0109, which times Student's 1.966 is 0.0214.
    const found = tailPercentile(upTo(400), "p95");
    if (found.kind !== "percentile") throw new Error("there are enough");
    expect(found.value).toBeCloseTo(380.05, 9);
    expect(found.low).toBeCloseTo(1 + 399 * (0.95 - 0.0214), 0);
    expect(found.high).toBeCloseTo(1 + 399 * (0.95 + 0.0214), 0);
  });

  it("has no upper end where that lies beyond the longest call", () => {
    const few = tailPercentile(upTo(60), "p95");
    expect(few).toHaveProperty("low");
    expect(few).not.toHaveProperty("high");
    expect(tailPercentile(upTo(400), "p95")).toHaveProperty("high");
    expect(tailPercentile(upTo(400), "p99")).not.toHaveProperty("high");
  });

  it("has a wider interval where the calls of an environment are alike", () => {
    const values = Array.from({ length: 400 }, (_, index) => index + 1);
    const alike = { units: inGroups(values, (index) => Math.floor(index / 10)) };
    const mixed = { units: inGroups(values, (index) => index % 40) };
    const [low, lowOfMixed] = [alike, mixed].map((series) => {
      const found = tailPercentile(series, "p95");
      return found.kind === "percentile" ? (found.low ?? Number.NaN) : Number.NaN;
    });
    expect(low).toBeLessThan((lowOfMixed as number) - 10);
  });

  it("has no interval of a single environment, whose calls say nothing of others", () => {
    const found = tailPercentile({ units: [{ block: 0, values: [...Array(80).keys()] }] }, "p95");
    expect(found).toEqual({ kind: "percentile", value: expect.any(Number), n: 80 });
  });

  it("is that of all calls, lies in its interval, and depends on no order", () => {
    const calls = fc.array(fc.double({ min: 0, max: 900_000, noNaN: true }), { maxLength: 8 });
    fc.assert(
      fc.property(fc.array(calls, { minLength: 30, maxLength: 60 }), (environments) => {
        const units = environments.map((values, block) => ({ block, values }));
        const found = tailPercentile({ units }, "p95");
        const all = environments.flat();
        if (all.length < 60) return expect(found.kind).toBe("insufficient");
        if (found.kind !== "percentile") throw new Error("there are enough");
        expect(found.value).toBe(quantileType7(all, 0.95));
        expect(found.low).toBeLessThanOrEqual(found.value);
        expect(found.high ?? Number.POSITIVE_INFINITY).toBeGreaterThanOrEqual(found.value);
        const turned = units.toReversed();
        const again = tailPercentile(
          { units: turned.map((u) => ({ ...u, values: u.values.toReversed() })) },
          "p95",
        );
        expect(again).toMatchObject({ value: found.value, n: found.n });
        expect(again).toHaveProperty("low");
      }),
    );
  });

  simulated.each([
    ["300 cold starts", { environments: 300, callsEach: 1, environmentSpread: 0.2, callSpread: 0 }],
    ["60 cold starts", { environments: 60, callsEach: 1, environmentSpread: 0.2, callSpread: 0 }],
    [
      "60 x 5 warm calls",
      { environments: 60, callsEach: 5, environmentSpread: 0.1, callSpread: 0.1 },
    ],
    [
      "9 x 7 warm calls",
      { environments: 9, callsEach: 7, environmentSpread: 0.1, callSpread: 0.1 },
    ],
    [
      "60 x 5 warm calls that are alike",
      { environments: 60, callsEach: 5, environmentSpread: 0.3, callSpread: 0.1 },
    ],
  ])(
    "is covered in some 95 of 100 runs, if the interval is open where it has no upper end: %s",
    (_, sizes) => {
      const random = new SeededRandom(2026);
      const spread = Math.hypot(sizes.environmentSpread, sizes.callSpread);
      const truth = 100 * Math.exp(1.6448536 * spread);
      const rounds = 1000;
      let covered = 0;
      for (let round = 0; round < rounds; round++) {
        const found = tailPercentile(simulatedSeries({ medianMs: 100, ...sizes }, random), "p95");
        if (found.kind !== "percentile" || found.low === undefined) throw new Error("no interval");
        covered += Number(found.low <= truth && truth <= (found.high ?? Number.POSITIVE_INFINITY));
      }
      expect(covered / rounds).toBeGreaterThan(0.92);
      expect(covered / rounds).toBeLessThanOrEqual(0.99);
    },
  );
});

/** Values as calls of environments, of which a place says which. */
function inGroups(values: readonly number[], environmentOf: (index: number) => number) {
  const units = new Map<number, number[]>();
  for (const [index, value] of values.entries()) {
    const block = environmentOf(index);
    units.set(block, [...(units.get(block) ?? []), value]);
  }
  return [...units].map(([block, each]) => ({ block, values: each }));
}

describe("the one-sided bounds of a percentile", () => {
  it("need 59 cold starts for P95 and 299 for P99 from above, and the longest of as many is it", () => {
    expect(percentileBounds(upTo(58), "p95")).not.toHaveProperty("atMost");
    expect(percentileBounds(upTo(59), "p95")).toMatchObject({ atMost: 59, environmentsNeeded: 59 });
    expect(percentileBounds(upTo(298), "p99")).not.toHaveProperty("atMost");
    expect(percentileBounds(upTo(299), "p99")).toMatchObject({ atMost: 299 });
    expect(percentileBounds(upTo(9), "p95")).toMatchObject({
      ...{ environments: 9, environmentsNeeded: 59 },
    });
  });

  it("are the order statistics of the binomial distribution, where each environment has one call", () => {
    // Of 9 calls, 7 or more lie below P95 with 99.2%, and 8 or more with 92.9% alone.
    expect(percentileBounds(upTo(9), "p95")).toMatchObject({ atLeast: 7 });
    // Of 93 calls, 91 or fewer lie below it with 95%; of 92 calls that is so of 90 with less.
    expect(percentileBounds(upTo(93), "p95")).toMatchObject({ atMost: 92 });
    expect(percentileBounds(upTo(92), "p95")).toMatchObject({ atMost: 92 });
  });

  it("are wider where the calls of an environment are alike, than of as many that are mixed", () => {
    const tenth = (index: number) => Math.floor(index / 10) + 1;
    const values = Array.from({ length: 600 }, (_, index) => tenth(index));
    const [alike, mixed] = [tenth, (index: number) => index % 60].map((environmentOf) =>
      percentileBounds({ units: inGroups(values, environmentOf) }, "p95"),
    );
    // A share of 0.95 of 60 environments has a standard error of 0.0284, which times Student's 1.671 is 0.0474.
    expect(alike).toMatchObject({ atLeast: tenth(600 * 0.9026), atMost: tenth(600 * 0.9974) });
    // Of 600 single calls it is 0.0089, which times 1.645 is 0.0146.
    expect(mixed).toMatchObject({ atLeast: tenth(600 * 0.9354), atMost: tenth(600 * 0.9646) });
  });

  it("say nothing of a single environment, nor of none", () => {
    const one = percentileBounds({ units: [{ block: 0, values: [1, 2, 3] }] }, "p95");
    expect(one).toEqual({ environments: 1, environmentsNeeded: 20 });
    expect(percentileBounds({ units: [] }, "p95")).toEqual({
      ...{ environments: 0, environmentsNeeded: 59 },
    });
  });

  simulated.each([
    ["cold starts", 60, 1, 0.1, 0],
    ["calls of like environments", 9, 11, 0.03, 0.1],
    ["calls of environments that differ as much as calls", 60, 8, 0.1, 0.1],
    ["calls of environments that differ more than calls", 60, 8, 0.2, 0.05],
  ])("are wrong in at most 8% of runs of %s", (_what, environments, callsEach, ...spreads) => {
    const [environmentSpread, callSpread] = spreads;
    const sizes = { medianMs: 100, environments, callsEach, environmentSpread, callSpread };
    const random = new SeededRandom(20_261_125);
    const truth = 100 * Math.exp(1.6448536 * Math.hypot(environmentSpread, callSpread));
    const rounds = 400;
    const wrong = { met: 0, missed: 0 };
    for (let round = 0; round < rounds; round += 1) {
      const { atLeast = 0, atMost = Number.POSITIVE_INFINITY } = percentileBounds(
        simulatedSeries(sizes, random),
        "p95",
      );
      wrong.met += Number(atMost < truth);
      wrong.missed += Number(atLeast > truth);
    }
    expect(wrong.met / rounds).toBeLessThanOrEqual(0.08);
    expect(wrong.missed / rounds).toBeLessThanOrEqual(0.08);
  });
});
