import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** How this machine can hold a process to its share of a CPU and of memory. */
export type CgroupKind = "cgroup-v1" | "cgroup-v2";

/** Lambda gives one vCPU at this memory: https://docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html */
export const memoryMbPerVcpu = 1769;

const periodUs = 20_000;

/** A place where groups can be made; `cpu` and `memory` are the same folder under v2. */
export interface CgroupRoot {
  readonly kind: CgroupKind;
  readonly cpu: string;
  /** Absent where memory cannot be limited. */
  readonly memory?: string;
}

/** One execution environment's group of processes. Every path is below the root it was made in. */
export interface CpuShare {
  /** Moves a process and its threads into the group. */
  join(pid: number): void;
  /** Holds the group to memoryMb/1769 of a CPU from now on. */
  throttle(memoryMb: number): void;
  remove(): void;
}

/** The first place where a group with a CPU quota can really be made, or undefined. */
export function findCgroupRoot(base = "/sys/fs/cgroup"): CgroupRoot | undefined {
  const v1 = { kind: "cgroup-v1", cpu: join(base, "cpu"), memory: join(base, "memory") } as const;
  const v2 = { kind: "cgroup-v2", cpu: base, memory: base } as const;
  for (const root of [v1, v2]) {
    if (!canLimit(root.cpu, files[root.kind].quota)) continue;
    const { memory, ...cpuOnly } = root;
    return canLimit(memory, files[root.kind].memory) ? root : cpuOnly;
  }
  return undefined;
}

/** Makes the group of one environment and sets its memory limit, in MB. */
export function createCpuShare(root: CgroupRoot, name: string, memoryMb: number): CpuShare {
  const folders = [...new Set([root.cpu, ...(root.memory === undefined ? [] : [root.memory])])];
  const groups = folders.map((folder) => join(folder, name));
  for (const group of groups) mkdirSync(group, { recursive: true });
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
    remove: () => {
      for (const group of groups) removeGroup(group);
    },
  };
}

/** Microseconds of CPU in a period of 20 ms. */
export function quotaUs(memoryMb: number): number {
  return Math.max(1000, Math.round((periodUs * memoryMb) / memoryMbPerVcpu));
}

const files = {
  "cgroup-v1": { quota: "cpu.cfs_quota_us", memory: "memory.limit_in_bytes" },
  "cgroup-v2": { quota: "cpu.max", memory: "memory.max" },
} as const;

function writeQuota(kind: CgroupKind, group: string, memoryMb: number): void {
  const quota = quotaUs(memoryMb);
  if (kind === "cgroup-v2") {
    writeFileSync(join(group, "cpu.max"), `${quota} ${periodUs}`);
    return;
  }
  writeFileSync(join(group, "cpu.cfs_period_us"), String(periodUs));
  writeFileSync(join(group, "cpu.cfs_quota_us"), String(quota));
}

function canLimit(folder: string, file: string): boolean {
  const probe = join(folder, `kelvin-probe-${process.pid}`);
  try {
    mkdirSync(probe);
    const path = join(probe, file);
    if (!existsSync(path)) return false;
    writeFileSync(path, readFileSync(path, "utf8").trim());
    return true;
  } catch {
    return false;
  } finally {
    removeGroup(probe);
  }
}

/** A group can be removed once its processes are gone; one that stays is empty and costs nothing. */
function removeGroup(group: string): void {
  try {
    rmdirSync(group);
  } catch {
    // Not made, or its last process has not been reaped yet.
  }
}
