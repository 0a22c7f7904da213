import { describe, expect, it } from "vitest";
import { type Comparison, compareSizes, compareVariants } from "../../lib/analysis/comparisons.ts";
import {
  describeFound,
  measurePrecision,
  precisionSoFar,
  relativeHalfWidth,
} from "../../lib/analysis/precision.ts";
import { makeMeasure } from "../../lib/analysis/series-view.ts";
import type { StoppingRule } from "../../lib/contract/types/contract.ts";
import { type FixtureChoice, fixtureSamples, streamed } from "../report/support/fixture.ts";
import { oneRun } from "./support/one-run.ts";

const comparison = (figures: Partial<Comparison>) => figures as Comparison;

describe("the precision of a ratio", () => {
  it("is half its interval's width, for a ratio and its inverse alike", () => {
    expect(relativeHalfWidth({ low: 1 / 1.05, high: 1.05 })).toBeCloseTo(0.05, 12);
    const inverse = { low: 1 / 1.3, high: 1 / 0.9 };
    expect(relativeHalfWidth({ low: 0.9, high: 1.3 })).toBeCloseTo(
      relativeHalfWidth(inverse) ?? 0,
      12,
    );
    expect(relativeHalfWidth({ low: 2, high: 2 })).toBe(0);
  });

  it("is not there without an interval, and such a ratio is the widest", () => {
    const none = comparison({ verdict: "undecided", undecidedReason: "too-few" });
    const narrow = comparison({ low: 1, high: 1.02 });
    const wider = comparison({ low: 1, high: 1.3 });
    const found = measurePrecision([narrow, none, wider], 0.05);
    expect(found.ratios).toBe(3);
    expect(found.wide.map((each) => each.comparison)).toEqual([none, wider]);
    expect(found.widest?.comparison).toBe(wider);
  });

  it("is not asked of a median of 0, of which there is no ratio", () => {
    const zero = comparison({ verdict: "undecided", undecidedReason: "not-positive" });
    expect(measurePrecision([zero], 0.05)).toEqual({ ratios: 0, wide: [] });
  });
});

describe("the sizes of a variant", () => {
  const choice = {
    ...{ variants: ["rust"], memoryMb: [512, 128, 1769], operations: ["get"], replica: false },
    ...{ cold: 8, warm: 80 },
  } as const satisfies FixtureChoice;
  const stopping = { untilPrecision: 0.05 } as StoppingRule;

  it("are compared each with the next smaller one, by cold starts and by warm calls", async () => {
    const { plan, samples } = await oneRun(choice);
    const compared = compareSizes(plan, samples);
    expect(
      compared.map(({ phase, quantity, cell, baselineCell }) =>
        [phase, quantity, cell.memoryMb, baselineCell.memoryMb].join(" "),
      ),
    ).toEqual([
      ...["cold initAndDurationMs 512 128", "cold initAndDurationMs 1769 512"],
      ...["warm durationMs 512 128", "warm durationMs 1769 512"],
    ]);
    for (const { phase, operation, quantity, ratio, verdict, ...pair } of compared) {
      const [own = 0, smaller = 0] = [pair.cell, pair.baselineCell].map(
        ({ id }) => makeMeasure(samples.series(id, operation, phase), quantity).mean,
      );
      expect(ratio).toBeCloseTo(own / smaller, 9);
      expect(verdict).toBe("faster");
    }
  });

  it("decide how precise a run of one variant is, and variants where there are two", async () => {
    for (const variants of [["rust"], ["rust", "python"]]) {
      const { plan, samples } = await oneRun({ ...choice, variants }, { plan: { stopping } });
      const found = await precisionSoFar(plan, "rust", streamed(fixtureSamples(plan)));
      const ofVariants = compareVariants(plan, "rust", samples).variants;
      const compared = variants.length === 1 ? compareSizes(plan, samples) : ofVariants;
      expect(found).toEqual(measurePrecision(compared, 0.05));
      const { ratios, wide, widest: { halfWidth } = {} } = found;
      expect(describeFound(found)).toEqual({ ratios, wide: wide.length, widest: halfWidth });
    }
    const { plan } = await oneRun(choice);
    await expect(precisionSoFar(plan, "rust", streamed([]))).rejects.toThrow(RangeError);
    expect(describeFound(measurePrecision([comparison({})], 0.05))).toEqual({ ratios: 1, wide: 1 });
  });
});
