import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { isQuietNow } from "../../lib/analysis/machine-noise.ts";
import { NoiseMeter, noiseBetween, readCpu, waitForQuiet } from "../../lib/local/machine-noise.ts";
import { folderPerTest } from "../support/temporary-folder.ts";

const proc = folderPerTest();

/** Files as the kernel has them, of a machine of which so many hundredths of a second were used. */
function machine(user: number, steal: number, waitingUs?: number): void {
  const text = `cpu  ${user} 10 20 5000 7 0 3 ${steal} 0 0\ncpu0 1 2 3 4 5 6 7 8 0 0\n`;
  writeFileSync(proc("stat"), text);
  writeFileSync(proc("loadavg"), "6.10 3.00 1.00 9/300 4242\n");
  if (waitingUs === undefined) return;
  mkdirSync(proc("pressure"), { recursive: true });
  writeFileSync(
    proc("pressure", "cpu"),
    `some avg10=1.00 avg60=2.00 avg300=3.00 total=${waitingUs}\nfull avg10=0.00 total=0\n`,
  );
}

function processOf(pid: number, parent: number, ticks: readonly [number, number, number, number]) {
  mkdirSync(proc(String(pid)), { recursive: true });
  const text = `${pid} (a (strange) name) S ${parent} 1 1 0 -1 0 0 0 0 0 ${ticks.join(" ")} 20 0 1`;
  writeFileSync(proc(String(pid), "stat"), text);
}

const readAt = (atMs: number) => readCpu({ proc: proc(), pid: 10, nowMs: () => atMs });

describe("a reading of the CPUs", () => {
  it("counts what the machine did, and of that the process, its children and theirs", () => {
    machine(1000, 50, 2_000_000);
    processOf(10, 1, [100, 50, 30, 20]);
    processOf(11, 10, [7, 3, 0, 0]);
    processOf(12, 11, [1, 1, 1, 1]);
    processOf(20, 1, [500, 0, 0, 0]);
    expect(readAt(0)).toEqual({
      ...{ atMs: 0, busyMs: 10_330, stolenMs: 500, ownMs: 2140, waitingMs: 2000, load: 6.1 },
    });
  });

  it("is none where the machine does not say it, as off Linux or in a sandbox that shows zeros", () => {
    expect(readAt(0)).toBeUndefined();
    machine(1000, 0);
    expect(readAt(0)).toBeUndefined();
    processOf(10, 1, [1, 1, 1, 1]);
    expect(readAt(0)).not.toHaveProperty("waitingMs");
    writeFileSync(proc("stat"), "cpu  0 0 0 0 0 0 0 0 0 0\n");
    expect(readAt(0)).toBeUndefined();
  });

  it("has the time of a child that has ended, on this machine", () => {
    const before = readCpu();
    if (before === undefined) return;
    const spin = "while (process.cpuUsage().user < 300_000);";
    spawnSync(process.execPath, ["-e", spin]);
    const after = readCpu();
    expect((after?.ownMs ?? 0) - before.ownMs).toBeGreaterThan(200);
    expect((after?.busyMs ?? 0) - before.busyMs).toBeGreaterThan(200);
  });
});

describe("the noise between two readings", () => {
  it("is what others used, and what the hypervisor took, in CPUs", () => {
    machine(1000, 50, 2_000_000);
    processOf(10, 1, [100, 0, 0, 0]);
    const before = readAt(0);
    machine(1300, 70, 3_000_000);
    processOf(10, 1, [200, 0, 0, 0]);
    const after = readAt(2000);
    if (before === undefined || after === undefined) throw new Error("no reading");
    expect(noiseBetween(before, after)).toEqual({
      ...{ seconds: 2, otherCpus: 1, stolenCpus: 0.1, waitingShare: 0.5, load: 6.1 },
    });
  });

  it("is never below 0, though the counters of processes are read after the machine's", () => {
    const reading = { atMs: 0, busyMs: 0, stolenMs: 0, ownMs: 0 };
    const after = { atMs: 1000, busyMs: 400, stolenMs: 0, ownMs: 410 };
    expect(noiseBetween(reading, after)).toEqual({ seconds: 1, otherCpus: 0, stolenCpus: 0 });
  });

  it("is metered block by block, a short block with the next one, on from an earlier execution", () => {
    const at = [0, 1000, 1100, 3000].values();
    const meter = new NoiseMeter({
      earlier: [{ block: 0, seconds: 9, otherCpus: 1, stolenCpus: 0 }],
      read: () => {
        const { value: atMs = 0 } = at.next();
        return { atMs, busyMs: atMs / 2, stolenMs: 0, ownMs: 0 };
      },
    });
    for (const block of [1, 2, 3]) meter.endBlock(block);
    expect(meter.intervals).toEqual([
      { block: 0, seconds: 9, otherCpus: 1, stolenCpus: 0 },
      { block: 1, seconds: 1, otherCpus: 0.5, stolenCpus: 0 },
      { block: 3, seconds: 2, otherCpus: 0.5, stolenCpus: 0 },
    ]);
  });
});

describe("waiting for a quiet machine", () => {
  /** Others take so many CPUs in one look after another, the last for ever. */
  async function waited(others: readonly number[], seconds = 600) {
    let atMs = 0;
    let busyMs = 0;
    const left = [...others];
    const busy: number[] = [];
    const end = await waitForQuiet({
      isQuiet: (noise) => isQuietNow(noise, 2),
      seconds,
      onBusy: ({ otherCpus }) => busy.push(otherCpus),
      read: () => ({ atMs, busyMs, stolenMs: 0, ownMs: 0 }),
      wait: async (ms) => {
        atMs += ms;
        busyMs += ms * ((left.length > 1 ? left.shift() : left[0]) ?? 0);
      },
    });
    return { ...end, busy };
  }

  it("goes on after ten seconds without other work", async () => {
    expect(await waited([0])).toEqual({ isQuiet: true, seconds: 10, busy: [] });
    expect(await waited([1.5, 0.1, 1, 0.05])).toEqual({
      isQuiet: true,
      seconds: 16,
      busy: [1.5, 1],
    });
  });

  it("ends with the time, and says neither quiet nor busy where the machine reports nothing", async () => {
    expect(await waited([1], 20)).toMatchObject({ isQuiet: false, seconds: 20 });
    const nothing = { isQuiet: () => true, seconds: 20, onBusy: () => {}, read: () => undefined };
    expect(await waitForQuiet(nothing)).toBeUndefined();
  });
});
