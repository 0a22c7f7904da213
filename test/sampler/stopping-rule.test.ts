import { describe, expect, it } from "vitest";
import type { Plan } from "../../lib/contract/types/contract.ts";
import { stoppingLook } from "../../lib/sampler/stopping-rule.ts";
import { smallPlan } from "../support/small-plan.ts";

const base = smallPlan({ cold: 30, warm: 0, stopping: { untilPrecision: 0.05 } });

function planOf(blocks: number, rule: Partial<Plan["stopping"]> = {}): Plan {
  const stopping = { ...(base.stopping as NonNullable<Plan["stopping"]>), ...rule };
  return { ...base, blocks: base.blocks.slice(0, blocks), stopping };
}

const wide = { ratios: 6, wide: 2, widest: 0.08 };

describe("a look of the stopping rule", () => {
  it("ends the run when every ratio is precise, even where the budget is spent", () => {
    const found = { ratios: 6, wide: 0, widest: 0.04 };
    const look = stoppingLook(planOf(40), found, { blocks: 40, minutes: 500 });
    expect(look).toEqual({ ...found, blocks: 40, minutes: 500, endedBy: "precision" });
  });

  it("does not take a run without any ratio for a precise one", () => {
    const look = stoppingLook(planOf(40), { ratios: 0, wide: 0 }, { blocks: 30, minutes: 1 });
    expect(look).toMatchObject({ nextLook: 33 });
  });

  it("goes on by a tenth more blocks, and to the last one of the plan", () => {
    const at = (blocks: number) => stoppingLook(planOf(40), wide, { blocks, minutes: 1 });
    expect([30, 33, 36, 39].map((blocks) => at(blocks).nextLook)).toEqual([33, 36, 39, 40]);
    expect(at(30)).not.toHaveProperty("endedBy");
  });

  it.each(["maxSamples", "maxCostUsd", "largestPlan"] as const)(
    "ends where the plan has no more blocks, by what bounded them: %s",
    (mostBlocksBy) => {
      const look = stoppingLook(planOf(40, { mostBlocksBy }), wide, { blocks: 40, minutes: 1 });
      expect(look.endedBy).toBe(mostBlocksBy);
      expect(look).not.toHaveProperty("nextLook");
    },
  );

  it("ends where the blocks before the next look are not expected to fit into the minutes", () => {
    const at = (minutes: number) =>
      stoppingLook(planOf(40, { maxMinutes: 33 }), wide, { blocks: 30, minutes });
    expect(at(30)).toMatchObject({ nextLook: 33 });
    expect(at(30.1)).toMatchObject({ endedBy: "maxMinutes" });
  });

  it("of a run that chooses sizes ends before its samples are more than were asked for", () => {
    const sizeChoice = { coldShare: 0.01, gbSecondUsd: 1, requestUsd: 0 };
    const plan = planOf(40, { maxSamples: 4 * 30, maxMinutes: 20, sizeChoice });
    const left = new Set(plan.cells.slice(0, 2).map(({ id }) => id));
    const skips = (cellId: string, block: number) => block >= 10 && !left.has(cellId);
    const at = (blocks: number, minutes: number) =>
      stoppingLook(plan, { ratios: 3, wide: 1 }, { blocks, minutes, skips });
    // Three cells, two calls in an environment: 60 calls of ten blocks, then four a block.
    expect(plan.cells).toHaveLength(3);
    expect(at(10, 1)).toMatchObject({ nextLook: 13 });
    expect(at(22, 1)).toMatchObject({ endedBy: "maxSamples" });
    expect(at(10, 1)).not.toHaveProperty("skips");
    expect([16, 17].map((minutes) => at(10, minutes).endedBy)).toEqual([undefined, "maxMinutes"]);
  });
});
