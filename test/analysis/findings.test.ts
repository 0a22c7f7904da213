import { describe, expect, it } from "vitest";
import {
  cheapestChoice,
  environmentRange,
  findEffects,
  isTie,
  isTooFew,
  type Judged,
  partsFromMedian,
  turned,
} from "../../lib/analysis/findings.ts";
import type { Best, Recommendation, VariantChoice } from "../../lib/analysis/recommendation.ts";
import { smallPlan } from "../support/small-plan.ts";

const judged = (verdict: Judged["verdict"], ratio: number, more: Partial<Judged> = {}): Judged => ({
  ...{ verdict, ratio, low: ratio / 1.1, high: ratio * 1.1, ...more },
});
const { cells } = smallPlan({ variants: ["python"], memoryMb: [128, 512, 1024] });
const [small, middle, large] = cells as [(typeof cells)[0], (typeof cells)[0], (typeof cells)[0]];

describe("what was found", () => {
  it("has each direction's least and largest multiple above 1, the stronger direction first", () => {
    const twice = judged("slower", 2);
    const [half, quarter] = [judged("faster", 0.5), judged("faster", 0.25)];
    const [same, open] = [judged("equivalent", 1), judged("undecided", 1.2)];
    const { effects, equivalent, undecided } = findEffects([twice, half, same, quarter, open]);
    expect({ equivalent, undecided }).toEqual({ equivalent: [same], undecided: [open] });
    const close = (number: number) => expect.closeTo(number, 9);
    const multiple = (times: number) => ({
      ...{ times: close(times), low: close(times / 1.1), high: close(times * 1.1) },
    });
    expect(effects).toMatchObject([
      { direction: "faster", least: multiple(2), most: multiple(4), decided: [half, quarter] },
      { direction: "slower", least: multiple(2), most: multiple(2), decided: [twice] },
    ]);
    for (const figure of ["ratio", "low", "high"] as const) {
      const { [figure]: _, ...unbounded } = twice;
      expect(findEffects([unbounded, same]).effects).toEqual([]);
    }
  });

  it("is itself when it is turned twice, and the other verdict once", () => {
    const fewCalls = {
      ...({ side: "above", calls: 1, allCalls: 90, longest: 900, ratioWithout: 4 } as const),
    };
    const slower = judged("slower", 2, { medianRatio: 1.6, fewCalls });
    const faster = turned(slower);
    expect(faster).toMatchObject({ verdict: "faster", ratio: 0.5, medianRatio: 0.625 });
    expect(faster).toMatchObject({ fewCalls: { side: "below", ratioWithout: 0.25, calls: 1 } });
    expect(faster.low).toBeCloseTo(1 / (slower.high ?? 0), 9);
    expect(turned(faster)).toMatchObject({ verdict: "slower", ratio: 2, fewCalls });
    for (const verdict of ["equivalent", "undecided"] as const) {
      expect(turned({ verdict })).toStrictEqual({ verdict });
    }
  });

  it.each([
    [2, 1.61, false],
    [2, 1.59, true],
    [1.59, 2, true],
    [undefined, 2, false],
    [2, undefined, false],
  ])("parts from the median by a factor of 1.25: %s and %s", (ratio, medianRatio, isApart) => {
    const found = {
      ...{ verdict: "slower" as const, ...(ratio !== undefined && { ratio }) },
      ...(medianRatio !== undefined && { medianRatio }),
    };
    expect(partsFromMedian(found)).toBe(isApart);
  });

  it("has the fewest and the most environments of either side, if anything was compared", () => {
    const sides = [
      { environments: 9, baselineEnvironments: 8 },
      { environments: 7, baselineEnvironments: 60 },
    ];
    expect(environmentRange(sides)).toEqual({ fewest: 7, most: 60 });
    expect(environmentRange([])).toBeUndefined();
  });
});

describe("what costs the least", () => {
  type Price = readonly [usd: number, low?: number, high?: number];
  /** Returns a variant with a cost for each size, cheapest where it is decided or among those that are not. */
  const variant = (name: string, prices: readonly Price[], cheapest?: Best): VariantChoice => ({
    ...{ variant: name, operation: "get", fastest: { kind: "no-choice" } },
    ...{ balanced: { kind: "no-choice" }, cheapest: cheapest ?? { kind: "no-choice" } },
    sizes: prices.map(([usdPerMillion, low, high], index) => ({
      ...{ cell: cells[index] ?? small, usdPerMillion },
      ...(low !== undefined && high !== undefined && { usdInterval: { low, high } }),
    })),
  });
  const choiceOf = (...variants: readonly VariantChoice[]) =>
    cheapestChoice({ variants } as unknown as Recommendation, 0.05);
  const names = (each: readonly { readonly variant: string }[] = []) =>
    each.map((one) => one.variant);

  it("is each variant's cheapest size, and the others by whether their intervals are apart by the margin", () => {
    const found = choiceOf(
      variant("twice", [[9], [2, 1.9, 2.1]]),
      variant("least", [[1, 0.99, 1.01]]),
      variant("few", [[1.5]]),
      variant("same", [[1.01, 1.0, 1.02]]),
      variant("touching", [[1.1, 1.05, 1.15]]),
      variant("wide", [[1, 0.8, 1.3]]),
    );
    expect(found?.cheapest).toMatchObject({ variant: "least", size: { cell: small }, alike: [] });
    expect(names(found?.alike)).toEqual(["same"]);
    expect(found?.undecided.map((each) => [each.variant, each.reason])).toEqual([
      ["wide", "interval-crosses-margin"],
      ["touching", "interval-crosses-margin"],
      ["few", "too-few"],
    ]);
    expect(found?.dearer).toMatchObject([
      {
        ...{ variant: "twice", size: { cell: middle } },
        multiple: { times: 2, low: 1.9 / 1.01, high: 2.1 / 0.99 },
      },
    ]);
    expect(choiceOf()).toBeUndefined();
    expect(choiceOf({ ...variant("none", []), sizes: [{ cell: small }] })).toBeUndefined();
  });

  it("is the size that was chosen, and alike those that were left beside the first", () => {
    const prices: readonly Price[] = [[2], [1], [1.02]];
    const decided = { kind: "decided", cell: large, against: [] } as const;
    expect(choiceOf(variant("a", prices, decided))?.cheapest).toMatchObject({
      ...{ size: { cell: large }, alike: [] },
    });
    const among = [middle, large];
    const open = { kind: "undecided", among, against: [] } as const;
    expect(choiceOf(variant("a", prices, open))?.cheapest).toMatchObject({
      ...{ size: { cell: middle }, alike: [{ cell: large }] },
    });
  });

  it.each([
    ["equivalent", undefined, true, false],
    ["undecided", "too-few", false, true],
    ["undecided", "interval-crosses-margin", false, false],
  ] as const)(
    "ties where all that are left are equivalent, and is of too few by that reason alone: %s, %s",
    (verdict, undecidedReason, tie, few) => {
      const sides = { environments: 9, baselineEnvironments: 9 };
      const other = { ...sides, verdict, ...(undecidedReason && { undecidedReason }) };
      const beaten = { cell: large, verdict: "faster" as const, ...sides };
      const best: Best = {
        ...{ kind: "undecided", among: [small, middle] },
        against: [{ cell: middle, ...other }, beaten],
      };
      expect([isTie(best), isTooFew(best)]).toEqual([tie, few]);
      const alone: Best = { kind: "undecided", among: [small], against: [beaten] };
      const decided: Best = { kind: "decided", cell: small, against: [{ cell: middle, ...other }] };
      for (const each of [alone, decided]) {
        expect([isTie(each), isTooFew(each)]).toEqual([false, false]);
      }
    },
  );
});
