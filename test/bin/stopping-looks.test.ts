import { rmSync } from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import { lookText } from "../../bin/run/stopping-looks.ts";
import type { FunctionResult, Plan } from "../../lib/contract/types/contract.ts";
import { DiskResultStore, earlierTrials } from "../../lib/local/disk-result-store.ts";
import type { Script } from "../support/fake-target.ts";
import { smallPlan } from "../support/small-plan.ts";
import { folderPerTest } from "../support/temporary-folder.ts";
import { reportWithLook, runWithLooks } from "./support/run-with-looks.ts";

const directory = folderPerTest();
let said: string[];
beforeEach(() => {
  said = [];
});

const least = 10;
const stopping = { untilPrecision: 0.05 };
const plan = smallPlan({ cold: least, warm: 0, variants: ["rust", "python"], stopping });

/** Of no clock's steps: equal ones are known to their last digit. */
const usual = { durationMs: 5.0123456789, sdkCallMs: 4.0123456789 };

/** Times of one size that are longer by 30% in environments of the first blocks. */
const noisySize =
  (boots: number): Script =>
  (call, answer) =>
    noisyBoots(call.cell.memoryMb === 512 ? boots : 0)(call, answer);

/** Times that are longer by 30% in environments of python in the first blocks, and none of the others. */
const noisyBoots =
  (boots: number): Script =>
  ({ cell, boot }, answer) => {
    const isHigh = cell.variant === "python" && boot <= boots && boot % 2 === 0;
    const factor = isHigh ? 1.3 : 1;
    const { telemetry, ...rest } = answer;
    if (telemetry === undefined) return rest;
    const initDurationMs = telemetry.initDurationMs && 100 * factor;
    const durationMs = usual.durationMs * factor;
    const timed = { ...telemetry, durationMs, billedDurationMs: 105 * factor };
    const sdkCallMs = usual.sdkCallMs * factor;
    const payload = { ...(answer.payload as object), durationMs, sdkCallMs };
    return {
      ...rest,
      payload,
      telemetry: { ...timed, ...(initDurationMs !== undefined && { initDurationMs }) },
    };
  };

interface Execution {
  readonly script?: Script;
  /** Samples after which it is interrupted. */
  readonly stopAfter?: number;
  readonly clockMs?: () => number;
  readonly of?: Plan;
}

let executions = 0;

/** The script, and boot ids that no other execution has: its processes are others. */
function withOwnBoots(script: Script = (_, answer) => answer): Script {
  executions += 1;
  const execution = executions;
  return (call, answer) => {
    const { payload, ...rest } = script(call, answer);
    const { bootId } = payload as FunctionResult;
    return { ...rest, payload: { ...(payload as object), bootId: `${bootId}-of-${execution}` } };
  };
}

/** One execution of the run in the directory, on a target that boots as often as was recorded. */
async function execute({ script, stopAfter, clockMs = () => 0, of = plan }: Execution) {
  const execution = {
    directory: directory(),
    said,
    of,
    script: withOwnBoots(script),
    stopAfter,
    clockMs,
  };
  const { samples, ...ended } = await runWithLooks(execution);
  return { ...ended, blocks: new Set(samples.map(({ block }) => block)).size };
}

describe("a local run until its ratios are precise", () => {
  it("ends with its least blocks where they are", async () => {
    const { end, look, blocks } = await execute({ script: noisyBoots(0) });
    expect(end).toBe("complete");
    expect(look).toMatchObject({ blocks: least, wide: 0, endedBy: "precision" });
    expect(blocks).toBe(least);
    expect(said).toEqual([lookText(plan, look as NonNullable<typeof look>)]);
  });

  it("adds blocks until they are, and says after each look how far they are", async () => {
    const { look, blocks } = await execute({ script: noisyBoots(4) });
    expect(look?.endedBy).toBe("precision");
    expect(blocks).toBe(look?.blocks);
    expect(blocks).toBeGreaterThan(least);
    expect(said).toHaveLength(blocks - least + 1);
    expect(said[0]).toMatch(
      /^10 environments each: \d of 6 ratios (is|are) less precise than ±5% \(widest ±\d+(\.\d)?%\); next check at 11$/,
    );
  });

  it("of one variant alone waits for each size over the next smaller one, as its report says", async () => {
    const of = smallPlan({
      memoryMb: [128, 1024, 512],
      variants: ["python"],
      cold: least,
      warm: 10 * least,
      operations: ["get", "query"],
      stopping,
    });
    const { warmOperations } = of;
    const { look, blocks } = await execute({ script: noisySize(8), of });
    expect(look).toMatchObject({ endedBy: "precision", ratios: 2 * (1 + warmOperations.length) });
    expect(blocks).toBeGreaterThan(least);
    const { summary, full } = await reportWithLook(directory(), of, look);
    const { precision } = summary;
    expect(precision?.ratios).toBe(look?.ratios);
    expect(precision?.widest?.halfWidth).toBe(look?.widest);
    const { cell, baselineCell } = precision?.widest?.comparison ?? {};
    expect([cell?.memoryMb, baselineCell?.memoryMb]).toContain(512);
    expect(full).toContain(
      "95% CI (cold starts and warm calls of each size over the next smaller one) was at most 5%",
    );
  });

  it("ends where the samples are spent", async () => {
    const of = smallPlan({
      ...{ cold: least, warm: 0 },
      stopping: { ...stopping, maxSamples: 6 * (least + 1) },
    });
    const { look, blocks } = await execute({ script: noisyBoots(999), of });
    expect(look).toMatchObject({ endedBy: "maxSamples", blocks: least + 1 });
    expect(blocks).toBe(least + 1);
    expect(said.at(-1)).toContain("; stopped at the sample limit (66)");
  });

  it("ends where the minutes are spent", async () => {
    let minutes = 0;
    const clockMs = () => 60_000 * (minutes++ === 0 ? 0 : 119);
    const { look } = await execute({ script: noisyBoots(999), clockMs });
    expect(look).toMatchObject({ endedBy: "maxMinutes", blocks: least, minutes: 119 });
  });

  it("that was interrupted goes on with the rule, and ends where it would have ended", async () => {
    const whole = await execute({ script: noisyBoots(8) });
    rmSync(directory(), { recursive: true });
    const perBlock = 2 * plan.cells.length;
    for (const stopAfter of [3, perBlock * least + 1]) {
      said = [];
      const { end } = await execute({ script: noisyBoots(8), stopAfter });
      expect(end).toBe("interrupted");
    }
    expect(said).toEqual([expect.stringContaining("10 environments each: ")]);
    // The target of another execution boots from 1 again: only its blocks so far were noisy.
    const { end, look } = await execute({ script: noisyBoots(0) });
    expect(end).toBe("complete");
    expect(look?.endedBy).toBe("precision");
    expect(said.filter((line) => line.startsWith("10 environments each: "))).toHaveLength(1);
    expect(look?.blocks).toBeGreaterThan(least);
    expect(look?.blocks).toBeLessThanOrEqual(whole.blocks + 2);
  });

  it("counts the time of its earlier executions, and not the pause between them", async () => {
    await execute({ script: noisyBoots(999), stopAfter: 2 * plan.cells.length * (least - 1) });
    const { measuredMs } = await earlierTrials(new DiskResultStore(directory()), plan);
    // The fake's calls are a second apart, and a trial here has two.
    expect(measuredMs).toBe(1000 * plan.cells.length * (least - 1));
    const of = { ...plan, blocks: plan.blocks.slice(0, least) };
    const { look } = await execute({ script: noisyBoots(999), of });
    expect(look?.minutes).toBe(measuredMs / 60_000);
  });
});
