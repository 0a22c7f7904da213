import { describe, expect, it } from "vitest";
import { plannedByCell } from "../../lib/analysis/sound-trials.ts";
import { publishedPriors } from "../../lib/cost/duration-priors.ts";
import { callCount, forecastTrials } from "../../lib/cost/run-model.ts";
import { msPerPart, partCount, samplesPerPart } from "../../lib/plan/blocks.ts";
import { plannedSamples } from "../../lib/plan/expand.ts";
import {
  countTrialCalls,
  listTrialCalls,
  listWarmOperations,
  updateSlotDelayMs,
} from "../../lib/plan/trial-calls.ts";
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

  it("are of every warm operation but those that the requests keep to other variants", () => {
    const requests = { put: { variants: ["rust"] as [string] }, get: {} };
    const choice = { warmOperations: ["get", "put", "query"], requests };
    expect(listWarmOperations(choice, "rust")).toEqual(["get", "put", "query"]);
    expect(listWarmOperations(choice, "python")).toEqual(["get", "query"]);
    expect(listWarmOperations({ warmOperations: ["get", "put"] }, "python")).toEqual([
      "get",
      "put",
    ]);
  });
});

describe("the parts in which a trial is stored", () => {
  it("are full or overdue, one at least, and never more than there are samples", () => {
    expect(partCount(1, 0)).toBe(1);
    expect(partCount(samplesPerPart, 0)).toBe(1);
    expect(partCount(samplesPerPart + 1, 0)).toBe(2);
    expect(partCount(samplesPerPart, 3 * msPerPart)).toBe(4);
    expect(partCount(2, 100 * msPerPart)).toBe(2);
  });
});

describe("the updates that force a block's first environments cold", () => {
  it("are no more than 15 a second, one after another, and only those of the first trials wait", () => {
    const lanes = 60;
    const delaysMs = Array.from({ length: 90 }, (_, place) => updateSlotDelayMs(place, lanes));
    expect(delaysMs[0]).toBe(0);
    expect(delaysMs.slice(lanes)).toEqual(Array(30).fill(0));
    const waiting = delaysMs.slice(0, lanes);
    expect(waiting).toEqual([...new Set(waiting)].sort((a, b) => a - b));
    for (let second = 0; second < 4; second++) {
      const begun = waiting.filter((ms) => Math.floor(ms / 1000) === second);
      expect(begun.length).toBeLessThanOrEqual(15);
    }
    // As quick as that allows.
    expect(waiting.at(-1)).toBeLessThanOrEqual((lanes / 15) * 1000);
  });
});
