import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { mayPollWhenIdle, pollWhenIdle } from "../../lib/local/idle-cpus.ts";

let folder: string;
let files: { readonly driver: string; readonly latency: string };
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "kelvin-idle-"));
  files = { driver: join(folder, "current_driver"), latency: join(folder, "cpu_dma_latency") };
  writeFileSync(files.driver, "haltpoll\n");
  writeFileSync(files.latency, "");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Whether this process holds a file open: the kernel forgets a request with its descriptor. */
function isOpen(path: string): boolean {
  return readdirSync("/proc/self/fd").some((descriptor) => {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`) === path;
    } catch {
      return false; // The descriptor that lists the others.
    }
  });
}

test.runIf(process.platform === "linux")(
  "a latency of 0 µs is asked for, in four bytes, for as long as the file is open",
  () => {
    const polling = pollWhenIdle(files);
    expect(readFileSync(files.latency)).toEqual(Buffer.alloc(4));
    expect(isOpen(files.latency)).toBe(true);
    polling?.end();
    expect(isOpen(files.latency)).toBe(false);
  },
);

test("a machine that is no virtual one, or whose kernel does not choose, is left as it is", () => {
  writeFileSync(files.driver, "intel_idle\n");
  expect(pollWhenIdle(files)).toBeUndefined();
  expect(pollWhenIdle({ ...files, driver: join(folder, "absent") })).toBeUndefined();
  expect(pollWhenIdle({ ...files, latency: join(folder, "absent") })).toBeUndefined();
  expect(readFileSync(files.latency)).toHaveLength(0);
});

/** How often each CPU has halted, by the kernel's count: https://docs.kernel.org/admin-guide/pm/cpuidle.html */
function halts(): number {
  const cpus = readdirSync("/sys/devices/system/cpu").filter((name) => /^cpu\d+$/.test(name));
  const counts = cpus.map((cpu) => {
    const state = `/sys/devices/system/cpu/${cpu}/cpuidle/state1`;
    return Number(readFileSync(join(state, "usage"), "utf8"));
  });
  return counts.reduce((sum, count) => sum + count, 0);
}

test.runIf(mayPollWhenIdle())("this kernel's CPUs do not halt meanwhile", async () => {
  const polling = pollWhenIdle();
  // One that has halted already wakes first.
  await delay(50);
  const before = halts();
  await delay(200);
  const meanwhile = halts() - before;
  polling?.end();
  // Without it, some hundred on an idle machine.
  expect(meanwhile).toBeLessThan(10);
});
