import { describe, expect, it } from "vitest";
import { groupBy } from "../../lib/contract/group-by.ts";
import { heldOutClaims, leaveOut, listClaims } from "../../lib/prediction/claims.ts";
import type { Observation } from "../../lib/prediction/fit.ts";
import {
  errorFactor,
  isHeld,
  rangeHeldOut,
  scoreClaims,
  scoreDirections,
} from "../../lib/prediction/held-out.ts";
import { measureSpread, rangeAround } from "../../lib/prediction/spread.ts";
import { observations } from "../../lib/prediction/study-calls.ts";
import { madeUpObservations, truth } from "./support/made-up.ts";

describe("a held-out source", () => {
  it("is not among those that predict it", () => {
    const all = madeUpObservations(0.2, 3);
    for (const { own, others } of leaveOut(all)) {
      const sources = new Set(own.map(({ published }) => published.source));
      expect(sources.size).toBe(1);
      expect(others.some(({ published }) => sources.has(published.source))).toBe(false);
      expect(own.length + others.length).toBe(all.length);
    }
  });

  it("changes no prediction of its own figures, however far it is off", () => {
    const all = madeUpObservations(0.2, 3);
    const moved = all.map((each) =>
      each.published.source === "cebert"
        ? { ...each, published: { ...each.published, durationMs: 7, initMs: 7 } }
        : each,
    );
    const predictedOf = (of: typeof all) =>
      heldOutClaims(of)
        .filter(({ source }) => source === "cebert")
        .map(({ predicted }) => predicted);
    const own = all.filter(({ published }) => published.source === "cebert");
    expect(own.length).toBeGreaterThan(10);
    expect(predictedOf(moved)).toEqual(predictedOf(all));
  });

  it("lies in its ranges nine times in ten, where sources differ as the model says", () => {
    const claims = Array.from({ length: 12 }, (_, seed) =>
      rangeHeldOut(madeUpObservations(0.25, seed)),
    ).flat();
    const held = claims.filter(isHeld).length / claims.length;
    expect(held).toBeGreaterThan(0.82);
    expect(held).toBeLessThan(0.98);
  });
});

describe("a range", () => {
  it("widens with the model's error and with the run's own", () => {
    const width = (model: number, run: number) => {
      const { low, high } = rangeAround(2, model, run);
      return high / low;
    };
    expect(width(0.3, 0)).toBeCloseTo(Math.exp(2 * 1.645 * 0.3), 9);
    expect(width(0.3, 0.4)).toBeCloseTo(Math.exp(2 * 1.645 * 0.5), 9);
    expect(rangeAround(2, 0.3, 0).expected).toBe(2);
  });

  it("has the error of its kind, and of a kind without a source that of all", () => {
    const [first] = heldOutClaims(madeUpObservations(0.2, 5));
    const claim = (off: number, kind: "init" | "warm", source: "cebert" | "s3-study") =>
      ({
        ...(first as NonNullable<typeof first>),
        ...{ source, observed: 1, predicted: Math.exp(off) },
        kind: { quantity: kind, form: "time", work: "service" },
      }) as const;
    const spread = measureSpread([
      claim(0.6, "init", "cebert"),
      claim(0.6, "init", "s3-study"),
      claim(0.1, "warm", "cebert"),
    ]);
    const of = (quantity: "init" | "warm" | "first") =>
      spread.of({ quantity, form: "time", work: "service" });
    const shared = Math.sqrt((0.36 + 0.36 + 0.01) / 3);
    expect(of("init")).toBeCloseTo(Math.sqrt((0.72 + shared ** 2) / 3), 9);
    expect(of("warm")).toBeCloseTo(Math.sqrt((0.01 + shared ** 2) / 2), 9);
    expect(of("first")).toBeCloseTo(shared, 9);
  });
});

it("claims of two machines compare functions that one machine measured", () => {
  const measuredBy = (machine: string, slowness: number) =>
    madeUpObservations(0, 1).map(({ published, local }) => ({
      ...{ published, machine },
      local: { ...local, durationMs: local.durationMs * slowness },
    }));
  const warmRatios = (observations: readonly Observation[]) =>
    listClaims(observations, truth)
      .filter(({ kind }) => kind.form === "ratio" && kind.quantity === "warm")
      .map(({ measured }) => measured.toFixed(9));
  const [fast, slow] = [measuredBy("fast", 1), measuredBy("slow", 3)];
  const alone = warmRatios(fast);
  expect(alone.length).toBeGreaterThan(0);
  expect(warmRatios([...fast, ...slow]).toSorted()).toEqual([...alone, ...alone].toSorted());
});

describe("what is published of Lambda", () => {
  const ranged = rangeHeldOut(observations).filter(
    ({ isApart, isHeldOut }) => isHeldOut && !isApart,
  );

  it("lies in the ranges that other sources give it", () => {
    const shares = [...groupBy(ranged, ({ source }) => source).values()].map((own) => {
      const { n, held } = scoreClaims(own);
      return held / n;
    });
    const share = shares.reduce((sum, each) => sum + each, 0) / shares.length;
    expect(shares.length).toBeGreaterThanOrEqual(6);
    expect(share).toBeGreaterThan(0.85);
    expect(share).toBeLessThan(0.97);
  });

  it("is never on the other side of 1 than a range that claims a direction", () => {
    const { n, claimed, wrong } = scoreDirections(ranged, 1.5);
    expect(wrong).toBe(0);
    expect(claimed / n).toBeGreaterThan(0.75);
  });

  it("is closer to the model's cold starts than to what is measured here", () => {
    const cold = ranged.filter(
      ({ kind }) => kind.quantity === "cold" && kind.work === "service" && kind.form === "ratio",
    );
    const { meanFactor, measuredFactor, largest } = scoreClaims(cold);
    expect(meanFactor).toBeLessThan(1.35);
    expect(measuredFactor).toBeGreaterThan(1.5);
    expect(errorFactor(largest)).toBeGreaterThanOrEqual(meanFactor);
  });

  it.each([
    ["Init", "init", "time", 1.5],
    ["warm ratios", "warm", "ratio", 1.6],
  ] as const)("is met by %s within the bar", (_, quantity, form, bar) => {
    const own = ranged.filter(
      ({ kind }) => kind.quantity === quantity && kind.form === form && kind.work === "service",
    );
    expect(scoreClaims(own).meanFactor).toBeLessThan(bar);
  });

  it("has no score of nothing", () => {
    expect(() => scoreClaims([])).toThrow(RangeError);
  });
});
