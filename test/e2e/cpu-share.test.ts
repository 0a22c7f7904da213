import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, it } from "vitest";
import { narrowBandwidthSlice } from "../../lib/local/bandwidth-slice.ts";
import { findCgroupRoot } from "../../lib/local/cgroup.ts";
import { quotaUs } from "../../lib/local/cpu-share.ts";
import { LocalTarget } from "../../lib/local/local-target.ts";
import { localIdleMs } from "../../lib/plan/trial-calls.ts";
import { scriptedCell, twoThreadsCommand } from "../local/functions/scripted-command.ts";

const calls = 100;
const cgroupRoot = findCgroupRoot();

/** What a call took, the CPU time that it took it with, and whether the quota held it up. */
interface Call {
  readonly durationMs: number;
  readonly cpuMs: number;
  readonly isThrottled: boolean;
}

/**
 * Periods so far in which the kernel stopped the group of this process's function for want of quota. That
 * a call takes long tells nothing: on a busy machine it waits for other processes, too.
 * https://docs.kernel.org/scheduler/sched-bwc.html
 */
function throttledPeriods(folder: string): number {
  const own = readdirSync(folder).filter((name) => name.includes(`-${process.pid}-`));
  const counts = own.map((name) => {
    const [, count] =
      /^nr_throttled (\d+)$/m.exec(readFileSync(join(folder, name, "cpu.stat"), "utf8")) ?? [];
    return Number(count);
  });
  return counts.reduce((sum, count) => sum + count, 0);
}

async function callsAt(memoryMb: number, staysOnOneCpu: boolean): Promise<readonly Call[]> {
  if (cgroupRoot === undefined) throw new Error("no cgroup root");
  const cell = { ...scriptedCell, memoryMb };
  const command = twoThreadsCommand;
  const target = new LocalTarget({ timeoutSeconds: 10, cgroupRoot, staysOnOneCpu, command });
  const measured: Call[] = [];
  try {
    for (let call = 0; call <= calls; call += 1) {
      const before = throttledPeriods(cgroupRoot.cpu);
      const { telemetry, cpu, error } = await target.invoke(cell, { operation: "get" });
      expect(error).toBeUndefined();
      const { durationMs = Number.NaN } = telemetry ?? {};
      const { invocationCpuMs: cpuMs = Number.NaN } = cpu ?? {};
      const isThrottled = throttledPeriods(cgroupRoot.cpu) > before;
      // The first one is cold.
      if (call > 0) measured.push({ durationMs, cpuMs, isThrottled });
      await delay(localIdleMs);
    }
  } finally {
    await target.close();
  }
  return measured;
}

/**
 * The model: a call waits for the next period only where it needs more CPU than its quota holds. A call on two
 * threads that needs less does not wait, whichever CPUs they run on.
 */
it.skipIf(cgroupRoot === undefined).each([
  { memoryMb: 128, remedy: "a narrow slice" },
  { memoryMb: 256, remedy: "a narrow slice" },
  { memoryMb: 128, remedy: "one CPU" },
  { memoryMb: 256, remedy: "one CPU" },
])(
  "a call on two threads within its quota does not wait for the next period at $memoryMb MB, by $remedy",
  async ({ memoryMb, remedy }) => {
    const staysOnOneCpu = remedy === "one CPU";
    const slice = staysOnOneCpu ? undefined : await narrowBandwidthSlice();
    const measured = await callsAt(memoryMb, staysOnOneCpu).finally(() => slice?.restore());
    const quotaMs = quotaUs(memoryMb) / 1000;
    const within = measured.filter(({ cpuMs }) => cpuMs < 0.9 * quotaMs);
    const throttled = within.filter(({ isThrottled }) => isThrottled);
    const told = JSON.stringify({ quotaMs, measured });
    expect(within.length, told).toBeGreaterThan(0.8 * calls);
    expect(throttled.length, told).toBeLessThanOrEqual(0.05 * calls);
  },
);
