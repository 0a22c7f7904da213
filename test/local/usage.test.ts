import { setTimeout as delay } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { findCgroupRoot } from "../../lib/local/cgroup.ts";
import { LocalTarget, type LocalTargetOptions } from "../../lib/local/local-target.ts";
import { scriptedCell, scriptedCommand } from "./functions/scripted-command.ts";

const cell = { ...scriptedCell, memoryMb: 1769 };
const event = { operation: "get" };
const cgroupRoot = findCgroupRoot();
let target: LocalTarget | undefined;

function targetWith(fault: string, more: Partial<LocalTargetOptions> = {}): LocalTarget {
  target = new LocalTarget({ timeoutSeconds: 5, command: scriptedCommand(fault), ...more });
  return target;
}

afterEach(async () => await target?.close());

describe.runIf(cgroupRoot?.accounting !== undefined)("CPU time", () => {
  const counted = cgroupRoot === undefined ? {} : { cgroupRoot };

  it("of an invocation is what the function itself says that it used", async () => {
    const local = targetWith("work", counted);
    await local.invoke(cell, event);
    const { cpu, payload } = await local.invoke(cell, event);
    const { cpuMs } = payload as { readonly cpuMs: number };
    expect(cpu?.invocationCpuMs).toBeGreaterThan(cpuMs);
    expect(cpu?.invocationCpuMs).toBeLessThan(cpuMs * 1.1 + 10);
  });

  it("of Init comes with the cold invocation and with no later one", async () => {
    const local = targetWith("none", counted);
    const first = await local.invoke(cell, event);
    const second = await local.invoke(cell, event);
    // Node itself takes some 30 ms to start: it is Init's, and not the invocation's.
    expect(first.cpu?.initCpuMs).toBeGreaterThan(10);
    expect(first.cpu?.invocationCpuMs).toBeLessThan(first.cpu?.initCpuMs ?? 0);
    expect(second.cpu).toEqual({ invocationCpuMs: expect.any(Number) });
    expect(second.cpu?.invocationCpuMs).toBeGreaterThan(0);
  });

  it("is told of no invocation that ran a failed Init again: its time is of both", async () => {
    const faults = ["crash-in-init", "none"];
    const command: LocalTargetOptions["command"] = (of, runtimeApi) =>
      scriptedCommand(faults.shift() ?? "none")(of, runtimeApi);
    const { cpu, payload } = await targetWith("none", { ...counted, command }).invoke(cell, event);
    expect(payload).toMatchObject({ operation: "get" });
    expect(cpu).toBeUndefined();
  });
});

describe("a reading of use", () => {
  it("is absent where no group counts", async () => {
    expect(await targetWith("none").invoke(cell, event)).not.toHaveProperty("cpu");
  });

  it("falls into no Duration, however long it takes, nor into the latency of a later call", async () => {
    // A Duration that held a reading would be this long at least, however busy the machine.
    const slowMs = 800;
    let laps = 0;
    const lap = async () => {
      await delay(slowMs);
      laps += 1;
      return { cpuMs: laps };
    };
    const local = targetWith("none", { meter: () => ({ lap }) });
    const first = await local.invoke(cell, event);
    const second = await local.invoke(cell, event);
    expect(laps).toBe(3);
    expect(first.cpu).toEqual({ initCpuMs: 1, invocationCpuMs: 2 });
    expect(second.cpu).toEqual({ invocationCpuMs: 3 });
    for (const { telemetry } of [first, second]) expect(telemetry?.durationMs).toBeLessThan(slowMs);
    expect(second.clientLatencyMs).toBeLessThan(slowMs);
  });
});
