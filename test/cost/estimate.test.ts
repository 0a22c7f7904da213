import { assert, integer, property } from "fast-check";
import { describe, expect, it } from "vitest";
import type { Cell, Plan } from "../../lib/contract/types/contract.ts";
import { contractProblem } from "../../lib/contract/validate.ts";
import { choosePrior, publishedPriors } from "../../lib/cost/duration-priors.ts";
import {
  describeConfigurationItems,
  type EstimatedRun,
  estimatedUsdText,
  estimateRun,
} from "../../lib/cost/estimate.ts";
import { publishedPrices } from "../../lib/cost/prices.ts";
import { awsRunModel } from "../../lib/cost/run-model.ts";
import { planOf, python128, rust128 } from "./plan.ts";

function estimated(plan: Plan | readonly Plan[], region = "us-east-1"): EstimatedRun {
  const run = estimateRun(plan, { region, prices: publishedPrices });
  if (run.kind !== "estimated") throw new Error(run.missing.join());
  return run;
}

it("prints cents of an estimate, and two digits below ten of them, so that nothing seems free", () => {
  expect([123.456, 0.1, 0.0994, 0.000042].map(estimatedUsdText)).toEqual([
    "$123.46",
    "$0.10",
    "$0.099",
    "$0.000042",
  ]);
});

describe("the estimate", () => {
  it("counts a cold and a second call a trial, and the warm calls of the blocks that have them", () => {
    // 6 blocks x 2 cells x 2 calls, and 2 blocks x 2 cells x 2 operations x 13 calls.
    const { invocations, calls } = estimated(planOf()).estimate;
    expect(invocations).toBe(24 + 104);
    // A description a trial, and each of the two functions once with each event.
    expect(calls).toBe(24 + 104 + 12 + 2 * 2);
  });

  it("counts transitions by run, experiment, block and trial", () => {
    const { base, perExperiment, perBlock, perTrial } = awsRunModel.transitions;
    const { estimate, parts } = estimated(planOf());
    expect(estimate.transitions).toBe(base + perExperiment + 6 * perBlock + 12 * perTrial);
    expect(parts.transitionsUsd).toBeCloseTo(estimate.transitions * 0.000025, 12);
  });

  it("of several experiments is the sum of theirs, what the run takes by itself counted once", () => {
    const table = planOf();
    const none = planOf({ withoutTable: true });
    const options = { region: "us-east-1", prices: publishedPrices };
    const both = estimateRun([table, none], options);
    if (both.kind !== "estimated") throw new Error(both.missing.join());
    const { base } = awsRunModel.transitions;
    const [first, second] = [estimated(table), estimated(none)];
    const { invocations, minutes, transitions, costUsd } = both.estimate;
    expect(invocations).toBe(2 * 128);
    expect(transitions).toBe(first.estimate.transitions + second.estimate.transitions - base);
    const sum = (part: "functionsUsd" | "driverUsd" | "transitionsUsd") =>
      first.parts[part] + second.parts[part];
    expect(both.parts.functionsUsd).toBeCloseTo(sum("functionsUsd"), 12);
    expect(both.parts.driverUsd).toBeCloseTo(sum("driverUsd"), 12);
    expect(both.parts.transitionsUsd).toBeCloseTo(sum("transitionsUsd") - base * 0.000025, 12);
    // What a run takes once is in each of the two.
    expect(costUsd).toBeLessThan(first.estimate.costUsd + second.estimate.costUsd);
    expect(costUsd).toBeGreaterThan(0.9 * (first.estimate.costUsd + second.estimate.costUsd));
    const runMinutes = awsRunModel.runOverheadMs / 60_000;
    expect(minutes).toBeCloseTo(2 * first.estimate.minutes - runMinutes, 9);
    expect(both.parts.dataUsd).toBe(first.parts.dataUsd);
  });

  it("adds up its parts, and reconciles with a sum by hand", () => {
    const cold = { environments: 1, warmEnvironments: 0, warmCalls: 0, discardedCalls: 0 };
    const { estimate, parts } = estimated(planOf({ cells: [rust128], sizes: cold }));
    const { functionsUsd, driverUsd, dataUsd } = parts;
    // Cold bills 1,024 ms, the second 7 and the description 5 at an eighth of a GB, and three requests; before the
    // first block a cold get bills as much, and a put 10 ms.
    expect(functionsUsd).toBeCloseTo(0.125 * (1.036 + 1.034) * 0.0000133334 + 0.000001, 15);
    // Three gets of half a read unit, and the put of two units: what describes an environment reads nothing.
    expect(dataUsd).toBeCloseTo(1.5 * 0.000000125 + 2 * 0.000000625, 15);
    const names = "functionsUsd driverUsd controlUsd transitionsUsd dataUsd resultsUsd logsUsd";
    expect(Object.keys(parts).sort()).toEqual(names.split(" ").sort());
    expect(Object.values(parts).every((usd) => usd > 0)).toBe(true);
    const sum = Object.values(parts).reduce((total, usd) => total + usd, 0);
    expect(estimate.costUsd).toBeCloseTo(sum, 15);
    // The second would be over in 37 ms, and is given the 100 that calls start apart; so is the description.
    expect(driverUsd).toBeCloseTo(0.25 * (4 + 1.024 + 0.03 + 0.2) * 0.0000133334 + 0.0000002, 12);
  });

  it("waits about three seconds a trial for a cold environment", () => {
    const none = { ...awsRunModel, forceColdMs: 0 };
    const options = { region: "us-east-1", prices: publishedPrices };
    const without = estimateRun(planOf({ lanes: 1 }), { ...options, model: none });
    const minutes = without.kind === "estimated" ? without.estimate.minutes : Number.NaN;
    expect(estimated(planOf({ lanes: 1 })).estimate.minutes - minutes).toBeCloseTo(
      (12 * 3) / 60,
      9,
    );
  });

  it("takes calls to start 100 ms apart on AWS, longer ones to follow at once, and neither to wait here", () => {
    const minutesOf = (target: Plan["target"], warmMs: number) => {
      const rust = { memoryMb: 128, initMs: 100, firstMs: 900, secondMs: 200, warmMs };
      const sizes = { environments: 1, warmEnvironments: 1, warmCalls: 50, discardedCalls: 0 };
      const plan = planOf({ cells: [rust128], sizes, target, priors: { rust } });
      return estimated(plan).estimate.minutes;
    };
    const measured = 50 * planOf().warmOperations.length;
    // On AWS a put is called before the first block as well.
    const calls = { aws: measured + 1, local: measured };
    const addedMs = (target: keyof typeof calls, warmMs: number) =>
      ((minutesOf(target, warmMs) - minutesOf(target, 20)) * 60_000) / calls[target];
    expect(addedMs("aws", 70)).toBeCloseTo(0, 9);
    expect(addedMs("aws", 90)).toBeCloseTo(20, 9);
    expect(addedMs("local", 70)).toBeCloseTo(50, 9);
  });

  it("prices the driver on arm64 where any cell is, and on x86_64 where none is", () => {
    const x86 = { ...rust128, id: "rust-x86-64-128", architecture: "x86_64" as const };
    const driverUsd = (...cells: readonly Cell[]) =>
      estimated(planOf({ cells: cells as Plan["cells"], lanes: 1 })).parts.driverUsd;
    const requestsUsd = 6 * 0.0000002;
    const ratio = (driverUsd(x86) - requestsUsd) / (driverUsd(rust128) - requestsUsd);
    expect(ratio).toBeCloseTo(0.0000166667 / 0.0000133334, 9);
    expect(driverUsd(x86, rust128)).toBeCloseTo(2 * driverUsd(rust128), 12);
  });

  it("pays for the time that a driver waits for its turn to update a function", () => {
    const [turns, one] = [estimated(planOf({ lanes: 2 })), estimated(planOf({ lanes: 1 }))];
    // In each of 6 blocks the second of two drivers waits for a fifteenth of a second, 67 ms, at a quarter of a GB.
    const waitedUsd = 6 * 0.067 * 0.25 * 0.0000133334;
    expect(turns.parts.driverUsd - one.parts.driverUsd).toBeCloseTo(waitedUsd, 12);
  });

  it("keeps the contract of an estimate", () => {
    expect(contractProblem("plan", { ...planOf(), estimate: estimated(planOf()).estimate })).toBe(
      undefined,
    );
  });

  it("grows with environments, and more lanes never make it slower", () => {
    const count = integer({ min: 1, max: 12 });
    assert(
      property(count, count, count, (environments, more, lanes) => {
        const sizes = { environments, warmEnvironments: 0, warmCalls: 0, discardedCalls: 0 };
        const small = estimated(planOf({ sizes, lanes })).estimate;
        const larger = { ...sizes, environments: environments + more };
        const large = estimated(planOf({ sizes: larger, lanes })).estimate;
        expect(large.costUsd).toBeGreaterThan(small.costUsd);
        expect(large.minutes).toBeGreaterThan(small.minutes);
        const wider = estimated(planOf({ sizes, lanes: lanes + 1 })).estimate;
        expect(wider.minutes).toBeLessThanOrEqual(small.minutes);
      }),
    );
  });

  it("names every price that a region lacks, and gives no number", () => {
    const x86 = { ...rust128, architecture: "x86_64" as const };
    const run = estimateRun(planOf({ cells: [rust128, x86] }), {
      region: "me-central-1",
      prices: publishedPrices,
    });
    expect(run).toEqual({
      kind: "price-absent",
      region: "me-central-1",
      missing: ["lambda.arm64.gbSecondUsd", "lambda.requestUsd", "stepFunctionsTransitionUsd"],
    });
    const prices = { ...publishedPrices, regions: { here: { stepFunctionsTransitionUsd: 1 } } };
    expect(estimateRun(planOf({ cells: [x86] }), { region: "here", prices })).toMatchObject({
      missing: ["lambda.x86_64.gbSecondUsd", "lambda.requestUsd"],
    });
  });

  it("says when DynamoDB, S3 and the logs are not in the sum", () => {
    const run = estimated(planOf(), "ap-northeast-1");
    expect(run.notPriced).toEqual(["data", "results", "logs"]);
    for (const part of ["dataUsd", "resultsUsd", "logsUsd"]) {
      expect(run.parts).not.toHaveProperty(part);
    }
    const withNone = [planOf(), planOf({ withoutTable: true })];
    expect(estimated(withNone, "ap-northeast-1").notPriced).toEqual(run.notPriced);
    expect(estimated(planOf()).notPriced).toEqual([]);
  });

  it("has nothing to price at DynamoDB where the functions work on no table", () => {
    const run = estimated(planOf({ withoutTable: true }), "ap-northeast-1");
    expect(run).toMatchObject({ notPriced: ["results", "logs"], parts: { dataUsd: 0 } });
  });

  it("counts a configuration item for every forced cold and every function given back, in no sum", () => {
    const { estimate, parts } = estimated(planOf());
    expect(estimate.configurationItems).toBe(12 + 2);
    expect(estimate.configurationItemsUsd).toBeCloseTo(14 * 0.003, 12);
    expect(estimate.costUsd).toBeLessThan(0.01);
    expect(Object.keys(parts).join()).not.toContain("onfig");
    const local = estimated(planOf({ target: "local" })).estimate;
    expect(local).not.toHaveProperty("configurationItems");
  });

  it("has a dollar figure for AWS Config where its prices are known, and says so where they are not", () => {
    const { configurationItemUsd: _, ruleEvaluationUsd: __, ...prices } = publishedPrices;
    const run = estimateRun(planOf(), { region: "us-east-1", prices });
    if (run.kind !== "estimated") throw new Error(run.missing.join());
    expect(run.estimate.configurationItems).toBe(14);
    expect(run.estimate).not.toHaveProperty("configurationItemsUsd");
    expect(run.estimate).not.toHaveProperty("ruleEvaluationsUsd");
    const [unpriced] = describeConfigurationItems(run.estimate);
    expect(unpriced).toMatch(/14 configuration items, at a price that is not known/);
    expect(unpriced).not.toMatch(/\$|rules/);
    const [priced] = describeConfigurationItems(estimated(planOf()).estimate);
    expect(priced).toContain("14 configuration items, $0.042 beside the cost");
    expect(priced).toMatch(/and \$0\.014 more for each of its rules/);
    expect(describeConfigurationItems(estimated(planOf({ target: "local" })).estimate)).toEqual([]);
  });

  it("takes the durations that the plan expects, and the published ones of what it leaves out", () => {
    const python = { memoryMb: 128, initMs: 100, firstMs: 1, secondMs: 1, warmMs: 20_000 };
    const slow = estimated(planOf({ priors: { python } }));
    expect(slow.parts.functionsUsd).toBeGreaterThan(10 * estimated(planOf()).parts.functionsUsd);
    const rust = { memoryMb: 128, ...choosePrior(rust128, publishedPriors) };
    expect(estimated(planOf({ priors: { rust } }))).toEqual(estimated(planOf()));
  });

  it("of users' functions has no description, and each trial's wait for its log streams", () => {
    const [ours, own] = [estimated(planOf()), estimated(planOf({ ownResults: true }))];
    const { logStreamsMs, callSpacingMs, driver } = awsRunModel;
    const more = logStreamsMs - callSpacingMs;
    // 6 blocks, whose two trials are made at the same time.
    expect(own.estimate.minutes - ours.estimate.minutes).toBeCloseTo((6 * more) / 60_000, 9);
    const gbSeconds = (12 * more * driver.memoryMb) / 1024 / 1000;
    expect(own.parts.driverUsd - ours.parts.driverUsd).toBeCloseTo(gbSeconds * 0.0000133334, 9);
    expect(own.parts.functionsUsd).toBeLessThan(ours.parts.functionsUsd);
    expect(own.parts.resultsUsd).toBeGreaterThan(ours.parts.resultsUsd ?? 0);
  });

  it("of a run on this machine is longer by idle times, which those of other environments pass with", () => {
    const own = { target: "local", lanes: 1 } as const;
    const minutesOf = (idleMs?: number) =>
      estimated(planOf({ ...own, ...(idleMs !== undefined && { idleMs }) })).estimate.minutes;
    const [shorter, longer] = [minutesOf(4000), minutesOf(8000)];
    expect(shorter).toBeGreaterThan(minutesOf());
    // Two cells' environments idle at the same time.
    expect(longer - shorter).toBeCloseTo((128 * 4000) / 2 / 60_000, 9);
  });

  it("of a run on this machine takes what the same calls took on one", () => {
    const cold = { environments: 1, warmEnvironments: 0, warmCalls: 0, discardedCalls: 0 };
    const here: Partial<Plan> = { target: "local", lanes: 1, cells: [rust128], sizes: cold };
    const minutesOf = (priors = {}) => estimated(planOf({ ...here, priors })).estimate.minutes;
    const { rust } = publishedPriors;
    // An Init of 7 ms in place of 112, a first request of 291 in place of 912, and the second 1.3 ms longer.
    expect(minutesOf({ rust }) - minutesOf()).toBeCloseTo((1024 - 298 - 1) / 60_000, 9);
  });

  it("of a run on this machine costs nothing, needs no price and has no transitions", () => {
    const { estimate } = estimated(planOf({ target: "local" }), "mars-north-1");
    expect(estimate).toMatchObject({ costUsd: 0, transitions: 0, invocations: 128 });
    expect(estimate.minutes).toBeLessThan(estimated(planOf()).estimate.minutes);
  });

  it("refuses a plan that trials a cell it does not have", () => {
    const plan = { ...planOf(), cells: [rust128] as Plan["cells"] };
    expect(() => estimated(plan)).toThrow(/no cell python-arm64-128 in the plan/);
  });
});

describe("a prior", () => {
  it("is the published figure at 128 MB", () => {
    expect(choosePrior(rust128, publishedPriors)).toMatchObject({ initMs: 112, firstMs: 912 });
    expect(choosePrior(python128, publishedPriors)).toMatchObject({ initMs: 357, firstMs: 291 });
  });

  it("goes with the share of a vCPU up to 1,769 MB, Init excepted", () => {
    const at = (memoryMb: number) => choosePrior({ ...rust128, memoryMb }, publishedPriors);
    expect(at(256)).toMatchObject({ initMs: 112, firstMs: 456 });
    expect(at(1769).firstMs).toBeCloseTo((912 * 128) / 1769, 9);
    expect(at(10_240)).toEqual(at(1769));
    const pooled = (workers: number) =>
      choosePrior({ ...rust128, memoryMb: 4 * 1769, workers }, publishedPriors).firstMs;
    expect(pooled(2)).toBeCloseTo(at(1769).firstMs / 2, 9);
    expect(pooled(6)).toBeCloseTo(at(1769).firstMs / 4, 9);
    expect(at(1769).warmMs).toBe(2);
  });
});
