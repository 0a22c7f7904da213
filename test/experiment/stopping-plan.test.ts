import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { contractProblem } from "../../lib/contract/validate.ts";
import { dynamodb } from "../../lib/experiments/dynamodb/definition.ts";
import { firstBlocks, listLooks, smallestPlan } from "../../lib/plan/blocks.ts";
import { plannedSamples } from "../../lib/plan/expand.ts";
import { parsePercent } from "../../lib/plan/stopping.ts";
import { smallPlan } from "../support/small-plan.ts";

const { environments: least } = dynamodb.presets.quick;
const enough = { cold: least, warm: 10 * least };
const stopping = { untilPrecision: 0.05 };

describe("the plan of a run with a stopping rule", () => {
  it("keeps its contract, and is bounded without being told to be", () => {
    const plan = smallPlan({ ...enough, stopping });
    expect(contractProblem("plan", JSON.parse(JSON.stringify(plan)))).toBeUndefined();
    expect(plan.stopping).toEqual({
      ...stopping,
      maxSamples: 10 * plannedSamples(smallPlan(enough)),
      maxMinutes: 120,
      mostBlocksBy: "maxSamples",
    });
    expect(plan.blocks).toHaveLength(10 * least);
  });

  it("begins with the plan without the rule: a block depends on the seed and its number alone", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 0xffff_ffff }),
        fc.integer({ min: least, max: 3 * least }),
        fc.constantFrom("quick" as const, "standard" as const),
        (seed, more, preset) => {
          const { environments } = dynamodb.presets[preset];
          const choice = { seed, preset, cold: environments + more, warm: 600 };
          const plain = smallPlan(choice);
          const plan = smallPlan({ ...choice, stopping });
          expect(plan.blocks.slice(0, plain.blocks.length)).toEqual(plain.blocks);
          expect(plan.sizes).toEqual(plain.sizes);
          expect(smallestPlan(plan).blocks).toEqual(plain.blocks);
        },
      ),
      { numRuns: 20 },
    );
  });

  it("goes on to warm calls in as large a share of its later blocks", () => {
    const plan = smallPlan({ preset: "standard", cold: 90, warm: 600, stopping });
    const isWarm = plan.blocks.map(({ visits: trials }) => trials[0]?.warmOrder.length !== 0);
    const warm = (from: number) => isWarm.slice(from, from + 30).filter((each) => each).length;
    expect([0, 30, 90, 870].map(warm)).toEqual([20, 20, 20, 20]);
  });

  it("has no block that the samples are not enough for", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2000 }), (more) => {
        const maxSamples = plannedSamples(smallPlan(enough)) + more;
        const plan = smallPlan({ ...enough, stopping: { ...stopping, maxSamples } });
        expect(plannedSamples(plan)).toBeLessThanOrEqual(maxSamples);
        const perBlock = plannedSamples(firstBlocks(plan, 1));
        expect(plannedSamples(plan) + perBlock).toBeGreaterThan(maxSamples);
      }),
      { numRuns: 20 },
    );
  });

  it("waits for the ratios of variants, or of the sizes of one alone: without either it is refused", () => {
    const one = { ...enough, variants: ["rust"], stopping };
    expect(smallPlan({ ...one, memoryMb: [128, 512] }).stopping).toMatchObject(stopping);
    expect(() => smallPlan(one)).toThrow(
      "allowed: rust and another one, or two sizes of one, with untilPrecision",
    );
    expect(() =>
      smallPlan({ ...one, variants: ["python", "rust-tuned"], memoryMb: [128, 512] }),
    ).toThrow("rust and another one");
  });

  it("ends with the largest plan where the samples would reach further", () => {
    const maxSamples = 1_000_000_000;
    const plan = smallPlan({ ...enough, warm: 0, stopping: { ...stopping, maxSamples } });
    expect(plan.blocks).toHaveLength(1000);
    expect(plan.stopping?.mostBlocksBy).toBe("largestPlan");
  });
});

describe("the looks of a rule", () => {
  it("begin at the least, end at the most, and are a tenth apart or one block", () => {
    expect(listLooks(8, 8)).toEqual([8]);
    expect(listLooks(8, 14)).toEqual([8, 9, 10, 11, 12, 13, 14]);
    expect(listLooks(18, 31)).toEqual([18, 19, 20, 22, 24, 26, 28, 30, 31]);
    expect(listLooks(30, 1000).length).toBeLessThan(50);
  });
});

describe("a share as it is typed", () => {
  it("is a percentage, and nothing else", () => {
    expect(parsePercent("untilPrecision", "5%")).toBe(0.05);
    expect(parsePercent("untilPrecision", "2.5 %")).toBe(0.025);
    for (const wrong of ["5", "0%", "100%", "-5%", "5%5", "", 0.05, 5, null, undefined, ["5%"]]) {
      expect(() => parsePercent("untilPrecision", wrong)).toThrow("untilPrecision: found ");
    }
  });
});
