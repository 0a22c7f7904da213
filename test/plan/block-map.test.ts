import { describe, expect, it } from "vitest";
import { blockMap } from "../../lib/plan/block-map.ts";
import { smallPlan } from "../support/small-plan.ts";

/** A plan of three cells: a block has 32 events in an inline Map. */
const planOf = (cold: number) => smallPlan({ cold, warm: 0 });
const most = Math.floor((20_000 - 50) / (3 * 8 + 8));

describe("a run's blocks", () => {
  it("are inline in up to 40 lanes, which is what Step Functions runs at the same time", () => {
    expect(blockMap([{ ...planOf(2), lanes: 40 }])).toBe("inline");
    expect(blockMap([{ ...planOf(2), lanes: 41 }])).toBe("distributed");
  });

  it("are inline up to 20,000 events of the history: eight for each trial and each block", () => {
    expect(blockMap([planOf(most)])).toBe("inline");
    expect(blockMap([planOf(most + 1)])).toBe("distributed");
  });

  it("are counted over all experiments, because they share one history", () => {
    const half = planOf(Math.ceil(most / 2));
    expect(blockMap([half])).toBe("inline");
    expect(blockMap([half, half])).toBe("distributed");
  });

  it("count as all that a stopping rule may measure, with its looks", () => {
    const plan = planOf(most);
    const limits = { untilPrecision: 0.05, maxSamples: 4000, maxMinutes: 60 };
    const stopping = { ...limits, mostBlocksBy: "maxSamples" as const };
    const sizes = { ...plan.sizes, environments: 2 };
    expect(blockMap([{ ...plan, sizes, stopping }])).toBe("distributed");
  });
});
