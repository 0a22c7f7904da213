import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cpuCredit } from "../contract/cpu-credit.ts";
import { hierarchies, newGroupName } from "./leftover-groups.ts";

/** How this machine can hold a process to its share of a CPU and of memory. */
export type CgroupKind = "cgroup-v1" | "cgroup-v2";

const periodUs = 20_000;

/** A place where groups can be made; under v2 its folders are one. */
export interface CgroupRoot {
  readonly kind: CgroupKind;
  readonly cpu: string;
  /** Absent where memory cannot be limited. */
  readonly memory?: string;
  /** Absent where CPU time is not counted. */
  readonly accounting?: string;
}

/** One execution environment's group of processes. Every path is below the root it was made in. */
export interface CpuShare {
  /** Moves a process and its threads into the group. */
  join(pid: number): void;
  /** Holds the group to memoryMb/1769 of a CPU from now on. */
  throttle(memoryMb: number): void;
  /** CPU time of the group's processes since they joined, user and system; absent where none is counted. */
  cpuTimeMs(): number | undefined;
  remove(): void;
}

/** The first place where a group with a CPU quota can really be made, or undefined. */
export function findCgroupRoot(base = "/sys/fs/cgroup"): CgroupRoot | undefined {
  const of = (controller: string) => join(base, controller);
  const v1 = { cpu: of("cpu"), memory: of("memory"), accounting: of("cpuacct") };
  const v2 = { cpu: base, memory: base, accounting: base };
  for (const { kind, cpu, memory, accounting } of [
    { kind: "cgroup-v1", ...v1 } as const,
    { kind: "cgroup-v2", ...v2 } as const,
  ]) {
    if (!canMake(cpu, files[kind].quota, isWritable)) continue;
    return {
      kind,
      cpu,
      ...(canMake(memory, files[kind].memory, isWritable) && { memory }),
      ...(canMake(accounting, files[kind].cpuTime, existsSync) && { accounting }),
    };
  }
  return undefined;
}

/**
 * Makes the group of one environment and sets its memory limit, in MB. Throws where there is one of
 * that name: it may hold another's processes to another's quota.
 */
export function createCpuShare(root: CgroupRoot, name: string, memoryMb: number): CpuShare {
  const groups = hierarchies(root).map((folder) => join(folder, name));
  makeGroups(groups);
  const cpuGroup = join(root.cpu, name);
  if (root.memory !== undefined) {
    const limit = join(root.memory, name, files[root.kind].memory);
    writeFileSync(limit, String(memoryMb * 1024 * 1024));
  }
  return {
    join: (pid) => {
      for (const group of groups) writeFileSync(join(group, "cgroup.procs"), String(pid));
    },
    throttle: (share) => writeQuota(root.kind, cpuGroup, share),
    cpuTimeMs: () =>
      root.accounting === undefined
        ? undefined
        : readCpuTimeMs(root.kind, join(root.accounting, name)),
    remove: () => {
      for (const group of groups) removeGroup(group);
    },
  };
}

/** All of them or none. */
function makeGroups(groups: readonly string[]): void {
  const made: string[] = [];
  try {
    for (const group of groups) {
      mkdirSync(group);
      made.push(group);
    }
  } catch (error) {
    for (const group of made) removeGroup(group);
    throw error;
  }
}

/** Microseconds of CPU in a period of 20 ms. */
export function quotaUs(memoryMb: number): number {
  return Math.max(1000, Math.round(periodUs * cpuCredit(memoryMb)));
}

const files = {
  "cgroup-v1": {
    quota: "cpu.cfs_quota_us",
    memory: "memory.limit_in_bytes",
    cpuTime: "cpuacct.usage",
  },
  "cgroup-v2": { quota: "cpu.max", memory: "memory.max", cpuTime: "cpu.stat" },
} as const;

/** v1 counts nanoseconds, v2 microseconds in a line of its own. */
function readCpuTimeMs(kind: CgroupKind, group: string): number | undefined {
  try {
    const text = readFileSync(join(group, files[kind].cpuTime), "utf8");
    const [, usage] = (kind === "cgroup-v1" ? /^(\d+)/ : /^usage_usec (\d+)$/m).exec(text) ?? [];
    return usage === undefined ? undefined : Number(usage) / (kind === "cgroup-v1" ? 1e6 : 1e3);
  } catch {
    return undefined;
  }
}

function writeQuota(kind: CgroupKind, group: string, memoryMb: number): void {
  const quota = quotaUs(memoryMb);
  if (kind === "cgroup-v2") {
    writeFileSync(join(group, "cpu.max"), `${quota} ${periodUs}`);
    return;
  }
  writeFileSync(join(group, "cpu.cfs_period_us"), String(periodUs));
  writeFileSync(join(group, "cpu.cfs_quota_us"), String(quota));
}

/** Whether a group made in the folder has the file, and the file is sound. */
function canMake(folder: string, file: string, isSound: (path: string) => boolean): boolean {
  const probe = join(folder, newGroupName());
  try {
    mkdirSync(probe);
  } catch {
    return false;
  }
  try {
    return isSound(join(probe, file));
  } catch {
    return false;
  } finally {
    removeGroup(probe);
  }
}

function isWritable(path: string): boolean {
  if (!existsSync(path)) return false;
  writeFileSync(path, readFileSync(path, "utf8").trim());
  return true;
}

/** A group can be removed once its processes are gone; one that stays goes when the run ends. */
function removeGroup(group: string): void {
  try {
    rmdirSync(group);
  } catch {
    // Not made, or its last process has not been reaped yet.
  }
}
