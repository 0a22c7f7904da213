import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cpuCredit } from "../contract/cpu-credit.ts";
import { kernelText } from "../files/kernel-files.ts";
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

/** A CpuShare is the process group of one execution environment, with its limits. All its paths are below the root. */
export interface CpuShare {
  /** Moves a process and its threads into the group. */
  join(pid: number): void;
  /** Limits the group to memoryMb/1769 of a CPU from now on. */
  throttle(memoryMb: number): void;
  /** Stops every process of the group until `thaw`; does nothing without a freezer. */
  freeze(): void;
  thaw(): void;
  /** The ids of the group's processes. */
  processes(): readonly number[];
  /** CPU time of the group's processes since they joined, user and system; absent if it is not counted. */
  cpuTimeMs(): number | undefined;
  /** Bytes that the group's processes hold now, without page cache; absent if they are not counted. */
  memoryBytes(): number | undefined;
  /** Returns whether the kernel killed a process of the group for its memory limit; false if that is not reported. */
  ranOutOfMemory(): boolean;
  /** Kills every process of the group; resolves to false if some remain. */
  end(): Promise<boolean>;
  remove(): void;
}

/**
 * Creates the group of one environment and sets its memory limit, in MB. Throws if a group of that name exists: it
 * may hold another environment's processes.
 */
export function createCpuShare(root: CgroupRoot, name: string, memoryMb: number): CpuShare {
  const groups = hierarchies(root).map((folder) => join(folder, name));
  makeGroups(groups);
  const { kind, accounting, memory, freezer } = root;
  const cpuGroup = join(root.cpu, name);
  if (memory !== undefined) {
    const limit = join(memory, name, controlFiles[kind].memory);
    writeFileSync(limit, String(memoryMb * 1024 * 1024));
    forbidSwap(kind, join(memory, name), memoryMb);
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

/**
 * Keeps the group's memory out of swap, so that a function that needs more than its size is killed, as on Lambda, and
 * does not become slow. Does nothing where the kernel does not count swap.
 * https://docs.kernel.org/admin-guide/cgroup-v2.html#memory-interface-files
 */
function forbidSwap(kind: CgroupKind, group: string, memoryMb: number): void {
  const [file, limit] =
    kind === "cgroup-v1"
      ? ["memory.memsw.limit_in_bytes", memoryMb * 1024 * 1024]
      : ["memory.swap.max", 0];
  try {
    writeFileSync(join(group, file), String(limit));
  } catch {
    // There is no such file.
  }
}

/** Creates all groups or none. */
function makeGroups(groups: readonly string[]): void {
  const created: string[] = [];
  try {
    for (const group of groups) {
      mkdirSync(group);
      created.push(group);
    }
  } catch (error) {
    for (const group of created) removeGroup(group);
    throw error;
  }
}

/** Returns microseconds of CPU per period of 20 ms. */
export function quotaUs(memoryMb: number): number {
  return Math.max(1000, Math.round(periodUs * cpuCredit(memoryMb)));
}

/** Reads nanoseconds under v1, and the `usage_usec` line in microseconds under v2. */
function readCpuTimeMs(kind: CgroupKind, group: string): number | undefined {
  const text = kernelText(join(group, controlFiles[kind].cpuTime));
  const [, usage] = (kind === "cgroup-v1" ? /^(\d+)/ : /^usage_usec (\d+)$/m).exec(text) ?? [];
  return usage === undefined ? undefined : Number(usage) / (kind === "cgroup-v1" ? 1e6 : 1e3);
}

/** Returns how many of the group's processes the kernel killed for its memory limit; 0 if that is not reported. */
function countOomKills(kind: CgroupKind, group: string): number {
  const file = kind === "cgroup-v1" ? "memory.oom_control" : "memory.events";
  return Number(/^oom_kill (\d+)$/m.exec(kernelText(join(group, file)))?.[1] ?? 0);
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
 * Returns anonymous pages and shared memory. File pages are page cache, and not included.
 * https://docs.kernel.org/admin-guide/cgroup-v1/memory.html#stat-file
 * https://docs.kernel.org/admin-guide/cgroup-v2.html#memory-interface-files
 */
function readMemoryBytes(kind: CgroupKind, group: string): number | undefined {
  const text = kernelText(join(group, "memory.stat"));
  if (text === "") return undefined;
  const names = kind === "cgroup-v1" ? ["rss", "shmem"] : ["anon", "shmem"];
  const counts = names.map((name) => new RegExp(`^${name} (\\d+)$`, "m").exec(text)?.[1] ?? 0);
  return counts.reduce<number>((sum, count) => sum + Number(count), 0);
}

/** Freezes or thaws a group; does nothing if it is gone. */
function writeFrozen(kind: CgroupKind, group: string, isFrozen: boolean): void {
  try {
    if (kind === "cgroup-v2") writeFileSync(join(group, "cgroup.freeze"), isFrozen ? "1" : "0");
    else writeFileSync(join(group, "freezer.state"), isFrozen ? "FROZEN" : "THAWED");
  } catch (error) {
    if (!["ENOENT", "ENODEV"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
}
