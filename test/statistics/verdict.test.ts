import { assert, double, property, tuple } from "fast-check";
import { describe, expect, it } from "vitest";
import type { RatioInterval } from "../../lib/statistics/ratio.ts";
import { judge } from "../../lib/statistics/verdict.ts";
import { inverted } from "./support/inverted.ts";

function ratioOf(low: number, ratio: number, high: number): RatioInterval {
  return {
    kind: "ratio",
    ratio,
    low,
    high,
    confidence: 0.95,
    draws: 10_000,
    numeratorN: 30,
    denominatorN: 30,
    pairedBlocks: 30,
  };
}

const bound = double({ min: 0.2, max: 5, noNaN: true });
const ratios = tuple(bound, bound, bound).map((bounds) => {
  const [low, ratio, high] = [...bounds].sort((a, b) => a - b) as [number, number, number];
  return ratioOf(low, ratio, high);
});
const margins = double({ min: 0.001, max: 3, noNaN: true });
/** The order in which verdicts may follow each other as the margin grows. */
const step = { faster: 0, slower: 0, undecided: 1, equivalent: 2 };

describe("a verdict", () => {
  it.each([
    [0.5, 0.6, 0.7, "faster"],
    [1.2, 1.3, 1.4, "slower"],
    [0.98, 1, 1.02, "equivalent"],
    [0.9, 1, 1.02, "undecided"],
    [0.5, 0.6, 0.96, "undecided"],
    [1.04, 1.3, 1.4, "undecided"],
  ])("of the interval %d, %d, %d against 5%% is %s", (low, ratio, high, kind) => {
    expect(judge(ratioOf(low, ratio, high))).toMatchObject({ kind, margin: 0.05 });
  });

  it("is undecided of a mean of 0 or less, and of too few environments, each with its reason", () => {
    const notPositive = judge({ kind: "not-positive", found: 0 });
    expect(notPositive).toEqual({ kind: "undecided", margin: 0.05, reason: "not-positive" });
    const few = judge({ kind: "insufficient", needed: 6, n: 5 }, { margin: 0.1 });
    expect(few).toEqual({ kind: "undecided", margin: 0.1, reason: "too-few" });
  });

  it("only ever softens as the margin grows: decided, undecided, equivalent", () => {
    assert(
      property(ratios, ratios, margins, margins, (ratio, noiseFloor, one, other) => {
        const smaller = judge(ratio, { margin: Math.min(one, other), noiseFloor });
        const larger = judge(ratio, { margin: Math.max(one, other), noiseFloor });
        expect(step[larger.kind]).toBeGreaterThanOrEqual(step[smaller.kind]);
      }),
    );
  });

  it("turns faster into slower when the sides change places", () => {
    const opposite = {
      faster: "slower",
      slower: "faster",
      equivalent: "equivalent",
      undecided: "undecided",
    };
    assert(
      property(ratios, margins, (ratio, margin) => {
        const turned = judge(inverted(ratio), { margin });
        expect(turned.kind).toBe(opposite[judge(ratio, { margin }).kind]);
      }),
    );
  });

  it("inside the noise floor is undecided, on whichever side of 1 the A/A interval lies", () => {
    const insideNoise = { kind: "undecided", margin: 0.05, reason: "inside-noise-floor" };
    for (const replicas of [ratioOf(0.55, 0.6, 0.7), ratioOf(1 / 0.7, 1.7, 1.9)]) {
      expect(judge(ratioOf(0.75, 0.8, 0.85), { noiseFloor: replicas })).toEqual(insideNoise);
      expect(judge(ratioOf(1.2, 1.3, 1.4), { noiseFloor: replicas })).toEqual(insideNoise);
      expect(judge(ratioOf(1.4, 1.5, 1.6), { noiseFloor: replicas }).kind).toBe("slower");
    }
  });

  it("needs a ratio beyond the noise floor, and is none at the floor itself", () => {
    const noiseFloor = ratioOf(1.25, 1.4, 1.5);
    expect(judge(ratioOf(1.2, 1.25, 1.4), { noiseFloor }).kind).toBe("undecided");
    expect(judge(ratioOf(1.2, 1.26, 1.4), { noiseFloor }).kind).toBe("slower");
  });

  it("is not hidden by an A/A pair whose interval contains 1, however wide it is", () => {
    const replicas = ratioOf(0.6, 1.02, 1.9);
    expect(judge(ratioOf(1.27, 1.43, 1.91), { noiseFloor: replicas }).kind).toBe("slower");
    expect(judge(ratioOf(0.99, 1, 1.01), { noiseFloor: replicas }).kind).toBe("equivalent");
  });

  it("is not equivalent where the noise floor is above the margin", () => {
    const same = ratioOf(0.99, 1, 1.01);
    expect(judge(same, { noiseFloor: ratioOf(0.97, 1, 1.03) }).kind).toBe("equivalent");
    expect(judge(same, { noiseFloor: ratioOf(1.06, 1.1, 1.2) })).toMatchObject({
      kind: "undecided",
      reason: "inside-noise-floor",
    });
  });

  it("only ever gets softer by a noise floor", () => {
    assert(
      property(ratios, ratios, margins, (ratio, noiseFloor, margin) => {
        const without = judge(ratio, { margin });
        const within = judge(ratio, { margin, noiseFloor });
        expect([without.kind, "undecided"]).toContain(within.kind);
      }),
    );
  });

  it("of too few environments is undecided, and an A/A pair of too few is no floor", () => {
    const tooFew = { kind: "insufficient", needed: 6, n: 4 } as const;
    expect(judge(tooFew)).toEqual({ kind: "undecided", margin: 0.05, reason: "too-few" });
    expect(judge(ratioOf(0.5, 0.6, 0.7), { noiseFloor: tooFew }).kind).toBe("faster");
  });

  it.each([0, -0.1, Number.NaN, Number.POSITIVE_INFINITY])("refuses the margin %d", (margin) => {
    expect(() => judge(ratioOf(1, 1, 1), { margin })).toThrow(/margin: found/);
  });
});
