import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cpuCredit } from "../contract/cpu-credit.ts";
import {
  type CgroupKind,
  type CgroupRoot,
  controlFiles,
  endGroups,
  hierarchies,
  removeGroup,
} from "./cgroup.ts";
import { processesIn } from "./own-cgroup.ts";

const periodUs = 20_000;

/** One execution environment's group of processes. Every path is below the root it was made in. */
export interface CpuShare {
  /** Moves a process and its threads into the group. */
  join(pid: number): void;
  /** Holds the group to memoryMb/1769 of a CPU from now on. */
  throttle(memoryMb: number): void;
  /** Stops every process of the group where it is, until it is thawed; does nothing where that cannot be had. */
  freeze(): void;
  thaw(): void;
  /** The ids of the group's processes. */
  processes(): readonly number[];
  /** CPU time of the group's processes since they joined, user and system; absent where none is counted. */
  cpuTimeMs(): number | undefined;
  /** Bytes that the group's processes hold now, page cache apart; absent where none are counted. */
  memoryBytes(): number | undefined;
  /** Whether the kernel killed a process of the group for its memory limit; false where it does not tell. */
  ranOutOfMemory(): boolean;
  /** Kills every process of the group, and resolves to whether none is left. */
  end(): Promise<boolean>;
  remove(): void;
}

/**
 * Makes the group of one environment and sets its memory limit, in MB. Throws where there is one of
 * that name: it may hold another's processes to another's quota.
 */
export function createCpuShare(root: CgroupRoot, name: string, memoryMb: number): CpuShare {
  const groups = hierarchies(root).map((folder) => join(folder, name));
  makeGroups(groups);
  const { kind, accounting, memory, freezer } = root;
  const cpuGroup = join(root.cpu, name);
  if (memory !== undefined) {
    const limit = join(memory, name, controlFiles[kind].memory);
    writeFileSync(limit, String(memoryMb * 1024 * 1024));
  }
  const setFrozen = (isFrozen: boolean) => {
    if (freezer !== undefined) writeFrozen(kind, join(freezer, name), isFrozen);
  };
  return {
    join: (pid) => {
      for (const group of groups) writeFileSync(join(group, "cgroup.procs"), String(pid));
    },
    throttle: (share) => writeQuota(kind, cpuGroup, share),
    freeze: () => setFrozen(true),
    thaw: () => setFrozen(false),
    processes: () => processesIn(cpuGroup),
    cpuTimeMs: () =>
      accounting === undefined ? undefined : readCpuTimeMs(kind, join(accounting, name)),
    memoryBytes: () =>
      memory === undefined ? undefined : readMemoryBytes(kind, join(memory, name)),
    ranOutOfMemory: () => memory !== undefined && countOomKills(kind, join(memory, name)) > 0,
    end: () => endGroups(groups),
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

/** v1 counts nanoseconds, v2 microseconds in a line of its own. */
function readCpuTimeMs(kind: CgroupKind, group: string): number | undefined {
  try {
    const text = readFileSync(join(group, controlFiles[kind].cpuTime), "utf8");
    const [, usage] = (kind === "cgroup-v1" ? /^(\d+)/ : /^usage_usec (\d+)$/m).exec(text) ?? [];
    return usage === undefined ? undefined : Number(usage) / (kind === "cgroup-v1" ? 1e6 : 1e3);
  } catch {
    return undefined;
  }
}

/** Processes of the group that the kernel killed for its memory limit; 0 where it does not tell. */
function countOomKills(kind: CgroupKind, group: string): number {
  try {
    const file = kind === "cgroup-v1" ? "memory.oom_control" : "memory.events";
    const text = readFileSync(join(group, file), "utf8");
    return Number(/^oom_kill (\d+)$/m.exec(text)?.[1] ?? 0);
  } catch {
    return 0;
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

/**
 * Anonymous pages and shared memory. The file pages that v1 counts beside them are page cache.
 * https://docs.kernel.org/admin-guide/cgroup-v1/memory.html#stat-file
 * https://docs.kernel.org/admin-guide/cgroup-v2.html#memory-interface-files
 */
function readMemoryBytes(kind: CgroupKind, group: string): number | undefined {
  try {
    const text = readFileSync(join(group, "memory.stat"), "utf8");
    const names = kind === "cgroup-v1" ? ["rss", "shmem"] : ["anon", "shmem"];
    const counts = names.map((name) => new RegExp(`^${name} (\\d+)$`, "m").exec(text)?.[1] ?? 0);
    return counts.reduce<number>((sum, count) => sum + Number(count), 0);
  } catch {
    return undefined;
  }
}

/** A group that is gone has nothing to freeze. */
function writeFrozen(kind: CgroupKind, group: string, isFrozen: boolean): void {
  try {
    if (kind === "cgroup-v2") writeFileSync(join(group, "cgroup.freeze"), isFrozen ? "1" : "0");
    else writeFileSync(join(group, "freezer.state"), isFrozen ? "FROZEN" : "THAWED");
  } catch (error) {
    if (!["ENOENT", "ENODEV"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
}
