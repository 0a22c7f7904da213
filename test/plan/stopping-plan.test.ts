import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { contractProblem } from "../../lib/contract/validate.ts";
import { dynamodb } from "../../lib/experiments/dynamodb/definition.ts";
import {
  environmentsOfBound,
  firstBlocks,
  listLooks,
  looksOfPlan,
  smallestPlan,
  withoutSkipped,
} from "../../lib/plan/blocks.ts";
import { plannedSamples } from "../../lib/plan/expand.ts";
import { parseLimit } from "../../lib/plan/limits.ts";
import { mostSamples, parsePercent, stoppingChoice } from "../../lib/plan/stopping.ts";
import { percentileBounds } from "../../lib/statistics/tail-percentile.ts";
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
    const isWarm = plan.blocks.map(({ trials }) => trials[0]?.warmOrder.length !== 0);
    const warm = (from: number) => isWarm.slice(from, from + 30).filter((each) => each).length;
    expect([0, 30, 90, 870].map(warm)).toEqual([20, 20, 20, 20]);
  });

  it("has no block that the samples are not enough for", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2000 }), (more) => {
        const sizes = { ...enough, memoryMb: [128, 256, 512, 1024] };
        const maxSamples = plannedSamples(smallPlan(sizes)) + more;
        const plan = smallPlan({ ...sizes, stopping: { ...stopping, maxSamples } });
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

  it("takes a week at most and some time at least, and as many samples as it measures in any case", () => {
    const within = (more: object) => smallPlan({ ...enough, stopping: { ...stopping, ...more } });
    const week = 7 * 24 * 60;
    expect(within({ maxMinutes: week }).stopping?.maxMinutes).toBe(week);
    expect(() => within({ maxMinutes: week + 1 })).toThrow(`maxMinutes: found ${week + 1}`);
    expect(() => within({ maxMinutes: 0 })).toThrow("maxMinutes: found 0; allowed: above 0");
    const fewest = plannedSamples(smallPlan(enough));
    expect(within({ maxSamples: fewest }).blocks).toHaveLength(least);
    expect(() => within({ maxSamples: fewest - 1 })).toThrow(
      `allowed: at least ${fewest}, for the ${least} environments a cell`,
    );
  });

  it("is refused with fewer environments than its preset has, at which it looks first", () => {
    expect(() => smallPlan({ cold: least - 1, stopping })).toThrow(
      `cold: found ${least - 1}; allowed: ${least} and more with untilPrecision: the quick preset's own`,
    );
  });

  it("is asked for by a precision or a choice of sizes: a budget alone is refused", () => {
    for (const budget of ["maxSamples", "maxMinutes"]) {
      expect(() => stoppingChoice({ [budget]: 5 })).toThrow(
        `${budget}: found 5; allowed: no value without untilPrecision`,
      );
      expect(stoppingChoice({ ...stopping, [budget]: 5 })).toEqual({ ...stopping, [budget]: 5 });
    }
    expect(stoppingChoice({})).toBeUndefined();
  });

  it("ends with the largest plan where the samples would reach further", () => {
    const maxSamples = 1_000_000_000;
    const plan = smallPlan({ ...enough, warm: 0, stopping: { ...stopping, maxSamples } });
    expect(plan.blocks).toHaveLength(1000);
    expect(plan.stopping?.mostBlocksBy).toBe("largestPlan");
  });
});

it("the looks of a rule begin at the least, end at the most, and are a tenth apart or one block", () => {
  expect(listLooks(8, 8)).toEqual([8]);
  expect(listLooks(8, 14)).toEqual([8, 9, 10, 11, 12, 13, 14]);
  expect(listLooks(18, 31)).toEqual([18, 19, 20, 22, 24, 26, 28, 30, 31]);
  expect(listLooks(30, 1000).length).toBeLessThan(50);
});

it("the first blocks of a plan are a plan of their own sizes", () => {
  const plan = smallPlan({ preset: "standard", cold: 90, warm: 600 });
  for (const count of [1, 7, 45, 90]) {
    const { blocks, sizes } = firstBlocks(plan, count);
    expect(blocks).toEqual(plan.blocks.slice(0, count));
    const warm = blocks.filter(({ trials }) =>
      trials.every(({ warmOrder }) => warmOrder.length > 0),
    );
    expect(sizes).toMatchObject({ environments: count, warmEnvironments: warm.length });
  }
  expect(firstBlocks(plan, 91)).toEqual(plan);
  expect(firstBlocks(smallPlan({ warm: 0, cold: 4 }), 2).sizes.warmEnvironments).toBe(0);
  const looked = smallPlan({ ...enough, stopping });
  expect(firstBlocks(looked, 90).sizes).toMatchObject({ environments: 90, warmEnvironments: 90 });
});

it("a plan without skipped trials has all of its blocks, and the trials that are left in their order", () => {
  const plan = smallPlan({ cold: 3 });
  const [first] = plan.cells;
  const left = withoutSkipped(plan, (cellId, block) => cellId === first?.id && block > 0);
  for (const [at, { index, trials }] of plan.blocks.entries()) {
    const kept = trials.filter(({ cellId }) => at === 0 || cellId !== first?.id);
    expect(left.blocks[at]).toEqual({ index, trials: kept });
  }
});

it("a percentage without its sign is refused with the one that was meant", () => {
  for (const [wrong, meant] of [
    ["12", "12%"],
    ["2.5", "2.5%"],
    ["12.55", "12.55%"],
    ["100", "5%"],
    ["0", "5%"],
    ["99.9", "99.9%"],
    ["x", "5%"],
    ["1e1", "5%"],
  ]) {
    expect(() => parsePercent("untilPrecision", wrong)).toThrow(`such as ${meant}; found`);
  }
});

it("a share as it is typed is a percentage, and nothing else", () => {
  expect(parsePercent("untilPrecision", "5%")).toBe(0.05);
  expect(parsePercent("untilPrecision", "2.25%")).toBe(0.0225);
  for (const wrong of ["5", "0%", "100%", "-5%", "5%5", "", 0.05, 5, null, undefined, ["5%"]]) {
    expect(() => parsePercent("untilPrecision", wrong)).toThrow("untilPrecision is a percentage");
  }
});

describe("the plan of a run that chooses memory sizes", () => {
  const sizeChoice = { coldShare: 0.01, gbSecondUsd: 0.0000133334, requestUsd: 0.0000002 };
  const sizes = { memoryMb: [128, 256, 512, 1024], variants: ["rust"], cold: 6, warm: 48 };
  const stopping = { untilPrecision: 0.1, sizeChoice };
  const plan = smallPlan({ ...sizes, stopping });

  it("keeps its contract, and what its costs are worked out from", () => {
    expect(contractProblem("plan", JSON.parse(JSON.stringify(plan)))).toBeUndefined();
    expect(plan.stopping).toMatchObject({ untilPrecision: 0.1, maxMinutes: 10, sizeChoice });
    expect(stoppingChoice({ sizeChoice })).toEqual({ untilPrecision: 0.1, sizeChoice });
  });

  it("begins with every size in each block, and has the blocks that fewer sizes leave room for", () => {
    const { maxSamples = 0 } = plan.stopping ?? {};
    expect(maxSamples).toBe(10 * plannedSamples(firstBlocks(plan, 6)));
    expect(plannedSamples(plan)).toBeGreaterThan(2 * maxSamples);
    expect(mostSamples(plan)).toBe(maxSamples);
    const two = smallPlan({ ...sizes, variants: ["rust-tuned", "python"], stopping });
    expect(plannedSamples(two)).toBe(2 * mostSamples(two));
    for (const { trials } of plan.blocks) expect(trials).toHaveLength(plan.cells.length);
  });

  it("looks after its first blocks, and then after a third more", () => {
    expect(looksOfPlan(plan).slice(0, 8)).toEqual([6, 8, 10, 13, 17, 22, 29, 38]);
  });

  it("looks when there are the cold starts that a limit on P95 or P99 takes", () => {
    const limits = ["cold.p95 < 1 s", "second.p99 < 1 s", "warm.p95 < 1 s"].map(parseLimit);
    const within = smallPlan({
      ...sizes,
      stopping: { untilPrecision: 0.1, sizeChoice: { ...sizeChoice, limits }, maxSamples: 1e6 },
    });
    expect(contractProblem("plan", JSON.parse(JSON.stringify(within)))).toBeUndefined();
    const looks = looksOfPlan(within);
    expect(looks.slice(7, 12)).toEqual([38, 50, 59, 78, 104]);
    expect(looks).toContain(299);
    const none = ["cold.mean < 1 s", "second.median < 1 s", "warm.p95 < 1 s", "memory < 256 MB"];
    const others = none.map(parseLimit);
    const without = { untilPrecision: 0.1, sizeChoice: { ...sizeChoice, limits: others } };
    const more = { ...without, maxSamples: 1e6 };
    expect(looksOfPlan(smallPlan({ ...sizes, stopping: more })).slice(7, 12)).toEqual([
      ...[38, 50, 66, 88, 117],
    ]);
    const one = { units: [{ block: 0, values: [1] }] };
    expect(percentileBounds(one, "p95").environmentsNeeded).toBe(environmentsOfBound.p95);
    expect(percentileBounds(one, "p99").environmentsNeeded).toBe(environmentsOfBound.p99);
  });

  it("is refused without warm calls, with too few environments, and of one size", () => {
    const refused = (choice: object) => smallPlan({ ...sizes, stopping, ...choice });
    expect(() => refused({ warm: 0 })).toThrow("warm: found 0");
    expect(() => refused({ cold: 3 })).toThrow("cold: found 3; allowed: 4 to");
    expect(() => refused({ cold: 200 })).toThrow("cold: found 200; allowed: 4 to");
    expect(() => refused({ memoryMb: [512] })).toThrow("memory: found [512]");
  });
});
