import { expect, test } from "vitest";
import { collectSamples } from "../../lib/analysis/collect-samples.ts";
import { coldRuns, listDistributions, quantileIn } from "../../lib/analysis/distribution.ts";
import { runCostTotal } from "../../lib/cost/invocation-cost.ts";
import { quantileType7 } from "../../lib/statistics/order-statistics.ts";
import { fixtureInputs, fixtureSamples, streamed } from "../report/support/fixture.ts";

const { plan, prices } = fixtureInputs({ memoryMb: [128] });
const samples = [...fixtureSamples(plan)];
const collected = await collectSamples(
  plan,
  streamed(samples),
  runCostTotal(prices, "us-east-1", plan),
  () => ({}),
);
const distributions = listDistributions(plan, collected);
const warmGet = distributions.find(
  ({ phase, operation, cell }) =>
    phase === "warm" && operation === "get" && cell.variant === "rust",
);

test("a distribution of many samples is 41 quantiles, the quarters among them exact", () => {
  const kept = samples
    .filter(({ cell, phase, operation, rejected }) => {
      return cell.id === warmGet?.cell.id && phase === "warm" && operation === "get" && !rejected;
    })
    .map(({ telemetry }) => telemetry?.durationMs ?? Number.NaN);
  expect(kept).toHaveLength(63);
  expect(warmGet).toMatchObject({ n: 63, environments: 9 });
  expect(warmGet?.quantilesMs).toHaveLength(41);
  for (const level of [0, 0.25, 0.5, 0.75, 1]) {
    expect(warmGet && quantileIn(warmGet, level)).toBeCloseTo(quantileType7(kept, level), 10);
  }
});

test("a distribution of few samples is the samples themselves", () => {
  const cold = distributions.find(({ phase }) => phase === "cold");
  const own = samples
    .filter(({ cell, phase }) => cell.id === cold?.cell.id && phase === "cold")
    .map(({ telemetry }) => (telemetry?.initDurationMs ?? 0) + (telemetry?.durationMs ?? 0));
  expect(cold?.quantilesMs).toEqual(own.sort((a, b) => a - b));
});

test("the A/A replica has no distribution of its own", () => {
  expect(plan.cells.some(({ replicaOf }) => replicaOf !== undefined)).toBe(true);
  expect(distributions.some(({ cell }) => cell.replicaOf !== undefined)).toBe(false);
});

test("a cold run has the figures of its environment's first two calls, those that count", async () => {
  const own = samples.filter(({ cell, phase }) => cell.variant === "python" && phase !== "warm");
  const spoilt = own.map((sample) =>
    sample.phase === "second" && sample.block === 2
      ? { ...sample, rejected: { reason: "init-unexpected" as const } }
      : sample,
  );
  const noCost = { add: () => {} };
  const kept = await collectSamples(plan, streamed(spoilt), noCost, () => ({}));
  const [cold, second] = [0, 1].map((call) => own.filter((_, index) => index % 2 === call));
  expect(coldRuns(plan, kept)).toEqual(
    cold?.map(({ cell, block, telemetry }, index) => ({
      ...{ cell, block, initDurationMs: telemetry?.initDurationMs },
      firstDurationMs: telemetry?.durationMs,
      firstBilledDurationMs: telemetry?.billedDurationMs,
      firstMaxMemoryUsedMb: telemetry?.maxMemoryUsedMb,
      ...(block !== 2 && { secondDurationMs: second?.[index]?.telemetry?.durationMs }),
    })),
  );
});
