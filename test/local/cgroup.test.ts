import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import {
  type CgroupRoot,
  findCgroupRoot,
  newGroupName,
  sweepLeftoverGroups,
} from "../../lib/local/cgroup.ts";
import { createCpuShare, quotaUs } from "../../lib/local/cpu-share.ts";
import {
  describeCpuShare,
  describeMachine,
  describeQuota,
  howToThrottle,
} from "../../lib/local/machine.ts";
import { divideGroup, findOwnGroup } from "../../lib/local/own-cgroup.ts";
import { pidNamespace, processStart } from "../../lib/local/process-identity.ts";
import { folderPerTest } from "../support/temporary-folder.ts";

const base = folderPerTest();

/** As a killed run of the process leaves them, in a tree of plain files. */
function leaveGroup(name: string, pids: string): string {
  mkdirSync(base(name));
  writeFileSync(base(name, "cgroup.procs"), pids);
  return name;
}

/** Hierarchies of cgroup v1 that are folders of their own. */
const v1 = (others: Partial<CgroupRoot>): CgroupRoot => ({
  ...{ kind: "cgroup-v1", cpu: base("cpu") },
  ...others,
});

describe("a CPU share", () => {
  it("is memoryMb/1769 of a CPU in periods of 20 ms", () => {
    expect(quotaUs(1769)).toBe(20_000);
    expect(quotaUs(128)).toBe(1447);
    expect(quotaUs(3008)).toBe(34_008);
  });

  it("is written under cgroup v2 as one file of quota and period", () => {
    const root = { kind: "cgroup-v2", cpu: base(), memory: base() } as const;
    const share = createCpuShare(root, "one", 128);
    share.join(4242);
    share.throttle(128);
    const read = (file: string) => readFileSync(base("one", file), "utf8");
    expect(read("cpu.max")).toBe("1447 20000");
    expect(read("memory.max")).toBe(String(128 * 1024 * 1024));
    expect(read("memory.swap.max")).toBe("0");
    expect(read("cgroup.procs")).toBe("4242");
  });

  it("is written under cgroup v1 as quota and period, with memory in its own hierarchy", () => {
    const root = v1({ memory: base("memory") });
    for (const folder of ["cpu", "memory"]) mkdirSync(base(folder));
    const share = createCpuShare(root, "one", 512);
    share.join(7);
    share.throttle(512);
    const read = (path: string) => readFileSync(base(path), "utf8");
    expect(read("cpu/one/cpu.cfs_quota_us")).toBe("5789");
    expect(read("cpu/one/cpu.cfs_period_us")).toBe("20000");
    expect(read("memory/one/memory.limit_in_bytes")).toBe(String(512 * 1024 * 1024));
    expect(read("memory/one/memory.memsw.limit_in_bytes")).toBe(String(512 * 1024 * 1024));
    expect(read("memory/one/cgroup.procs")).toBe("7");
  });

  it("counts CPU time under cgroup v2 by the line of its own, and under v1 in nanoseconds", () => {
    const v2 = { kind: "cgroup-v2", cpu: base(), accounting: base() } as const;
    const share = createCpuShare(v2, "one", 128);
    expect(share.cpuTimeMs()).toBeUndefined();
    const stat = "usage_usec 58123\nuser_usec 50000\nsystem_usec 8123\nnr_periods 4\n";
    writeFileSync(base("one", "cpu.stat"), stat);
    expect(share.cpuTimeMs()).toBe(58.123);

    const separate = v1({ accounting: base("acct") });
    for (const folder of ["cpu", "acct"]) mkdirSync(base(folder));
    const other = createCpuShare(separate, "two", 128);
    writeFileSync(base("acct", "two", "cpuacct.usage"), "58123456\n");
    expect(other.cpuTimeMs()).toBe(58.123456);
    other.join(7);
    expect(readFileSync(base("acct", "two", "cgroup.procs"), "utf8")).toBe("7");
  });

  it("counts no CPU time where the system does not", () => {
    const root = { kind: "cgroup-v1", cpu: base() } as const;
    expect(createCpuShare(root, "one", 128).cpuTimeMs()).toBeUndefined();
  });

  it("is not to be had where the folder holds no controller", () => {
    expect(findCgroupRoot(base())).toBeUndefined();
    expect(readdirSync(base())).toEqual([]);
  });

  it("is told on the first line of a run, and its absence with how to have one", () => {
    expect(describeQuota(describeMachine(undefined))).toContain("sizes are not limited");
    expect(describeCpuShare(undefined)).toContain("; to limit them, ");
    expect(howToThrottle(true)).toContain("systemd-run --user --scope --property=Delegate=yes");
    expect(howToThrottle(false)).toContain("as root on Linux");
    const root = { kind: "cgroup-v2", cpu: base() } as const;
    expect(describeQuota(describeMachine(root))).toContain("memory unlimited");
  });

  it.runIf(findCgroupRoot() !== undefined)("is made for real on this machine, and removed", () => {
    const root = findCgroupRoot() as CgroupRoot;
    const name = newGroupName();
    const share = createCpuShare(root, name, 256);
    share.throttle(256);
    expect(share.cpuTimeMs()).toBe(root.accounting === undefined ? undefined : 0);
    const group = join(root.cpu, name);
    const file = root.kind === "cgroup-v1" ? "cpu.cfs_quota_us" : "cpu.max";
    expect(readFileSync(join(group, file), "utf8")).toContain("2894");
    share.remove();
    expect(existsSync(group)).toBe(false);
  });
});

describe("a group", () => {
  it("is made and never reused: an old one's quota and processes would be its own", () => {
    const root = { kind: "cgroup-v1", cpu: base() } as const;
    mkdirSync(base("one"));
    expect(() => createCpuShare(root, "one", 128)).toThrow("EEXIST");
  });

  it("is made in all hierarchies or in none", () => {
    for (const folder of ["cpu", "memory"]) mkdirSync(base(folder));
    mkdirSync(base("memory", "one"));
    const root = v1({ memory: base("memory") });
    expect(() => createCpuShare(root, "one", 128)).toThrow("EEXIST");
    expect(readdirSync(base("cpu"))).toEqual([]);
  });

  it("is made once in a hierarchy that has two names", () => {
    mkdirSync(base("cpu,cpuacct"));
    for (const name of ["cpu", "cpuacct"]) symlinkSync("cpu,cpuacct", base(name));
    createCpuShare(v1({ accounting: base("cpuacct") }), "one", 128);
    expect(readdirSync(base("cpu,cpuacct"))).toEqual(["one"]);
  });

  it("has a name that none had before", () => {
    const names = Array.from({ length: 100 }, newGroupName);
    expect(new Set(names).size).toBe(100);
    expect(names[0]).toContain(`-${process.pid}-`);
  });
});

describe.runIf(process.platform === "linux")("what a killed run left", () => {
  const root = () => ({ kind: "cgroup-v1", cpu: base() }) as const;

  /** The name that a group of the process has. */
  const nameOf = (pid: number, start: string) =>
    `kelvin-${pidNamespace()}-${pid}-${start}-0123456789ab`;

  it("is removed: the process of its name is gone, or another one has its id by now", async () => {
    const gone = spawnSync("true").pid;
    const names = [nameOf(gone, "1"), nameOf(process.pid, "1")];
    for (const name of names) mkdirSync(base(name));
    expect([...(await sweepLeftoverGroups(root()))].sort()).toEqual(names.sort());
    expect(readdirSync(base())).toEqual([]);
  });

  it("is no group of a run that goes on, of another namespace, or of anybody else", async () => {
    const others = [
      newGroupName(),
      nameOf(1, processStart(1) as string),
      "kelvin-1-2-3-0123456789ab",
      "kelvin",
      "system.slice",
    ];
    for (const name of others) mkdirSync(base(name));
    expect(await sweepLeftoverGroups(root())).toEqual([]);
    expect(readdirSync(base()).sort()).toEqual(others.sort());
  });

  it("is ended with its processes", async () => {
    const child = spawn("sleep", ["60"]);
    const exited = once(child, "exit");
    const name = leaveGroup(nameOf(spawnSync("true").pid, "1"), `0\n${child.pid}\n`);
    const sweeping = sweepLeftoverGroups(root());
    const [, signal] = await exited;
    expect(signal).toBe("SIGKILL");
    // The kernel's files go with a group; these have to be removed.
    rmSync(base(name, "cgroup.procs"));
    expect(await sweeping).toEqual([name]);
  });

  it.runIf(findCgroupRoot() !== undefined)("is swept for real on this machine", async () => {
    const real = findCgroupRoot() as CgroupRoot;
    const name = nameOf(spawnSync("true").pid, "1");
    const share = createCpuShare(real, name, 128);
    const child = spawn("sleep", ["60"]);
    share.throttle(128);
    share.join(child.pid as number);
    expect(await sweepLeftoverGroups(real)).toContain(name);
    expect(existsSync(join(real.cpu, name))).toBe(false);
    expect(child.signalCode ?? (await once(child, "exit"))[1]).toBe("SIGKILL");
  });
});

function readIfThere(path: string): string {
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}

describe("this process's own group of cgroup v2", () => {
  /** A group as the kernel shows it, in plain files. */
  function makeGroup(name: string, controllers: string, pids: string): string {
    const group = base(name);
    mkdirSync(group, { recursive: true });
    writeFileSync(join(group, "cgroup.controllers"), controllers);
    writeFileSync(join(group, "cgroup.procs"), pids);
    return group;
  }

  function membership(text: string): string {
    const file = base("membership");
    writeFileSync(file, text);
    return file;
  }

  it("is the one of its line in /proc, and the divided one of a process that was moved", () => {
    makeGroup(".", "cpu memory pids", "");
    const scope = "/user.slice/user-1000.slice/user@1000.service/app.slice/run-r1.scope";
    expect(findOwnGroup(base(), membership(`0::${scope}\n`))).toBe(base(scope));
    expect(findOwnGroup(base(), membership(`0::${scope}/kelvin-host\n`))).toBe(base(scope));
    expect(findOwnGroup(base(), membership("0::/\n"))).toBe(base("/"));
  });

  it("is none under v1, or where both are mounted and v2 has no controllers", () => {
    expect(findOwnGroup(base(), membership("4:memory:/a\n0::/a\n"))).toBeUndefined();
    makeGroup(".", "cpu", "");
    expect(findOwnGroup(base(), membership("4:memory:/a\n"))).toBeUndefined();
    expect(findOwnGroup(base(), base("absent"))).toBeUndefined();
  });

  it("is divided: CPU and memory are dealt out to the groups below it", () => {
    const group = makeGroup("root", "cpu memory pids\n", "");
    expect(divideGroup(group)).toBe(true);
    expect(readFileSync(join(group, "cgroup.subtree_control"), "utf8")).toBe("+cpu +memory");
    expect(readdirSync(group)).not.toContain("kelvin-host");
    // As every group but the root has one.
    writeFileSync(join(group, "cgroup.type"), "domain\n");
    expect(divideGroup(group)).toBe(true);
    expect(readdirSync(group)).toContain("kelvin-host");
  });

  // A controller that v1 has not taken, on a machine that mounts both; the kernel's rules are the same for all.
  const unified = "/sys/fs/cgroup/unified";
  const hasSpareController =
    process.getuid?.() === 0 &&
    readIfThere(join(unified, "cgroup.controllers")).includes("hugetlb");

  it.runIf(hasSpareController)("is emptied for real where processes are in the way", async () => {
    writeFileSync(join(unified, "cgroup.subtree_control"), "+hugetlb");
    const group = join(unified, newGroupName());
    mkdirSync(group);
    const resident = spawn("sleep", ["60"]);
    try {
      writeFileSync(join(group, "cgroup.procs"), `${resident.pid}`);
      expect(divideGroup(group, ["hugetlb"])).toBe(true);
      expect(readIfThere(join(group, "cgroup.subtree_control"))).toBe("hugetlb\n");
      expect(readIfThere(join(group, "kelvin-host", "cgroup.procs"))).toBe(`${resident.pid}\n`);
      expect(divideGroup(group, ["hugetlb"])).toBe(true);
    } finally {
      resident.kill("SIGKILL");
      await once(resident, "exit");
      // The kernel may count a process as the group's for a moment after its end.
      await vi.waitFor(() => rmdirSync(join(group, "kelvin-host")), { timeout: 5000 });
      rmdirSync(group);
    }
  });

  it("is not divided without the CPU controller, or where it may not be written", () => {
    expect(divideGroup(makeGroup("terminal", "memory pids\n", "7\n"))).toBe(false);
    expect(existsSync(base("terminal", "kelvin-host"))).toBe(false);
    const group = makeGroup("foreign", "cpu\n", "");
    mkdirSync(join(group, "cgroup.subtree_control"));
    expect(divideGroup(group)).toBe(false);
  });
});
