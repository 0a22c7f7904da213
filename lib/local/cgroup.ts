import { randomBytes } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmdirSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { cpuCredit } from "../contract/cpu-credit.ts";
import { divideGroup, findOwnGroup, processesIn } from "./own-cgroup.ts";
import { isAlive, killNow, pidNamespace, processStart } from "./process-identity.ts";

/** How this machine can hold a process to its share of a CPU and of memory. */
type CgroupKind = "cgroup-v1" | "cgroup-v2";

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
  /** The ids of the group's processes. */
  processes(): readonly number[];
  /** CPU time of the group's processes since they joined, user and system; absent where none is counted. */
  cpuTimeMs(): number | undefined;
  /** Whether the kernel killed a process of the group for its memory limit; false where it does not tell. */
  ranOutOfMemory(): boolean;
  remove(): void;
}

/**
 * The first place where a group with a CPU quota can really be made, or undefined. The last resort is the
 * group of this process, which is divided for it.
 */
export function findCgroupRoot(base = "/sys/fs/cgroup"): CgroupRoot | undefined {
  const of = (controller: string) => join(base, controller);
  const v1 = { cpu: of("cpu"), memory: of("memory"), accounting: of("cpuacct") };
  return soundRoot("cgroup-v1", v1) ?? unifiedRoot(base) ?? ownRoot(base);
}

function ownRoot(mount: string): CgroupRoot | undefined {
  const own = findOwnGroup(mount);
  if (own === undefined) return undefined;
  return unifiedRoot(own) ?? (divideGroup(own) ? unifiedRoot(own) : undefined);
}

function unifiedRoot(folder: string): CgroupRoot | undefined {
  return soundRoot("cgroup-v2", { cpu: folder, memory: folder, accounting: folder });
}

/** The root with what works of it; undefined where it has no CPU quota. */
function soundRoot(
  kind: CgroupKind,
  { cpu, memory, accounting }: Required<Omit<CgroupRoot, "kind">>,
): CgroupRoot | undefined {
  if (!canMake(cpu, files[kind].quota, isWritable)) return undefined;
  return {
    kind,
    cpu,
    ...(canMake(memory, files[kind].memory, isWritable) && { memory }),
    ...(canMake(accounting, files[kind].cpuTime, existsSync) && { accounting }),
  };
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
    processes: () => processesIn(cpuGroup),
    cpuTimeMs: () =>
      root.accounting === undefined
        ? undefined
        : readCpuTimeMs(root.kind, join(root.accounting, name)),
    ranOutOfMemory: () =>
      root.memory !== undefined && countOomKills(root.kind, join(root.memory, name)) > 0,
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

/** Whether a group made in the folder can hold processes and has the file, and the file is sound. */
function canMake(folder: string, file: string, isSound: (path: string) => boolean): boolean {
  const probe = join(folder, newGroupName());
  try {
    mkdirSync(probe);
  } catch {
    return false;
  }
  try {
    return canHoldProcesses(probe) && isSound(join(probe, file));
  } catch {
    return false;
  } finally {
    removeGroup(probe);
  }
}

/**
 * False beside processes or threads in the group above it, and then of v2 alone:
 * https://docs.kernel.org/admin-guide/cgroup-v2.html#threads
 */
function canHoldProcesses(group: string): boolean {
  const type = join(group, "cgroup.type");
  return !existsSync(type) || readFileSync(type, "utf8") !== "domain invalid\n";
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

const removalTries = 50;

/**
 * A name that no group had before: whose it is (process, its start, what its id means something in),
 * and something random. What a killed run left is told by it, and never taken for a new group.
 */
export function newGroupName(): string {
  return `${ownPrefix()}${randomBytes(6).toString("hex")}`;
}

/** The folders of a root's hierarchies; one that has two names stands once. */
function hierarchies({ cpu, memory, accounting }: CgroupRoot): readonly string[] {
  return [
    ...new Set([cpu, memory ?? cpu, accounting ?? cpu].map((folder) => realpathSync(folder))),
  ];
}

/**
 * Ends what runs in the groups of runs that are gone, and removes those groups: their processes would
 * take time from what is measured. Returns the names of the groups that it removed.
 */
export async function sweepLeftoverGroups(root: CgroupRoot): Promise<readonly string[]> {
  return await removeGroups(root, isLeftover);
}

/** Removes groups of this process that were busy still: a group is until its last process is reaped. */
export async function removeGroupsNamed(
  root: CgroupRoot,
  names: ReadonlySet<string>,
): Promise<void> {
  await removeGroups(root, (name) => names.has(name));
}

async function removeGroups(
  root: CgroupRoot,
  isToGo: (name: string) => boolean,
): Promise<readonly string[]> {
  const removed = new Set<string>();
  for (const folder of hierarchies(root)) {
    for (const name of readdirSync(folder).filter(isToGo)) {
      if (await ended(join(folder, name))) removed.add(name);
    }
  }
  return [...removed];
}

/** False where the group cannot be emptied: its processes are another namespace's, or not ours to end. */
async function ended(group: string): Promise<boolean> {
  for (let tries = 0; tries < removalTries; tries += 1) {
    for (const pid of processesIn(group)) if (pid !== 1 && pid !== process.pid) killNow(pid);
    try {
      rmdirSync(group);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return true;
      await delay(20);
    }
  }
  return false;
}

/** Whether the process that made the group is gone; of another namespace's nobody can tell here. */
function isLeftover(name: string): boolean {
  const [, namespace, pid, start] = /^kelvin-(\d*)-(\d+)-(\w+)-[0-9a-f]{12}$/.exec(name) ?? [];
  if (start === undefined || namespace !== pidNamespace()) return false;
  return !isAlive(Number(pid), start);
}

function ownPrefix(): string {
  return `kelvin-${pidNamespace()}-${process.pid}-${processStart(process.pid) ?? "unknown"}-`;
}
