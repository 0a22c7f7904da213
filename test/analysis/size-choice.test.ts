import { describe, expect, it } from "vitest";
import { collectSamples } from "../../lib/analysis/collect-samples.ts";
import { defaultTraffic } from "../../lib/analysis/report-subject.ts";
import {
  judgedBy,
  sizeChoicesMade,
  sizeChoicesSoFar,
  sizeCriteria,
  skipsOf,
} from "../../lib/analysis/size-choice.ts";
import type { Summary } from "../../lib/analysis/summary.ts";
import type { Plan, Sample, StoppingLook } from "../../lib/contract/types/contract.ts";
import { renderReport } from "../../lib/experiments/render-report.ts";
import { parseLimit } from "../../lib/plan/limits.ts";
import { fixtureInputs, fixtureSamples } from "../report/support/fixture.ts";
import { timedSample, wobble } from "../report/support/timed-sample.ts";
import { smallPlan } from "../support/small-plan.ts";

/** 128 MB is by far the cheapest, 512 MB a little faster, and 256 MB far from either. */
const warmMs: Readonly<Record<number, number>> = { 128: 48, 256: 100, 512: 40 };
const coldMs: Readonly<Record<number, number>> = { 128: 2000, 256: 2000, 512: 100 };
const callsOfTrial = 2 + 8;

/** Returns a plan of one operation, eight calls of it in each environment, of which five count. */
function planOf(coldShare = 0.01, limit?: string): Plan {
  const sizeChoice = {
    ...{ coldShare, gbSecondUsd: 0.0000133334, requestUsd: 0.0000002 },
    ...(limit !== undefined && { limits: [parseLimit(limit)] }),
  };
  const plan = smallPlan({
    ...{ variants: ["python"], memoryMb: [128, 256, 512], cold: 6, warm: 48 },
    stopping: { untilPrecision: 0.1, sizeChoice },
  });
  const blocks = plan.blocks.map(({ index, trials }) => ({
    index,
    trials: trials.map((trial) => ({ ...trial, warmOrder: ["get"] })),
  }));
  return { ...plan, coldOperation: "get", warmOperations: ["get"], blocks };
}

async function* samplesOf(plan: Plan, blocks: number, isKept = (_: Sample) => true) {
  for (const sample of fixtureSamples({ ...plan, blocks: plan.blocks.slice(0, blocks) })) {
    const ms = sample.phase === "warm" ? warmMs : coldMs;
    const durationMs = (ms[sample.cell.memoryMb] ?? 0) * wobble(sample, 0.02);
    if (isKept(sample)) yield timedSample(sample, { durationMs, initDurationMs: 50 });
  }
}

const choicesAfter = (blocks: number, plan = planOf(), isKept?: (sample: Sample) => boolean) =>
  sizeChoicesSoFar(plan, samplesOf(plan, blocks, isKept), blocks);
const chosenIn = (choices: Awaited<ReturnType<typeof choicesAfter>>) =>
  Object.fromEntries(
    choices?.variants[0]?.races.map(({ name, chosen }) => [
      name,
      chosen && `${chosen.id.split("-").at(-1)} at ${chosen.blocks}`,
    ]) ?? [],
  );

describe("the sizes that a run chooses", () => {
  it("are chosen at the plan's looks: far ones at once, and others after 170 calls of a size", async () => {
    const cheapest = "128 at 6";
    const [early, late] = [await choicesAfter(29), await choicesAfter(38)];
    expect(chosenIn(early)).toEqual({ cheapest, balanced: undefined, fastest: undefined });
    expect(chosenIn(late)).toEqual({ cheapest, balanced: "128 at 38", fastest: "512 at 38" });
    expect(early).toMatchObject({ choices: 3, undecided: 2, kept: 0, tolerance: 0.1 });
    expect(late).toMatchObject({ choices: 3, undecided: 0, coldShare: 0.01 });
    expect(late?.variants).toMatchObject([{ variant: "python", operation: "get" }]);
  });

  it("are measured until none of the three choices needs them, which the plan's calls tell", async () => {
    const choices = await choicesAfter(29);
    if (choices === undefined) throw new Error("the plan chooses sizes");
    const skips = skipsOf(choices);
    const skipped = (id: string) => [5, 6, 28].map((block) => skips(id, block));
    expect(skipped("python-arm64-256")).toEqual([false, true, true]);
    expect(skipped("python-arm64-512")).toEqual([false, false, false]);
    expect(skipped("of-another-plan")).toEqual([false, false, false]);
    expect(choices.callsOfAll).toBe(29 * 3 * callsOfTrial);
    expect(choices.calls).toBe((29 * 2 + 6) * callsOfTrial);
  });

  it("keep sizes for a limit, unless one that costs less in these calls is within it", async () => {
    expect(await choicesAfter(29, planOf(0.01, "cold.p95 < 9 s"))).toMatchObject({ kept: 3 });
    // 256 MB takes about as long, and 128 MB is below it and costs less.
    expect(await choicesAfter(29, planOf(0.01, "warm.median < 100 ms"))).toMatchObject({ kept: 0 });
  });

  it("are those of the run's last look, or of the looks before its last block", async () => {
    const plan = planOf();
    const noCost = { add: () => {} };
    const samples = await collectSamples(plan, samplesOf(plan, 38), noCost, () => ({}));
    const madeBy = (stopping?: StoppingLook) =>
      chosenIn(sizeChoicesMade(plan, stopping === undefined ? {} : { stopping }, samples));
    expect(madeBy()).toMatchObject({ fastest: undefined });
    expect(madeBy({ blocks: 38 } as StoppingLook)).toMatchObject({ fastest: "512 at 38" });
    const { stopping: _, ...fixed } = plan;
    expect(sizeChoicesMade(fixed, {}, samples)).toBeUndefined();
  });

  it("cost what a share of cold calls adds, which a share of 0 does not ask for", async () => {
    expect(chosenIn(await choicesAfter(6, planOf(0.5)))).toMatchObject({ cheapest: "512 at 6" });
    const isWarm = ({ phase }: Sample) => phase !== "cold";
    expect(chosenIn(await choicesAfter(6, planOf(0), isWarm))).toMatchObject({
      cheapest: "128 at 6",
    });
    expect(chosenIn(await choicesAfter(6, planOf(), isWarm))).toMatchObject({
      cheapest: undefined,
    });
  });

  it("are judged by what is called cold if it is also called warm, and by no-ops last", () => {
    const plan = planOf();
    const judged = (coldOperation: string, ...warmOperations: string[]) =>
      judgedBy({ ...plan, coldOperation, warmOperations }, "python");
    expect(judged("put", "noop", "get", "put")).toBe("put");
    expect(judged("noop", "noop", "get", "put")).toBe("get");
    expect(judged("query", "get", "put")).toBe("get");
    expect(judged("get", "noop")).toBe("noop");
    const requests = { get: { variants: ["rust"] as [string] } };
    expect(judgedBy({ ...plan, requests }, "python")).toBeUndefined();
  });

  it("are compared in the blocks where each quantity was measured and is above 0", () => {
    const usd = new Map([0, 1, 2, 4].map((block) => [block, block === 2 ? 0 : block + 1]));
    const meanMs = new Map([0, 1, 2, 3].map((block) => [block, 10 * (block + 1)]));
    const criteria = sizeCriteria([{ id: "a", memoryMb: 128, usd, meanMs }]);
    const rows = criteria.map(({ name, racers }) => [name, [...(racers[0]?.byBlock ?? [])]]);
    expect(Object.fromEntries(rows)).toEqual({
      cheapest: [
        [0, [1]],
        [1, [2]],
        [4, [5]],
      ],
      fastest: [0, 1, 2, 3].map((block) => [block, [10 * (block + 1)]]),
      balanced: [
        [0, [1, 10]],
        [1, [2, 20]],
      ],
    });
  });
});

describe("the report of a run that chose sizes", () => {
  const plan = planOf();
  async function reportOf(blocks: number, coldShare = 0.01) {
    const inputs = fixtureInputs({}, { plan, manifest: { stopping: { blocks } as StoppingLook } });
    const traffic = { ...defaultTraffic, coldShare };
    const samples = samplesOf(plan, blocks);
    const { files } = await renderReport({ ...inputs, samples, traffic });
    const view = JSON.parse(files["summary.json"] as string) as Summary;
    return { ...view, found: view.recommendation?.variants[0] };
  }

  it("recommends what its looks decided, by the ratios that they decided by", async () => {
    const { found, sizeChoices, manifest, precision } = await reportOf(38);
    expect(found?.cheapest).toMatchObject({ kind: "decided", cell: { memoryMb: 128 } });
    if (found?.fastest.kind !== "decided") throw new Error("the fastest is decided");
    expect(found.fastest.cell.memoryMb).toBe(512);
    expect(found.fastest.against).toContainEqual(
      expect.objectContaining({ verdict: "faster", environments: 6, baselineEnvironments: 6 }),
    );
    for (const { cell, ratio = 0, low = 0, high = 0 } of found.fastest.against) {
      expect(ratio).toBeCloseTo((warmMs[512] ?? 0) / (warmMs[cell.memoryMb] ?? 0), 1);
      expect([low, ratio, high]).toEqual([low, ratio, high].sort((a, b) => a - b));
    }
    // Samples of a size after it was dropped were not due.
    expect(manifest.counts.planned).toBe(sizeChoices?.calls);
    expect(precision).toBeUndefined();
  });

  it("leaves open what they left open", async () => {
    const { found } = await reportOf(29);
    if (found?.fastest.kind !== "undecided") throw new Error("two sizes are left");
    const { among, against } = found.fastest;
    expect(among.map(({ memoryMb }) => memoryMb)).toEqual([512, 128]);
    expect(against.map(({ cell, verdict }) => [cell.memoryMb, verdict])).toEqual([
      ...[
        [128, "undecided"],
        [256, "faster"],
      ],
    ]);
  });

  it("recommends by all sizes' samples for another share of cold calls than they were chosen for", async () => {
    expect((await reportOf(38, 0.9)).found?.cheapest).toMatchObject({
      ...{ kind: "decided", cell: { memoryMb: 512 } },
    });
  });
});
