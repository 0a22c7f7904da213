import { describe, expect, it } from "vitest";
import type { Plan } from "../../lib/contract/types/contract.ts";
import { countInlineBlocks } from "../../lib/plan/inline-blocks.ts";
import { smallPlan } from "../support/small-plan.ts";

const single = smallPlan({ cold: 1, warm: 0 });

/** A plan of three cells: an inline block has at most 44 events, 36 of which are its trials'. */
function planOf(count: number): Plan {
  const [block] = single.blocks as [Plan["blocks"][number]];
  return { ...single, blocks: Array.from({ length: count }, () => block) };
}
const most = Math.floor((24_500 - 50) / 44);

describe("a run's blocks", () => {
  it("are inline in up to 40 lanes, which is what Step Functions runs at the same time", () => {
    expect(countInlineBlocks([{ ...planOf(2), lanes: 40 }])).toEqual([2]);
    expect(countInlineBlocks([{ ...planOf(2), lanes: 41 }])).toEqual([0]);
  });

  it("are inline as long as the history has room for trials that all fail", () => {
    expect(countInlineBlocks([planOf(most)])).toEqual([most]);
    expect(countInlineBlocks([planOf(most + 1)])).toEqual([most]);
    const twice = Math.floor((24_500 - 50 - 2 * most * 8) / 36);
    expect(countInlineBlocks([planOf(2 * most)])).toEqual([twice]);
    expect(countInlineBlocks([planOf(10_000)])).toEqual([0]);
  });

  it("are counted over all experiments, because they share one history", () => {
    const half = planOf(Math.ceil(most / 2));
    const [first, second = 0] = countInlineBlocks([half, half]);
    expect(first).toBe(half.blocks.length);
    expect(second).toBeLessThan(half.blocks.length);
    expect(second).toBeGreaterThan(half.blocks.length - 5);
    const wide = { ...half, lanes: 41 };
    expect(countInlineBlocks([wide, half])).toEqual([0, half.blocks.length]);
  });

  it("leave room for the looks of a stopping rule", () => {
    const plan = planOf(most);
    const limits = { untilPrecision: 0.05, maxSamples: 4000, maxMinutes: 60 };
    const stopping = { ...limits, mostBlocksBy: "maxSamples" as const };
    const sizes = { ...plan.sizes, environments: 2 };
    const [inline = 0] = countInlineBlocks([{ ...plan, sizes, stopping }]);
    expect(inline).toBeLessThan(most);
    expect(inline).toBeGreaterThan(0.9 * most);
  });
});
