import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { Cell, Sample } from "../../lib/contract/types/contract.ts";
import { plannedSamples } from "../../lib/plan/expand.ts";
import { mostAlive } from "../../lib/plan/trial-calls.ts";
import { type RunPlanOptions, runPlan } from "../../lib/sampler/run-plan.ts";
import type { Idle } from "../../lib/sampler/sample-trial.ts";
import type { Invocation, MeasuredEvent } from "../../lib/sampler/target.ts";
import { FakeTarget } from "../support/fake-target.ts";
import { smallPlan } from "../support/small-plan.ts";

const idleMs = 5;
/** Cells in one block, more than are alive at a time. */
const memoryMb = [128, 256, 512, 1024, 1769, 2048];
const plan = smallPlan({ memoryMb, cold: 1, warm: 4 });
const idle: Idle = async (signal) =>
  await delay(idleMs, undefined, signal && { signal }).catch(() => undefined);

interface Call {
  readonly cellId: string;
  readonly beganMs: number;
  readonly endedMs: number;
}

/** Takes a while for each call, and remembers when. */
class SlowTarget extends FakeTarget {
  readonly made: Call[] = [];

  override async invoke(cell: Cell, event: MeasuredEvent): Promise<Invocation> {
    const beganMs = performance.now();
    await delay(1);
    const invocation = await super.invoke(cell, event);
    this.made.push({ cellId: cell.id, beganMs, endedMs: performance.now() });
    return invocation;
  }
}

async function forever(signal: AbortSignal): Promise<void> {
  await delay(10_000, undefined, { signal }).catch(() => undefined);
}

async function runOn(target: SlowTarget, options?: RunPlanOptions) {
  const samples: Sample[] = [];
  const recorder = {
    sample: async (sample: Sample) => void samples.push(sample),
    failure: async () => {},
  };
  return { end: await runPlan(plan, target, recorder, options), samples };
}

/** For each cell: how long it was idle before each call but its first. */
function idleTimes({ made }: SlowTarget): readonly number[] {
  return made.flatMap(({ cellId, beganMs }, index) => {
    const before = made.slice(0, index).findLast((call) => call.cellId === cellId);
    return before === undefined ? [] : [beganMs - before.endedMs];
  });
}

describe("environments that idle between their calls", () => {
  it("are called one at a time, each after its idle time, in the order that each trial has", async () => {
    const target = new SlowTarget();
    const { end, samples } = await runOn(target, { idle });
    expect(end).toBe("complete");
    expect(samples).toHaveLength(plannedSamples(plan));
    for (const [index, { beganMs }] of target.made.entries()) {
      expect(beganMs).toBeGreaterThanOrEqual(target.made[index - 1]?.endedMs ?? 0);
    }
    // A timer of Node's may end a millisecond early.
    for (const idle of idleTimes(target)) expect(idle).toBeGreaterThan(idleMs - 1.5);
    for (const { id } of plan.cells) {
      const sequences = samples.flatMap(({ cell, sequence }) => (cell.id === id ? [sequence] : []));
      expect(sequences).toEqual(sequences.map((_, index) => index));
    }
  });

  it("are some at a time, and leave no more alive than that", async () => {
    const target = new SlowTarget();
    await runOn(target, { idle });
    const begun = plan.cells.map(({ id }) => target.made.findIndex(({ cellId }) => cellId === id));
    const ended = plan.cells.map(({ id }) =>
      target.made.findLastIndex(({ cellId }) => cellId === id),
    );
    const aliveAt = target.made.map(
      (_, call) =>
        plan.cells.filter((_, index) => {
          const [first = 0, last = 0] = [begun[index], ended[index]];
          return first <= call && call <= last;
        }).length,
    );
    expect(Math.max(...aliveAt)).toBe(mostAlive);
  });

  it("are one at a time where they listen on a port, each ended before the next begins", async () => {
    const target = new SlowTarget();
    const ended: string[] = [];
    const forceCold = target.forceCold.bind(target);
    target.forceCold = async (cell) => {
      ended.push(`${cell.id} after ${target.made.length}`);
      return await forceCold(cell);
    };
    await runOn(target, { idle, oneAlive: true });
    const cellIds = target.made.map(({ cellId }) => cellId);
    const lasts = cellIds.flatMap((cellId, index) =>
      cellId === cellIds[index + 1] ? [] : [`${cellId} after ${index + 1}`],
    );
    expect(lasts).toHaveLength(plan.cells.length);
    for (const last of lasts) expect(ended).toContain(last);
    for (const time of idleTimes(target)) expect(time).toBeGreaterThan(idleMs - 1.5);
  });

  it("are called whole, one after another, where they have no idle time", async () => {
    const target = new SlowTarget();
    await runOn(target);
    const cellIds = target.made.map(({ cellId }) => cellId);
    const changes = cellIds.filter((cellId, index) => cellId !== cellIds[index - 1]);
    expect(changes).toHaveLength(plan.cells.length);
  });

  it("are left at once when the run is interrupted, and not called again", async () => {
    const controller = new AbortController();
    const target = new SlowTarget();
    const begunMs = performance.now();
    const { signal } = controller;
    // Later than the last call that may be made: every sample is recorded by then.
    const looking = setInterval(() => {
      if (target.made.length < mostAlive) return;
      clearInterval(looking);
      setTimeout(() => controller.abort(), 50);
    }, 5);
    const { end, samples } = await runOn(target, {
      signal,
      idle: async () => await forever(signal),
    });
    expect(end).toBe("interrupted");
    expect(performance.now() - begunMs).toBeLessThan(5000);
    expect(samples).toHaveLength(mostAlive);
    expect(target.made).toHaveLength(mostAlive);
  });

  it("are left where a sample cannot be stored, which ends the run", async () => {
    const target = new SlowTarget();
    const full = {
      sample: async () => {
        throw new Error("ENOSPC: no space left on device");
      },
      failure: async () => {},
    };
    await expect(runPlan(plan, target, full, { idle })).rejects.toThrow("no space left");
    expect(target.made.length).toBeLessThanOrEqual(mostAlive);
  });
});
