import { describe, expect, it } from "vitest";
import type { Plan } from "../../lib/contract/types/contract.ts";
import { contractProblem } from "../../lib/contract/validate.ts";
import { estimateRun } from "../../lib/cost/estimate.ts";
import { publishedPrices } from "../../lib/cost/prices.ts";
import { experimentById } from "../../lib/experiments/catalogue.ts";
import { expand, plannedSamples, withInstrumentedPart } from "../../lib/plan/expand.ts";
import { matrix } from "../../lib/plan/matrix.ts";
import { findService } from "../../lib/plan/trial-calls.ts";
import { listSteps } from "../../lib/sampler/sample-trial.ts";

const s3 = experimentById("s3-fanout");
const choice = {
  variants: s3.variants.map(({ id }) => id),
  memoryMb: [1536],
  architectures: ["arm64"],
} as const;
const plan = expand(s3, matrix(s3, choice), {
  ...{ runId: "run", target: "aws", createdAt: "2026-01-02T03:04:05.000Z", seed: 1 },
  ...{ preset: "quick", lanes: 1 },
});
const orderOf = (variant: string) =>
  plan.blocks[0]?.trials.find(({ cellId }) => cellId === `${variant}-arm64-1536`)?.warmOrder ?? [];

describe("the plan of s3-fanout", () => {
  it("keeps the contract, and says that it works on a bucket and on no table", () => {
    expect(contractProblem("plan", plan)).toBeUndefined();
    expect(plan).toMatchObject({ withoutTable: true, withBucket: true });
    expect(findService(plan)).toBe("S3");
  });

  it("asks a variant for the settings that mean something to it", () => {
    expect(orderOf("python-serial")).toEqual(["fanout"]);
    expect(orderOf("rust-serial")).toEqual(["fanout"]);
    expect([...orderOf("rust-concurrent")].sort()).toEqual(["fanout", "fanout-50"]);
    expect([...orderOf("python-executor")].sort()).toEqual([
      ...["fanout", "fanout-50", "fanout-50-pool-10"],
    ]);
  });

  it("does so under callgrind too", () => {
    const { instrumented } = withInstrumentedPart(plan);
    const trials = instrumented?.blocks[0]?.trials ?? [];
    const serial = trials.find(({ cellId }) => cellId.startsWith("rust-serial"));
    expect(serial?.warmOrder).toEqual(["fanout"]);
  });

  it("lets a setting open its connections first, and keeps as many calls of it as of the others", () => {
    const trial = { cellId: "rust-concurrent-arm64-1536", warmOrder: ["fanout", "fanout-50"] };
    const warm = listSteps(plan, trial).filter(({ phase }) => phase === "warm");
    expect(warm.map(({ operation, discarded }) => [operation, discarded])).toEqual([
      ["fanout", false],
      ["fanout-50", true],
      ["fanout-50", false],
    ]);
  });

  it("promises as many samples as its trials have steps", () => {
    const steps = plan.blocks.flatMap(({ trials }) =>
      trials.map((trial) => listSteps(plan, trial)),
    );
    expect(plannedSamples(plan)).toBe(steps.flat().length);
  });

  it("costs a listing and a hundred requests a fan-out at S3, where their price is known", () => {
    const dataUsd = (of: Plan, region: string) => {
      const estimated = estimateRun(of, { region, prices: publishedPrices });
      return estimated.kind === "estimated" ? estimated.parts.dataUsd : undefined;
    };
    const cold = {
      ...plan,
      blocks: plan.blocks.map((block) => ({
        ...block,
        trials: block.trials.slice(0, 1).map((trial) => ({ ...trial, warmOrder: ["fanout"] })),
      })),
    };
    // Six cells are tried once with each event: a fan-out of ten each, and eleven of a hundred together.
    const triedUsd = (6 + 11) * 0.000005 + (60 + 1100) * 0.0000004;
    // Nine environments: two fan-outs of ten each, and one of a hundred.
    const measuredUsd = 9 * (3 * 0.000005 + 120 * 0.0000004);
    expect(dataUsd(cold, "us-east-1")).toBeCloseTo(triedUsd + measuredUsd, 12);
    expect(dataUsd(cold, "ap-northeast-1")).toBeUndefined();
  });
});
