import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { beforeEach, expect, test, vi } from "vitest";
import { kernelText } from "../../lib/files/kernel-files.ts";
import {
  chooseSliceRemedy,
  describeSlice,
  expandCpuList,
  holdToOneCpu,
  leftSliceMs,
  narrowBandwidthSlice,
  readBandwidthSliceMs,
} from "../../lib/local/bandwidth-slice.ts";
import { folderPerTest } from "../support/temporary-folder.ts";

const folder = folderPerTest();
let files: { readonly setting: string; readonly before: string };
beforeEach(() => {
  files = { setting: folder("slice_us"), before: folder("before") };
  writeFileSync(files.setting, "5000\n");
});

const sliceMs = () => readBandwidthSliceMs(files.setting);

test("the slice is narrow while it is held, and then what it was", async () => {
  const held = await narrowBandwidthSlice(files);
  expect(sliceMs()).toBe(0.1);
  await held?.restore();
  expect(sliceMs()).toBe(5);
});

test("of two runs at the same time the last one puts back what was there before the first", async () => {
  const first = await narrowBandwidthSlice(files);
  const second = await narrowBandwidthSlice(files);
  await first?.restore();
  expect(sliceMs()).toBe(0.1);
  await second?.restore();
  expect(sliceMs()).toBe(5);
  expect(readdirSync(folder())).toEqual(["slice_us"]);
});

test("a run that is killed has it put back, too", async () => {
  const script = `
    import { narrowBandwidthSlice } from ${JSON.stringify(join(import.meta.dirname, "../../lib/local/bandwidth-slice.ts"))};
    await narrowBandwidthSlice(${JSON.stringify(files)});
    console.log("held");
    setInterval(() => undefined, 1000);
  `;
  const run = spawn(
    process.execPath,
    ["--import", "tsx", "--input-type=module", "--eval", script],
    { stdio: ["ignore", "pipe", "inherit"], detached: true },
  );
  await once(createInterface({ input: run.stdout }), "line");
  expect(sliceMs()).toBe(0.1);
  process.kill(-(run.pid as number), "SIGKILL");
  await vi.waitFor(() => expect(sliceMs()).toBe(5), { timeout: 5000 });
});

test("a holder that is killed is replaced, and what was there first comes back", async () => {
  const held = await narrowBandwidthSlice(files);
  killHolder();
  writeFileSync(files.setting, "5000\n");
  await vi.waitFor(() => expect(sliceMs()).toBe(0.1), { timeout: 60_000 });
  await held?.restore();
  expect(sliceMs()).toBe(5);
});

test("a slice that a killed run left narrow is told with what it was, and one that is held is not", async () => {
  expect(leftSliceMs(files)).toBeUndefined();
  const held = await narrowBandwidthSlice(files);
  expect(leftSliceMs(files)).toBeUndefined();
  await held?.restore();
  writeFileSync(files.setting, "100\n");
  expect(leftSliceMs(files)).toBe(5);
  writeFileSync(files.before, "3000\n");
  expect(leftSliceMs(files)).toBe(3);
});

test("a container leaves the machine's slice as it is, and says so", () => {
  expect(chooseSliceRemedy(files.setting, true)).not.toBe("narrow");
  expect(describeSlice(files.setting, true)).toContain(
    "which a container that may be ended does not change",
  );
});

/** Kills the process that holds the slice of this test's folder. */
function killHolder(): void {
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    const words = kernelText(`/proc/${pid}/cmdline`).split("\0");
    if (words.includes(files.before)) process.kill(Number(pid), "SIGKILL");
  }
}

test("what a machine does not let be set, or does not have, is left as it is", async () => {
  const absent = { ...files, setting: folder("absent") };
  expect(await narrowBandwidthSlice(absent)).toBeUndefined();
  expect(readBandwidthSliceMs(absent.setting)).toBeUndefined();
});

test("a slice that may be written is narrowed, and one that is narrow stays as it is", async () => {
  expect(chooseSliceRemedy(files.setting, false)).toBe("narrow");
  expect(describeSlice(files.setting, false)).toContain("0.1 ms during the run, 5 ms otherwise");
  const held = await narrowBandwidthSlice(files);
  expect(chooseSliceRemedy(files.setting, false)).toBeUndefined();
  expect(describeSlice(files.setting, false)).toBe("; CFS bandwidth slice 0.1 ms");
  await held?.restore();
});

// A setting of the kernel's that nobody may write, root neither.
const readOnlySetting = "/proc/sys/kernel/ngroups_max";

test.runIf(process.platform === "linux")(
  "where the slice may not be written, functions stay on one CPU",
  () => {
    expect(chooseSliceRemedy(readOnlySetting, false)).toBe("one CPU");
    expect(describeSlice(readOnlySetting, false)).toBe(
      "; CFS bandwidth slice 65.536 ms, which only root can change: after Init, a function of up to 1769 MB stays on one CPU",
    );
    vi.stubEnv("PATH", folder());
    expect(chooseSliceRemedy(readOnlySetting, false)).toBe("none");
    expect(describeSlice(readOnlySetting, false)).toContain(
      "with taskset, which is part of util-linux",
    );
    vi.unstubAllEnvs();
  },
);

test("a list of CPUs holds single ones and ranges", () => {
  expect(expandCpuList("0,1\n")).toEqual([0, 1]);
  expect(expandCpuList(" 0-2,5,8-9")).toEqual([0, 1, 2, 5, 8, 9]);
});

/** Where each of a process's threads may run. */
function threadsCpus(pid: number): readonly string[] {
  const threads = readdirSync(`/proc/${pid}/task`);
  return threads.map((thread) => {
    const status = readFileSync(`/proc/${pid}/task/${thread}/status`, "utf8");
    return /^Cpus_allowed_list:\t(.+)$/m.exec(status)?.[1] ?? "";
  });
}

test.runIf(process.platform === "linux")(
  "every thread of every process is held to the same CPU; one that has ended is none",
  async () => {
    const ended = spawn("true");
    await once(ended, "exit");
    // Node.js has threads besides its main one.
    const script = "process.stdin.resume(); console.log('up')";
    const child = spawn(process.execPath, ["-e", script], { stdio: ["pipe", "pipe", "inherit"] });
    const pid = child.pid as number;
    try {
      await once(child.stdout, "data");
      const listings = [[ended.pid as number, pid], [pid]];
      holdToOneCpu(() => listings.shift() ?? [pid]);
      const cpus = threadsCpus(pid);
      expect(cpus.length).toBeGreaterThan(1);
      expect(new Set(cpus).size).toBe(1);
      expect(cpus[0]).toMatch(/^\d+$/);
    } finally {
      child.kill();
    }
  },
);
