import { describe, expect, it } from "vitest";
import { describeUnknownCalls } from "../../lib/cost/own-functions.ts";
import { publishedPrices as prices } from "../../lib/cost/prices.ts";
import { planOf, rust128 } from "./plan.ts";

const where = { region: "us-east-1", prices };
const sizes = { environments: 100, warmEnvironments: 0, warmCalls: 0, discardedCalls: 0 };

describe("what an estimate assumes about users' functions", () => {
  it("names the cost if every call reached its timeout: of each cell at its own size", () => {
    const large = { ...rust128, id: "rust-arm64-1024", memoryMb: 1024 };
    const plan = planOf({ cells: [rust128, large], sizes, ownResults: true, timeoutSeconds: 60 });
    const [text] = describeUnknownCalls([plan], where);
    // 100 environments of two calls a cell, each a minute long at an eighth of a GB and at a whole one.
    const usd = 200 * 60 * (0.125 + 1) * 0.0000133334;
    expect(text).toContain("until its 60 s timeout");
    expect(text).toContain(`would cost $${usd.toFixed(2)}`);
  });

  it("names no cost where the region's price is not known", () => {
    const plan = planOf({ sizes, ownResults: true });
    const [text] = describeUnknownCalls([plan], { ...where, region: "mars-north-1" });
    expect(text).toContain("nothing is known of these functions");
    expect(text).not.toContain("$");
  });

  it("says nothing of Kelvin's own experiments", () => {
    expect(describeUnknownCalls([planOf()], where)).toEqual([]);
  });
});
