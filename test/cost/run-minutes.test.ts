import { describe, expect, it } from "vitest";
import type { Estimate, Plan } from "../../lib/contract/types/contract.ts";
import { estimateRun } from "../../lib/cost/estimate.ts";
import { publishedPrices } from "../../lib/cost/prices.ts";
import { listLooks, smallestPlan } from "../../lib/plan/blocks.ts";
import { planOf, rust128 } from "./plan.ts";

const least = 10;
const most = 100;

/** What a run takes besides its blocks, in minutes. */
function minutesAround({ time }: Estimate): number {
  const { runMs = 0, experimentsMs = 0, triesMs = 0 } = time ?? {};
  return (runMs + experimentsMs + triesMs) / 60_000;
}

/** Of blocks that are all alike. */
function planWithin(maxMinutes: number): Plan {
  const sizes = { warmEnvironments: 0, warmCalls: 0, discardedCalls: 0 };
  const whole = planOf({ sizes: { ...sizes, environments: most } });
  const rule = { untilPrecision: 0.05, maxSamples: 10_000, maxMinutes } as const;
  return {
    ...whole,
    sizes: { ...sizes, environments: least },
    stopping: { ...rule, mostBlocksBy: "maxSamples" },
  };
}

function estimateOf(plan: Plan): Estimate {
  const run = estimateRun(plan, { region: "us-east-1", prices: publishedPrices });
  if (run.kind !== "estimated") throw new Error(run.missing.join());
  return run.estimate;
}

/** Two cells, two calls of each in a block. */
const blocksIn = ({ invocations }: Estimate) => invocations / 4;

describe("the estimate of a run with a stopping rule", () => {
  const whole = estimateOf(planWithin(10_000));
  const around = minutesAround(whole);
  const blockMinutes = (whole.minutes - around) / most;

  it("is of every block where they fit into the minutes", () => {
    expect(blocksIn(whole)).toBe(most);
  });

  it("is of the blocks up to the last look within the minutes, in dollars too", () => {
    const maxMinutes = 37.5 * blockMinutes;
    const within = estimateOf(planWithin(maxMinutes));
    const looks = listLooks(least, most);
    expect(blocksIn(within)).toBe(looks.filter((look) => look <= 37).at(-1));
    expect(within.minutes).toBeLessThanOrEqual(maxMinutes + around);
    expect(within.minutes).toBeCloseTo(blocksIn(within) * blockMinutes + around, 9);
    const plan = planWithin(10_000);
    const made = { ...plan, blocks: plan.blocks.slice(0, blocksIn(within)) };
    // What it costs at most is of all blocks: quicker calls leave time for them.
    const { costAtTimeoutUsd } = estimateOf(plan);
    expect(within).toEqual({ ...estimateOf(made), costAtTimeoutUsd });
    expect(costAtTimeoutUsd).toBeGreaterThan(within.costUsd);
  });

  it("is of what is measured in any case where not even that fits", () => {
    const plan = planWithin(blockMinutes);
    const { costAtTimeoutUsd } = estimateOf(plan);
    expect(estimateOf(plan)).toEqual({ ...estimateOf(smallestPlan(plan)), costAtTimeoutUsd });
    expect(blocksIn(estimateOf(plan))).toBe(least);
  });

  it("never falls when the minutes are more", () => {
    const counts = [1, 5, 20, 40, 80, 200].map((blocks) =>
      blocksIn(estimateOf(planWithin(blocks * blockMinutes))),
    );
    expect(counts).toEqual([...counts].sort((a, b) => a - b));
    expect(counts.at(-1)).toBe(most);
  });
});

describe("the terms of the expected time", () => {
  const cold = { environments: 1, warmEnvironments: 0, warmCalls: 0, discardedCalls: 0 };
  const alike = [rust128, { ...rust128, id: "again" }] as Plan["cells"];
  const timeOf = (changes: Partial<Plan>) => estimateOf(planOf({ sizes: cold, ...changes })).time;

  it("are, of one trial, as counted by hand", () => {
    // A call takes 30 ms beside its bill. Before the block a get of 1,024 ms and a put, which is given 100; in the
    // trial the same get, and a second call of 7 ms and a description of 5, each of which is given 100.
    expect(timeOf({ cells: [rust128] })).toEqual({
      ...{ runMs: 5000, experimentsMs: 10_000, triesMs: 5000 + 1054 + 100 },
      ...{ blocksMs: 3000, updateSlotsMs: 0, forceColdMs: 3000, trialsMs: 1000 },
      ...{ callsMs: 1054 + 37 + 35, spacingMs: 100 - 37 + (100 - 35), sharedLanesMs: 0 },
    });
  });

  it("are those of one trial for two at a time, whose second waits for its turn to update", () => {
    const one = timeOf({ cells: [rust128] });
    expect(timeOf({ cells: alike, lanes: 2 })).toEqual({ ...one, updateSlotsMs: 67 });
  });

  it("have the other trial's whole time in one lane, and the other function's calls before the block", () => {
    const one = timeOf({ cells: [rust128] });
    expect(timeOf({ cells: alike, lanes: 1 })).toEqual({
      ...one,
      triesMs: 5000 + 2 * (1054 + 100),
      sharedLanesMs: 3000 + 1000 + 1054 + 100 + 100,
    });
  });

  it("add up to the minutes, and are the same again for each block", () => {
    const estimate = estimateOf(planOf());
    const sum = Object.values(estimate.time ?? {}).reduce((total, ms) => total + ms, 0);
    expect(estimate.minutes).toBeCloseTo(sum / 60_000, 9);
    const { triesMs, runMs, experimentsMs, ...ofBlocks } = timeOf({ cells: [rust128] }) ?? {};
    const twice = timeOf({ cells: [rust128], sizes: { ...cold, environments: 2 } });
    expect(twice).toMatchObject({ triesMs, runMs, experimentsMs });
    for (const [term, ms] of Object.entries(ofBlocks)) expect(twice).toHaveProperty(term, 2 * ms);
  });
});
