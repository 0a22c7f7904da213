import { describe, expect, it } from "vitest";
import type { Sample } from "../../lib/contract/types/contract.ts";
import { runCostTotal } from "../../lib/cost/invocation-cost.ts";
import { publishedPrices } from "../../lib/cost/prices.ts";
import { rust128 } from "./plan.ts";

function sample(changes: Partial<Sample> = {}): Sample {
  return {
    runId: "run",
    experiment: "dynamodb",
    target: "aws",
    cell: rust128,
    operation: "get",
    phase: "cold",
    block: 0,
    sequence: 0,
    startedAt: "2026-01-01T00:00:00.000Z",
    telemetry: { durationMs: 912, initDurationMs: 112, billedDurationMs: 1025 },
    ...changes,
  };
}

const oneUsd = 0.125 * 1.025 * 0.0000133334 + 0.0000002;

describe("what a run cost", () => {
  it("is nothing before the first sample", () => {
    expect(runCostTotal(publishedPrices, "us-east-1").total()).toEqual({
      kind: "run-cost",
      pricesDate: publishedPrices.date,
      pricesRegion: "us-east-1",
      functionsUsd: 0,
      billed: 0,
      withoutBill: 0,
      dataUsd: 0,
    });
  });

  it("is the sum of the bills, Init not added again, rejected samples included", () => {
    const cost = runCostTotal(publishedPrices, "us-east-1");
    cost.add(sample());
    cost.add(sample({ rejected: { reason: "warm-up" } }));
    const total = cost.total();
    expect(total).toMatchObject({ billed: 2, withoutBill: 0 });
    expect(total.kind === "run-cost" && total.functionsUsd).toBeCloseTo(2 * oneUsd, 15);
    expect(total.kind === "run-cost" && total.dataUsd).toBeCloseTo(0.000000125, 15);
  });

  it("counts what has no bill instead of taking it for free", () => {
    const cost = runCostTotal(publishedPrices, "us-east-1");
    const { telemetry: _, ...withoutTelemetry } = sample();
    cost.add(withoutTelemetry);
    cost.add(sample({ telemetry: { durationMs: 5 } }));
    expect(cost.total()).toMatchObject({ functionsUsd: 0, billed: 0, withoutBill: 2 });
  });

  it("has no data cost where a price or an operation's units are not known", () => {
    const tokyo = runCostTotal(publishedPrices, "ap-northeast-1");
    tokyo.add(sample());
    expect(tokyo.total()).not.toHaveProperty("dataUsd");
    const compute = runCostTotal(publishedPrices, "us-east-1");
    compute.add(sample({ operation: "fibonacci" }));
    expect(compute.total()).not.toHaveProperty("dataUsd");
  });

  it("has no data cost, and that is known, where the functions work on no table", () => {
    const compute = runCostTotal(publishedPrices, "ap-northeast-1", { withoutTable: true });
    compute.add(sample({ operation: "fibonacci" }));
    expect(compute.total()).toMatchObject({ dataUsd: 0 });
  });

  it("is absent in a region without prices", () => {
    const cost = runCostTotal(publishedPrices, "me-central-1");
    cost.add(sample());
    expect(cost.total()).toEqual({
      kind: "price-absent",
      region: "me-central-1",
      missing: ["lambda.arm64.gbSecondUsd", "lambda.requestUsd"],
    });
  });
});
