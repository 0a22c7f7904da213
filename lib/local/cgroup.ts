import { mkdirSync, realpathSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { isInKernel, kernelNames, kernelText } from "../files/kernel-files.ts";
import { divideGroup, findOwnGroup, processesIn } from "./own-cgroup.ts";
import { isOwnedByDead, killNow, ownedName } from "./process-identity.ts";

/** A CgroupKind is the cgroup version by which this machine limits a process's CPU and memory. */
export type CgroupKind = "cgroup-v1" | "cgroup-v2";

/** A CgroupRoot is where groups can be created. Under v2, its folders are all the same. */
export interface CgroupRoot {
  readonly kind: CgroupKind;
  readonly cpu: string;
  /** Absent if memory cannot be limited. */
  readonly memory?: string;
  /** Absent if CPU time is not counted. */
  readonly accounting?: string;
  /** Absent if processes cannot be frozen. */
  readonly freezer?: string;
}

/**
 * Returns the first place where a group with a CPU quota can actually be created, or undefined. The last resort is
 * this process's own group, which is then divided.
 */
export function findCgroupRoot(base = "/sys/fs/cgroup"): CgroupRoot | undefined {
  const pathOf = (controller: string) => join(base, controller);
  const v1 = {
    cpu: pathOf("cpu"),
    memory: pathOf("memory"),
    accounting: pathOf("cpuacct"),
    freezer: pathOf("freezer"),
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

/** Returns the root with the controllers that work; undefined if CPU quotas do not. */
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
    ...(canMake(accounting, files.cpuTime, isInKernel) && { accounting }),
    ...(canMake(freezer, files.freezer, isWritable) && { freezer }),
  };
}

/** Files that set a group's limits and report its usage. */
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

/** Returns whether a group created in the folder can hold processes, and its file exists and passes `isSound`. */
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
 * Returns false only under v2, if the group above contains processes or threads:
 * https://docs.kernel.org/admin-guide/cgroup-v2.html#threads
 */
function canHoldProcesses(group: string): boolean {
  return kernelText(join(group, "cgroup.type")) !== "domain invalid\n";
}

function isWritable(path: string): boolean {
  if (!isInKernel(path)) return false;
  writeFileSync(path, kernelText(path).trim());
  return true;
}

/** Removes a group if its processes are gone; a remaining one is removed when the run ends. */
export function removeGroup(group: string): void {
  try {
    rmdirSync(group);
  } catch {
    // The group was never created, or its last process has not been reaped yet.
  }
}

const removalTries = 50;

/** `sweepPatienceMs` limits how long processes of a killed run, which cannot be ended, delay another run. */
const sweepPatienceMs = 5_000;

/** Returns a unique name, by which a later run recognizes the groups of a killed run. */
export function newGroupName(): string {
  return ownedName("kelvin-");
}

/** Returns the folders of a root's hierarchies, each once even if it has two names. */
export function hierarchies({ cpu, memory, accounting, freezer }: CgroupRoot): readonly string[] {
  const folders = [cpu, memory, accounting, freezer].filter((folder) => folder !== undefined);
  return [...new Set(folders.map((folder) => realpathSync(folder)))];
}

/**
 * Kills the processes in groups of runs that are gone, because they would take CPU time from the measurement, and
 * removes those groups. Returns the names of the removed groups.
 */
export async function sweepLeftoverGroups(root: CgroupRoot): Promise<readonly string[]> {
  return await removeGroups(root, (name) => isOwnedByDead(/^kelvin-/, name));
}

/** Removes groups of this process that were still busy: a group is busy until its last process is reaped. */
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
  const names = new Set(folders.flatMap((folder) => kernelNames(folder)).filter(isToGo));
  const removed: string[] = [];
  for (const name of names) {
    const groups = folders.map((folder) => join(folder, name)).filter(isInKernel);
    if ((await endGroups(groups, sweepPatienceMs)) && (await areRemoved(groups)))
      removed.push(name);
  }
  return removed;
}

/**
 * Kills the processes of an environment's groups, one group in each hierarchy. Under v1 they are frozen first, so
 * that none can fork; otherwise new ones are killed in the next round. Returns false if the groups do not become
 * empty: a process is in another namespace, or this user may not kill it.
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
    // Under v1, a frozen process dies only once it is thawed.
    freezeV1(groups, "THAWED");
    if (pids.size === 0) return true;
    await delay(tries < quickTries ? 1 : 20);
  }
  return false;
}

/** An environment's last process ends once its data in /tmp is released, which takes seconds on a busy machine. */
const endPatienceMs = 60_000;

/** Most processes die within a millisecond. */
const quickTries = 20;

function freezeV1(groups: readonly string[], state: "FROZEN" | "THAWED"): void {
  const files = groups.map((group) => join(group, controlFiles["cgroup-v1"].freezer));
  for (const file of files.filter(isInKernel)) writeFileSync(file, state);
}

async function areRemoved(groups: readonly string[]): Promise<boolean> {
  for (let tries = 0; tries < removalTries; tries += 1) {
    for (const group of groups) removeGroup(group);
    if (!groups.some(isInKernel)) return true;
    await delay(20);
  }
  return false;
}
