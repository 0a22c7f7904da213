import { describe, expect, it } from "vitest";
import { contractProblem } from "../../lib/contract/validate.ts";
import { instrumentedPlan, plannedSamples, withInstrumentedPart } from "../../lib/plan/expand.ts";
import { smallPlan } from "../support/small-plan.ts";

const timed = smallPlan({ memoryMb: [512, 128], variants: ["rust", "python"] });
const plan = withInstrumentedPart(timed);

describe("the part of a plan under callgrind", () => {
  it("keeps the contract and leaves the timed blocks as they were", () => {
    expect(contractProblem("plan", JSON.parse(JSON.stringify(plan)))).toBeUndefined();
    expect(plan.blocks).toEqual(timed.blocks);
    expect(plannedSamples(plan)).toBe(plannedSamples(timed));
  });

  it("trials each variant once a block, at the largest size and not its replica", () => {
    for (const { trials } of instrumentedPlan(plan)?.blocks ?? []) {
      expect(trials.map((trial) => trial.cellId)).toEqual(["rust-arm64-512", "python-arm64-512"]);
    }
  });

  it("has the largest size whatever place it has among the cells, of the first architecture alone", () => {
    const ascending = smallPlan({
      ...{ memoryMb: [128, 512], variants: ["rust", "python"] },
      architectures: ["arm64", "x86_64"],
    });
    for (const { trials } of instrumentedPlan(withInstrumentedPart(ascending))?.blocks ?? []) {
      expect(trials.map((trial) => trial.cellId)).toEqual(["rust-arm64-512", "python-arm64-512"]);
    }
  });

  it("calls each of a variant's operations, a few times each", () => {
    const part = instrumentedPlan(plan);
    for (const { warmOrder } of part?.blocks.flatMap(({ trials }) => trials) ?? []) {
      expect(warmOrder).toEqual(plan.warmOperations);
    }
    expect(part?.sizes.warmEnvironments).toBe(part?.blocks.length);
    expect(part?.sizes.warmCalls).toBeGreaterThan(1);
  });

  it("shares no block with the timed ones: cell and block name an environment", () => {
    const indices = instrumentedPlan(plan)?.blocks.map(({ index }) => index);
    expect(indices).toEqual([2, 3, 4]);
  });

  it("is a plan of its own sizes, with no call discarded", () => {
    const part = instrumentedPlan(plan);
    expect(part?.sizes).toMatchObject({ environments: 3, discardedCalls: 0 });
    expect(part?.cells).toEqual(plan.cells);
    expect(part).not.toHaveProperty("instrumented");
  });

  it("is not there where it was not asked for", () => {
    expect(instrumentedPlan(timed)).toBeUndefined();
  });
});
