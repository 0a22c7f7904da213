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
import { divideGroup, findOwnGroup, processesIn } from "./own-cgroup.ts";
import { isOwnedByDead, killNow, ownedName } from "./process-identity.ts";

/** A CgroupKind is a way in which this machine can hold a process to its share of a CPU and of memory. */
export type CgroupKind = "cgroup-v1" | "cgroup-v2";

/** A place where groups can be made; under v2 its folders are one. */
export interface CgroupRoot {
  readonly kind: CgroupKind;
  readonly cpu: string;
  /** Absent where memory cannot be limited. */
  readonly memory?: string;
  /** Absent where CPU time is not counted. */
  readonly accounting?: string;
  /** Absent where processes cannot be stopped and let go on. */
  readonly freezer?: string;
}

/**
 * The first place where a group with a CPU quota can really be made, or undefined. The last resort is the
 * group of this process, which is divided for it.
 */
export function findCgroupRoot(base = "/sys/fs/cgroup"): CgroupRoot | undefined {
  const of = (controller: string) => join(base, controller);
  const v1 = {
    cpu: of("cpu"),
    memory: of("memory"),
    accounting: of("cpuacct"),
    freezer: of("freezer"),
  };
  return soundRoot("cgroup-v1", v1) ?? unifiedRoot(base) ?? ownRoot(base);
}

function ownRoot(mount: string): CgroupRoot | undefined {
  const own = findOwnGroup(mount);
  if (own === undefined) return undefined;
  return unifiedRoot(own) ?? (divideGroup(own) ? unifiedRoot(own) : undefined);
}

function unifiedRoot(folder: string): CgroupRoot | undefined {
  return soundRoot("cgroup-v2", {
    cpu: folder,
    memory: folder,
    accounting: folder,
    freezer: folder,
  });
}

/** The root with what works of it; undefined where it has no CPU quota. */
function soundRoot(
  kind: CgroupKind,
  { cpu, memory, accounting, freezer }: Required<Omit<CgroupRoot, "kind">>,
): CgroupRoot | undefined {
  const files = controlFiles[kind];
  if (!canMake(cpu, files.quota, isWritable)) return undefined;
  return {
    kind,
    cpu,
    ...(canMake(memory, files.memory, isWritable) && { memory }),
    ...(canMake(accounting, files.cpuTime, existsSync) && { accounting }),
    ...(canMake(freezer, files.freezer, isWritable) && { freezer }),
  };
}

/** The files by which a group is told what it may use, and tells what it used. */
export const controlFiles = {
  "cgroup-v1": {
    quota: "cpu.cfs_quota_us",
    memory: "memory.limit_in_bytes",
    cpuTime: "cpuacct.usage",
    freezer: "freezer.state",
  },
  "cgroup-v2": {
    quota: "cpu.max",
    memory: "memory.max",
    cpuTime: "cpu.stat",
    freezer: "cgroup.freeze",
  },
} as const;

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
export function removeGroup(group: string): void {
  try {
    rmdirSync(group);
  } catch {
    // The group was not made, or its last process has not been reaped yet.
  }
}

const removalTries = 50;

/** `sweepPatienceMs` limits how long processes of a killed run, which cannot be ended, delay another run. */
const sweepPatienceMs = 5_000;

/** A name that no group had before, by which what a killed run left is told. */
export function newGroupName(): string {
  return ownedName("kelvin-");
}

/** The folders of a root's hierarchies; one that has two names stands once. */
export function hierarchies({ cpu, memory, accounting, freezer }: CgroupRoot): readonly string[] {
  const folders = [cpu, memory, accounting, freezer].filter((folder) => folder !== undefined);
  return [...new Set(folders.map((folder) => realpathSync(folder)))];
}

/**
 * Ends what runs in the groups of runs that are gone, and removes those groups: their processes would
 * take time from what is measured. Returns the names of the groups that it removed.
 */
export async function sweepLeftoverGroups(root: CgroupRoot): Promise<readonly string[]> {
  return await removeGroups(root, (name) => isOwnedByDead(/^kelvin-/, name));
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
  const folders = hierarchies(root);
  const names = new Set(folders.flatMap((folder) => readdirSync(folder)).filter(isToGo));
  const removed: string[] = [];
  for (const name of names) {
    const groups = folders.map((folder) => join(folder, name)).filter(existsSync);
    if ((await endGroups(groups, sweepPatienceMs)) && (await areRemoved(groups)))
      removed.push(name);
  }
  return removed;
}

/**
 * Kills the processes of an environment's groups, one in each hierarchy. Whatever forks meanwhile is stopped first
 * where it can be, and killed in the next round. False where they cannot be emptied: their processes are another
 * namespace's, or not ours to end.
 */
export async function endGroups(
  groups: readonly string[],
  patienceMs: number = endPatienceMs,
): Promise<boolean> {
  const deadlineMs = performance.now() + patienceMs;
  for (let tries = 0; tries === 0 || performance.now() < deadlineMs; tries += 1) {
    freezeV1(groups, "FROZEN");
    const pids = new Set(groups.flatMap(processesIn));
    for (const pid of pids) if (pid !== 1 && pid !== process.pid) killNow(pid);
    // A process that is stopped under v1 dies when it goes on.
    freezeV1(groups, "THAWED");
    if (pids.size === 0) return true;
    await delay(tries < quickTries ? 1 : 20);
  }
  return false;
}

/** The last process of an environment ends when what it wrote to its /tmp is let go of: on a busy machine seconds. */
const endPatienceMs = 60_000;

/** Processes mostly die within a millisecond. */
const quickTries = 20;

function freezeV1(groups: readonly string[], state: "FROZEN" | "THAWED"): void {
  const files = groups.map((group) => join(group, controlFiles["cgroup-v1"].freezer));
  for (const file of files.filter(existsSync)) writeFileSync(file, state);
}

async function areRemoved(groups: readonly string[]): Promise<boolean> {
  for (let tries = 0; tries < removalTries; tries += 1) {
    for (const group of groups) removeGroup(group);
    if (!groups.some(existsSync)) return true;
    await delay(20);
  }
  return false;
}
