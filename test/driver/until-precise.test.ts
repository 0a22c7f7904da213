import { describe, expect, it } from "vitest";
import type { Manifest, Plan, Sample } from "../../lib/contract/types/contract.ts";
import { contractProblem } from "../../lib/contract/validate.ts";
import { dynamodb } from "../../lib/experiments/dynamodb/definition.ts";
import type { FakeAnswer, FakeCall } from "../support/fake-aws/fake-lambda.ts";
import { formatReport } from "../support/report-line.ts";
import {
  failing,
  file,
  invocations,
  reportFile,
  stoppedAt,
  stored,
} from "../support/state-machine.ts";
import { run } from "../support/two-sizes-run.ts";

const least = dynamodb.presets.quick.environments;
/** The clock of the fakes moves a minute at a look. At this size there is no replica, and two cells. */
const short = {
  preset: "quick",
  variants: ["rust", "python"],
  memoryMb: 512,
  warm: 0,
  seed: 1,
  untilPrecision: "5%",
  maxMinutes: 10_000,
};
/** A cold and a second call of each cell. */
const samplesABlock = 4;

/** Times of an environment, the noise of which falls from boot to boot until it is gone. */
const lessAndLessNoisy =
  (noisyBoots: number) =>
  ({ boot, name, invocation, requestId }: FakeCall, answer: FakeAnswer): FakeAnswer => {
    const isHigh = boot % 2 === (name.includes("python") ? 0 : 1);
    const factor = boot <= noisyBoots && isHigh ? 1.3 : 1;
    const durationMs = 50 * factor;
    const initDurationMs = 100 * factor;
    const telemetry = {
      durationMs,
      billedDurationMs: durationMs + (invocation === 0 ? initDurationMs : 0),
      memorySizeMb: 128,
      maxMemoryUsedMb: 30,
      ...(invocation === 0 && { initDurationMs }),
    };
    const payload = { ...(answer.payload as object), sdkCallMs: durationMs - 2 };
    return { payload, log: `${formatReport(requestId, telemetry)}\n` };
  };
const noisy = lessAndLessNoisy(Number.POSITIVE_INFINITY);

function blocksOf(samples: readonly Sample[]): number {
  return Math.max(...samples.map(({ block }) => block)) + 1;
}

/** The least that there is, for all who only look at it. */
const precise = await run(short);
/** The most that there is, for all who only look at it: of three samples more no block can be made. */
const maxSamples = samplesABlock * (least + 2) + 3;
const spent = await run({ ...short, maxSamples }, { onInvoke: noisy });
const leastCostUsd = file<Plan>(precise.ports, "plan.json").stopping?.leastEstimate?.costUsd ?? 0;

describe("a run of the state machine until its ratios are precise", () => {
  it("ends with the preset's own blocks where they are precise already, and its report says so", () => {
    const { ports, history, end } = precise;
    expect(end.status).toBe("SUCCEEDED");
    expect(history.filter((state) => state === "Precision")).toHaveLength(1);
    const manifest = file<Manifest>(ports, "manifest.json");
    expect(contractProblem("manifest", manifest)).toBeUndefined();
    expect(manifest).toMatchObject({
      status: "complete",
      stopping: { blocks: least, wide: 0, widest: 0, endedBy: "precision" },
    });
    const samples = stored<Sample>(ports, "samples");
    expect(blocksOf(samples)).toBe(least);
    expect(manifest.counts.planned).toBe(samples.length);
    expect(reportFile(ports)).toContain("**Precise enough:**");
    expect(reportFile(ports)).not.toContain("INCOMPLETE");
  });

  it("adds blocks until they are, each as the plan that was there from the first has it", async () => {
    const { ports, history } = await run(short, { onInvoke: lessAndLessNoisy(4) });
    const manifest = file<Manifest>(ports, "manifest.json");
    const { blocks = 0, endedBy } = manifest.stopping ?? {};
    expect(endedBy).toBe("precision");
    expect(blocks).toBeGreaterThan(least);
    expect(history.filter((state) => state === "Measure block")).toHaveLength(blocks);
    const plan = file<Plan>(ports, "plan.json");
    expect(contractProblem("plan", plan)).toBeUndefined();
    expect(plan.blocks.length).toBe(10 * least);
    expect(blocksOf(stored<Sample>(ports, "samples"))).toBe(blocks);
    expect(reportFile(ports)).toContain(
      `**Precise enough:** after ${blocks} environments each, all `,
    );
  });

  it("makes the transitions that are estimated where it measures the most", () => {
    const { ports, transitions } = spent;
    const { estimate, blocks, stopping } = file<Plan>(ports, "plan.json");
    expect(blocks).toHaveLength(least + 2);
    expect(estimate?.transitions).toBe(transitions);
    expect(stopping?.leastEstimate?.costUsd).toBeLessThan(estimate?.costUsd ?? 0);
  });

  it("makes the transitions of the least estimate where it measures the least", () => {
    const { ports, transitions } = precise;
    const { stopping } = file<Plan>(ports, "plan.json");
    expect(stopping?.leastEstimate?.transitions).toBe(transitions);
  });

  it("ends where the samples are spent, and names every ratio that is not precise", () => {
    const { ports } = spent;
    const { stopping, counts } = file<Manifest>(ports, "manifest.json");
    expect(stopping).toMatchObject({ blocks: least + 2, endedBy: "maxSamples" });
    expect(stopping?.wide).toBe(stopping?.ratios);
    expect(counts.recorded).toBe(samplesABlock * (least + 2));
    const report = reportFile(ports);
    expect(report).toContain(`the sample limit (${maxSamples.toLocaleString("en-US")})`);
    const rows = report.match(/\| +±[\d.]+% \|$/gm) ?? [];
    expect(rows).toHaveLength(stopping?.wide ?? -1);
  });

  it("ends where the next blocks would not fit into the minutes", async () => {
    const { ports } = await run({ ...short, maxMinutes: 40 }, { onInvoke: noisy });
    const { stopping } = file<Manifest>(ports, "manifest.json");
    expect(stopping).toMatchObject({ endedBy: "maxMinutes", blocks: least });
    expect(reportFile(ports)).toContain("the time limit (40 minutes)");
  });

  it("plans no more blocks than maxCostUsd pays for, and ends with them", async () => {
    const maxCostUsd = 1.3 * leastCostUsd;
    const { ports } = await run({ ...short, maxCostUsd }, { onInvoke: noisy });
    const { blocks, estimate } = file<Plan>(ports, "plan.json");
    expect(estimate?.costUsd).toBeLessThanOrEqual(maxCostUsd);
    expect(blocks.length).toBeGreaterThan(least);
    expect(blocks.length).toBeLessThan(1.4 * least);
    const { stopping } = file<Manifest>(ports, "manifest.json");
    expect(stopping).toMatchObject({ endedBy: "maxCostUsd", blocks: blocks.length });
    expect(reportFile(ports)).toMatch(/the cost limit \(\\?\$[\d.]+\)/);
  });

  it("holds the dollars also where the minutes are expected to be over first", async () => {
    const maxCostUsd = 1.3 * leastCostUsd;
    const input = { ...short, maxCostUsd, maxMinutes: 0.1 };
    const { ports } = await run(input, { onDriver: stoppedAt("seed") });
    const { stopping, estimate } = file<Plan>(ports, "plan.json");
    expect(stopping?.mostBlocksBy).toBe("maxCostUsd");
    expect(estimate?.costUsd).toBe(stopping?.leastEstimate?.costUsd);
    expect(estimate?.minutes).toBe(stopping?.leastEstimate?.minutes);
  });

  it("is refused where maxCostUsd does not pay for the least", async () => {
    const maxCostUsd = 0.9 * leastCostUsd;
    const { end, ports } = await run({ ...short, maxCostUsd });
    expect(end).toHaveProperty("cause", expect.stringContaining("maxCostUsd: found"));
    expect(invocations(ports)).toEqual([]);
  });

  it("leaves a report of what was measured where the rule itself fails", async () => {
    const { end, ports } = await run(short, { onDriver: failing("precision", "no look") });
    expect(end).toHaveProperty("cause", expect.stringContaining("no look"));
    expect(file<Manifest>(ports, "manifest.json").counts.recorded).toBe(samplesABlock * least);
    expect(reportFile(ports)).toContain("**Stopped before it was precise:**");
  });
});

describe("a stopping rule that cannot be kept", () => {
  const noPercentage = "untilPrecision is a percentage between 0% and 100%, such as 5%; found";
  const withoutRule = { untilPrecision: undefined };
  const refused: readonly (readonly [object, string])[] = [
    [{ untilPrecision: 0.05 }, `${noPercentage} 0.05`],
    [{ untilPrecision: "5" }, `${noPercentage} "5"`],
    [{ untilPrecision: "0%" }, `${noPercentage} "0%"`],
    [{ ...withoutRule, maxSamples: 500 }, "maxSamples: found 500; allowed: no value without"],
    [{ ...withoutRule, maxMinutes: 5 }, "maxMinutes: found 5; allowed: no value without"],
    [
      { maxSamples: 5 },
      `maxSamples: found 5; allowed: at least ${samplesABlock * least}, for the ${least} env`,
    ],
    [{ maxSamples: 0.5 }, "maxSamples: found 0.5; allowed: a whole number from 1"],
    [{ maxMinutes: 0 }, "maxMinutes: found 0; allowed: a number above 0"],
    [
      { cold: 3 },
      `cold: found 3; allowed: ${least} and more with untilPrecision: the quick preset's`,
    ],
    [{ variants: "rust" }, 'variants: found ["rust"]; allowed: rust and another one'],
  ];

  it.each(refused)("%j is refused, and nothing runs", async (wrong, message) => {
    const input = JSON.parse(JSON.stringify({ ...short, maxMinutes: undefined, ...wrong }));
    const { end, ports } = await run(input);
    expect(end).toHaveProperty("cause", expect.stringContaining(message));
    expect(invocations(ports)).toEqual([]);
    expect(ports.fakeS3.writes).toEqual([]);
  });
});
