import { describe, expect, it } from "vitest";
import type { CollectedSamples } from "../../lib/analysis/collect-samples.ts";
import { defaultTraffic, madePlan, statedTraffic } from "../../lib/analysis/report-subject.ts";
import type { StoppingLook } from "../../lib/contract/types/contract.ts";
import { firstBlocks } from "../../lib/plan/blocks.ts";
import { smallPlan } from "../support/small-plan.ts";

describe("the part of a plan that was due", () => {
  const ruled = smallPlan({ cold: 9, warm: 90, stopping: { untilPrecision: 0.05 } });

  it.each([
    ["those that every run measures", 3, undefined, 9],
    ["those that samples were found of", 14, 11, 14],
    ["those before the last look", 12, 17, 17],
  ])("is the first blocks under a stopping rule: %s", (_, begun, blocks, due) => {
    const stopping = blocks && { stopping: { blocks } as StoppingLook };
    const samples = { begunBlocks: begun } as CollectedSamples;
    expect(madePlan(ruled, { ...stopping }, samples)).toEqual(firstBlocks(ruled, due));
    const { stopping: __, ...whole } = ruled;
    expect(madePlan(whole, {}, samples)).toEqual(whole);
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
