import { describe, expect, it } from "vitest";
import { plannedByCell } from "../../lib/analysis/sound-trials.ts";
import { publishedPriors } from "../../lib/cost/duration-priors.ts";
import { callCount, forecastTrials } from "../../lib/cost/run-model.ts";
import { plannedSamples } from "../../lib/plan/expand.ts";
import { countTrialCalls, listTrialCalls } from "../../lib/plan/trial-calls.ts";
import { listSteps } from "../../lib/sampler/sample-trial.ts";
import { smallPlan } from "../support/small-plan.ts";

const plan = {
  ...smallPlan({ memoryMb: [128, 512], cold: 3, warm: 12 }),
  requests: { query: { discardedCalls: 9 } },
};
const trials = plan.blocks.flatMap((block) => block.trials);

describe("the calls of a trial", () => {
  it("are one cold, one second, and those of each warm operation, in the trial's order", () => {
    const { discardedCalls, warmCalls } = plan.sizes;
    const calls = { operation: plan.coldOperation, calls: 1, discarded: 0 };
    const kept = warmCalls - discardedCalls;
    expect(listTrialCalls(plan, { warmOrder: ["query", "put"] })).toEqual([
      { phase: "cold", ...calls },
      { phase: "second", ...calls },
      { phase: "warm", operation: "query", calls: kept + 9, discarded: 9 },
      { phase: "warm", operation: "put", calls: warmCalls, discarded: discardedCalls },
    ]);
  });

  it("are as many for the sampler, the estimate, the plan and the report", () => {
    const counts = trials.map((trial) => countTrialCalls(plan, trial));
    const total = counts.reduce((sum, count) => sum + count, 0);
    expect(trials.map((trial) => listSteps(plan, trial).length)).toEqual(counts);
    expect(forecastTrials(plan, publishedPriors).flat().map(callCount)).toEqual(counts);
    expect(plannedSamples(plan)).toBe(total);
    expect([...plannedByCell(plan).values()].reduce((sum, count) => sum + count, 0)).toBe(total);
  });

  it("are discarded from the first of an operation on, in the sampler's steps", () => {
    const steps = listSteps(plan, { cellId: "", warmOrder: ["query"] });
    const discarded = steps.flatMap((step, index) => (step.discarded ? [index] : []));
    expect(discarded).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });
});
