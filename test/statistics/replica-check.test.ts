import { describe, expect, it } from "vitest";
import { SeededRandom } from "../../lib/contract/seeded-order.ts";
import { simulatedSeries } from "./simulated-series.ts";
import { checkReplicas, relabelled } from "./support/replica-check.ts";
import { simulated } from "./support/simulated.ts";

const random = new SeededRandom(42);
const cold = {
  medianMs: 900,
  environments: 30,
  callsEach: 1,
  environmentSpread: 0.1,
  callSpread: 0,
};
const warm = {
  medianMs: 7,
  environments: 10,
  callsEach: 17,
  environmentSpread: 0.1,
  callSpread: 0.2,
};

describe("an A/A pair", () => {
  simulated.each([
    ["30 cold environments", cold],
    ["10 warm environments", warm],
    ["6 cold environments", { ...cold, environments: 6 }],
  ])("is told apart in at most 5%% of 1,000 relabellings: %s", (_, sizes) => {
    const check = checkReplicas(simulatedSeries(sizes, random), simulatedSeries(sizes, random), {
      seed: 1,
      draws: 500,
    });
    expect(check.rounds).toBe(1000);
    expect(check.falseShare).toBeLessThanOrEqual(0.05);
    expect(check.excludesOneShare).toBeLessThanOrEqual(0.09);
  });

  it("gives the same check for the same seed", () => {
    const a = simulatedSeries(cold, random);
    const b = simulatedSeries(cold, random);
    const options = { seed: 9, rounds: 20, draws: 200 };
    expect(checkReplicas(a, b, options)).toEqual(checkReplicas(a, b, options));
  });
});

it("a relabelling keeps every environment, in its block, and both sides' numbers", () => {
  const a = simulatedSeries(cold, random);
  const b = { units: simulatedSeries(warm, random).units };
  const dealt = relabelled(a, b, random);
  const sorted = (units: typeof a.units) => units.map((unit) => JSON.stringify(unit)).sort();
  expect(dealt.a.units).toHaveLength(a.units.length);
  expect(dealt.b.units).toHaveLength(b.units.length);
  expect(sorted([...dealt.a.units, ...dealt.b.units])).toEqual(sorted([...a.units, ...b.units]));
});
