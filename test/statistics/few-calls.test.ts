import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findFewCalls } from "../../lib/statistics/few-calls.ts";
import type { Series } from "../../lib/statistics/series.ts";

/** Environments of so many calls of 10 ms each, and the calls that take longer, by environment. */
function seriesOf(
  environments: number,
  callsEach: number,
  longer: readonly (readonly [environment: number, ms: number])[] = [],
): Series {
  const units = Array.from({ length: environments }, (_, block) => ({
    block,
    values: new Array<number>(callsEach).fill(10),
  }));
  for (const [place, [environment, ms]] of longer.entries()) {
    const values = units[environment]?.values ?? [];
    values[place % callsEach] = ms;
  }
  return { units };
}

const steady = seriesOf(60, 5);

describe("the few calls that make a ratio", () => {
  it("are one retry of ten seconds among three hundred calls", () => {
    const retried = seriesOf(60, 5, [[7, 10_000]]);
    expect(findFewCalls(retried, steady)).toEqual({
      ...{ side: "above", calls: 1, allCalls: 300, longest: 10_000 },
      ratioWithout: 1,
    });
    expect(findFewCalls(steady, retried)).toMatchObject({ side: "below", calls: 1 });
  });

  it("are all of the retries, up to three and 1%", () => {
    const retries = [0, 20, 40].map((environment) => [environment, 10_000] as const);
    expect(findFewCalls(seriesOf(60, 5, retries), steady)).toMatchObject({
      calls: 3,
      ratioWithout: 1,
    });
    const four = [...retries, [50, 10_000] as const];
    // 3 of 300 and no more: the fourth still makes 4.4 times as much.
    const found = findFewCalls(seriesOf(60, 5, four), steady);
    expect(found?.calls).toBe(3);
    expect(found?.ratioWithout).toBeGreaterThan(4);
    // Of 200 calls 1% is two.
    expect(findFewCalls(seriesOf(40, 5, retries.slice(0, 2)), steady)?.calls).toBe(2);
    const three = [0, 20, 30].map((environment) => [environment, 10_000] as const);
    expect(findFewCalls(seriesOf(40, 5, three), steady)?.calls).toBe(2);
  });

  it("are asked about in the smallest series too, one call of it", () => {
    const cold = seriesOf(9, 1, [[3, 100]]);
    expect(findFewCalls(cold, seriesOf(9, 1))).toMatchObject({
      calls: 1,
      allCalls: 9,
      ratioWithout: 1,
    });
  });

  it("are none where many calls are long: 3 of 10 by 100 ms", () => {
    const units = Array.from({ length: 9 }, (_, block) => ({
      block,
      values: [10, 110, 10, 10, 110, 10, 10],
    }));
    expect(findFewCalls({ units }, seriesOf(9, 7))).toBeUndefined();
  });

  it("are none where the longest call changes the ratio by less than a factor of 1.25", () => {
    // A mean of 12.4 over one of 10, and of 12.6.
    const [less, more] = [2.4, 2.6].map((added) => seriesOf(9, 1, [[0, 10 + 9 * added]]));
    expect(findFewCalls(less as Series, seriesOf(9, 1))).toBeUndefined();
    expect(findFewCalls(more as Series, seriesOf(9, 1))).toMatchObject({ calls: 1 });
  });

  it("are those of both sides, the side first that they change more", () => {
    const [one, other] = [seriesOf(60, 5, [[1, 5_000]]), seriesOf(60, 5, [[2, 20_000]])];
    expect(findFewCalls(one, other)).toMatchObject({ side: "below", longest: 20_000 });
    expect(findFewCalls(other, one)).toEqual({
      ...{ side: "above", calls: 1, allCalls: 300, longest: 20_000 },
      // What is left of either side is alike: neither is said to be many times the other.
      ...{ other: { calls: 1, allCalls: 300, longest: 5_000 }, ratioWithout: 1 },
    });
  });

  it("are looked for in the blocks that both sides have, of two runs in all", () => {
    const retried = seriesOf(60, 5, [[55, 10_000]]);
    const early = seriesOf(50, 5);
    expect(findFewCalls(retried, early)).toBeUndefined();
    expect(findFewCalls(retried, early, "independent")).toMatchObject({ calls: 1, allCalls: 300 });
  });

  it("count in an import as its mean does, by calls and not by environments", () => {
    // One environment answered 99 of 100 calls, the other one of 60 ms.
    const units = [
      { block: 0, values: new Array<number>(99).fill(10) },
      { block: 1, values: [60] },
    ];
    const [planned, imported]: readonly Series[] = [{ units }, { units, isUnplanned: true }];
    const other = seriesOf(2, 50);
    expect(findFewCalls(planned as Series, other, "independent")).toMatchObject({ calls: 1 });
    expect(findFewCalls(imported as Series, other, "independent")).toBeUndefined();
  });

  it("are absent where a side has no calls, or takes no time", () => {
    expect(findFewCalls({ units: [] }, steady)).toBeUndefined();
    expect(findFewCalls(steady, { units: [{ block: 0, values: [] }] })).toBeUndefined();
    const retried = seriesOf(60, 5, [[7, 10_000]]);
    const nothing = { units: steady.units.map(({ block }) => ({ block, values: [0, 0] })) };
    expect(findFewCalls(retried, nothing)).toBeUndefined();
    expect(findFewCalls(nothing, retried)).toBeUndefined();
  });

  it("are the other side's where the sides change places, and the same in any order of samples", () => {
    const call = fc.oneof(
      { weight: 20, arbitrary: fc.double({ min: 1, max: 50, noNaN: true }) },
      { weight: 1, arbitrary: fc.double({ min: 1_000, max: 20_000, noNaN: true }) },
    );
    const side = fc.array(fc.array(call, { minLength: 1, maxLength: 8 }), {
      ...{ minLength: 6, maxLength: 20 },
    });
    const series = (values: readonly (readonly number[])[]): Series => ({
      units: values.map((each, block) => ({ block, values: each })),
    });
    fc.assert(
      fc.property(side, side, (above, below) => {
        const [one, other] = [series(above), series(below)];
        const found = findFewCalls(one, other, "independent");
        const turned = findFewCalls(other, one, "independent");
        const { ratioWithout = 1, ...rest } = found ?? { side: undefined };
        expect(turned?.side).toBe(
          rest.side && ({ above: "below", below: "above" } as const)[rest.side],
        );
        expect(turned?.calls).toBe(found?.calls);
        expect((turned?.ratioWithout ?? 1) * ratioWithout).toBeCloseTo(1, 9);
        const { units } = one;
        const reordered = { units: units.map((u) => ({ ...u, values: u.values.toReversed() })) };
        const again = findFewCalls({ units: reordered.units.toReversed() }, other, "independent");
        expect(again?.calls).toBe(found?.calls);
        expect(again?.ratioWithout ?? 1).toBeCloseTo(found?.ratioWithout ?? 1, 9);
      }),
    );
  });
});
