import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  type CgroupRoot,
  createCpuShare,
  findCgroupRoot,
  quotaUs,
} from "../../lib/local/cgroup.ts";
import { describeMachine, describeQuota } from "../../lib/local/machine.ts";

let base: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "kelvin-cgroup-"));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

/** The files that the kernel makes in a new group; a plain folder has to be given them. */
function withFiles(root: CgroupRoot, name: string, files: readonly string[]): void {
  mkdirSync(join(root.cpu, name), { recursive: true });
  for (const file of files) writeFileSync(join(root.cpu, name, file), "");
}

describe("a CPU share", () => {
  it("is memoryMb/1769 of a CPU in periods of 20 ms", () => {
    expect(quotaUs(1769)).toBe(20_000);
    expect(quotaUs(128)).toBe(1447);
    expect(quotaUs(3008)).toBe(34_008);
  });

  it("is written under cgroup v2 as one file of quota and period", () => {
    const root = { kind: "cgroup-v2", cpu: base, memory: base } as const;
    withFiles(root, "one", ["cpu.max", "memory.max", "cgroup.procs"]);
    const share = createCpuShare(root, "one", 128);
    share.join(4242);
    share.throttle(128);
    const read = (file: string) => readFileSync(join(base, "one", file), "utf8");
    expect(read("cpu.max")).toBe("1447 20000");
    expect(read("memory.max")).toBe(String(128 * 1024 * 1024));
    expect(read("cgroup.procs")).toBe("4242");
  });

  it("is written under cgroup v1 as quota and period, with memory in its own hierarchy", () => {
    const root = {
      kind: "cgroup-v1",
      cpu: join(base, "cpu"),
      memory: join(base, "memory"),
    } as const;
    const share = createCpuShare(root, "one", 512);
    share.join(7);
    share.throttle(512);
    const read = (path: string) => readFileSync(join(base, path), "utf8");
    expect(read("cpu/one/cpu.cfs_quota_us")).toBe("5789");
    expect(read("cpu/one/cpu.cfs_period_us")).toBe("20000");
    expect(read("memory/one/memory.limit_in_bytes")).toBe(String(512 * 1024 * 1024));
    expect(read("memory/one/cgroup.procs")).toBe("7");
  });

  it("counts CPU time under cgroup v2 by the line of its own, and under v1 in nanoseconds", () => {
    const v2 = { kind: "cgroup-v2", cpu: base, accounting: base } as const;
    const share = createCpuShare(v2, "one", 128);
    expect(share.cpuTimeMs()).toBeUndefined();
    const stat = "usage_usec 58123\nuser_usec 50000\nsystem_usec 8123\nnr_periods 4\n";
    writeFileSync(join(base, "one", "cpu.stat"), stat);
    expect(share.cpuTimeMs()).toBe(58.123);

    const v1 = {
      kind: "cgroup-v1",
      cpu: join(base, "cpu"),
      accounting: join(base, "acct"),
    } as const;
    const other = createCpuShare(v1, "two", 128);
    writeFileSync(join(base, "acct", "two", "cpuacct.usage"), "58123456\n");
    expect(other.cpuTimeMs()).toBe(58.123456);
    other.join(7);
    expect(readFileSync(join(base, "acct", "two", "cgroup.procs"), "utf8")).toBe("7");
  });

  it("counts no CPU time where the system does not", () => {
    const root = { kind: "cgroup-v1", cpu: join(base, "cpu") } as const;
    expect(createCpuShare(root, "one", 128).cpuTimeMs()).toBeUndefined();
  });

  it("is not to be had where the folder holds no controller", () => {
    expect(findCgroupRoot(base)).toBeUndefined();
    expect(existsSync(join(base, `kelvin-probe-${process.pid}`))).toBe(false);
  });

  it("is told on the first line of a run, and its absence too", () => {
    expect(describeQuota(describeMachine(undefined))).toMatch(/^cpu: unthrottled/);
    const root = { kind: "cgroup-v2", cpu: base } as const;
    expect(describeQuota(describeMachine(root))).toContain("memory unlimited");
  });

  it.runIf(findCgroupRoot() !== undefined)("is made for real on this machine, and removed", () => {
    const root = findCgroupRoot() as CgroupRoot;
    const share = createCpuShare(root, `kelvin-test-${process.pid}`, 256);
    share.throttle(256);
    expect(share.cpuTimeMs()).toBe(root.accounting === undefined ? undefined : 0);
    const group = join(root.cpu, `kelvin-test-${process.pid}`);
    const file = root.kind === "cgroup-v1" ? "cpu.cfs_quota_us" : "cpu.max";
    expect(readFileSync(join(group, file), "utf8")).toContain("2894");
    share.remove();
    expect(existsSync(group)).toBe(false);
  });
});
