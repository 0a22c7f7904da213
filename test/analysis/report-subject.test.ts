import { describe, expect, it } from "vitest";
import type { CollectedSamples } from "../../lib/analysis/collect-samples.ts";
import { defaultTraffic, madePlan, statedTraffic } from "../../lib/analysis/report-subject.ts";
import type { StoppingLook } from "../../lib/contract/types/contract.ts";
import { smallPlan } from "../support/small-plan.ts";

describe("the part of a plan that was due", () => {
  const sizes = { cold: 9, warm: 90 };
  const ruled = smallPlan({ ...sizes, stopping: { untilPrecision: 0.05 } });
  const begun = (begunBlocks: number) => ({ begunBlocks }) as CollectedSamples;

  it("is all of it without a stopping rule", () => {
    expect(madePlan(smallPlan(sizes), {}, begun(2))).toEqual(smallPlan(sizes));
  });

  it.each([
    ["those that every run measures", 3, undefined, 9],
    ["those that samples were found of", 14, { blocks: 11 }, 14],
    ["those before the last look", 12, { blocks: 17 }, 17],
  ])("is under a stopping rule %s", (_, blocks, look, expected) => {
    const stopping = look && { stopping: look as StoppingLook };
    const { blocks: due, sizes } = madePlan(ruled, { ...stopping }, begun(blocks));
    expect(due).toEqual(ruled.blocks.slice(0, expected));
    expect(sizes.environments).toBe(expected);
  });
});

describe("the traffic that costs are stated for", () => {
  const logOf = (cold: number, warm: number) => ({ imported: { everyInvocation: { cold, warm } } });

  it.each([
    ["the usual one", {}, {}, 0.01],
    ["what was asked for, also of a log", { coldShare: 0.5 }, logOf(1, 3), 0.5],
    ["a log's own share of cold starts", {}, logOf(1, 3), 0.25],
    ["the usual one for a log of no invocation", {}, logOf(0, 0), 0.01],
    ["the usual one for a part of a log", {}, { imported: {} }, 0.01],
  ])("is %s", (_, asked, manifest, coldShare) => {
    const found = statedTraffic(asked, manifest as Parameters<typeof statedTraffic>[1]);
    expect(found).toMatchObject({ ...defaultTraffic, coldShare });
    expect("logged" in found).toBe(coldShare === 0.25);
  });
});
