import { describe, expect, it } from "vitest";
import { estimateRun } from "../../lib/cost/estimate.ts";
import { describeUnknownCalls } from "../../lib/cost/own-functions.ts";
import { publishedPrices as prices } from "../../lib/cost/prices.ts";
import { planOf, rust128 } from "./plan.ts";

const where = { region: "us-east-1", prices };
const sizes = { environments: 100, warmEnvironments: 0, warmCalls: 0, discardedCalls: 0 };

describe("what an estimate assumes about users' functions", () => {
  it("is that they take as long as Kelvin's own", () => {
    const [text] = describeUnknownCalls([planOf({ sizes, ownResults: true })]);
    expect(text).toContain("nothing is known of these functions");
    expect(describeUnknownCalls([planOf()])).toEqual([]);
  });

  it("has a bound: the run's cost if every call took until its timeout, of each cell at its own size", () => {
    const large = { ...rust128, id: "rust-arm64-1024", memoryMb: 1024 };
    const plan = planOf({ cells: [rust128, large], sizes, ownResults: true, timeoutSeconds: 60 });
    const run = estimateRun(plan, where);
    if (run.kind !== "estimated") throw new Error(run.kind);
    const { costAtTimeoutUsd = 0 } = run.estimate;
    // 100 environments of two calls a cell, each a minute long at an eighth of a GB and at a whole one.
    const functionsUsd = 200 * 60 * (0.125 + 1) * 0.0000133334;
    // Its driver, of a quarter of a GB, waits for each of them.
    const driversUsd = 2 * 200 * 60 * 0.25 * 0.0000133334;
    expect(costAtTimeoutUsd).toBeGreaterThan(functionsUsd + driversUsd);
    expect(costAtTimeoutUsd).toBeLessThan(1.3 * (functionsUsd + driversUsd));
  });
});
