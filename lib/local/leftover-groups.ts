import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync, realpathSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { CgroupRoot } from "./cgroup.ts";
import { isAlive, pidNamespace, processStart } from "./process-identity.ts";

const removalTries = 50;

/**
 * A name that no group had before: whose it is (process, its start, what its id means something in),
 * and something random. What a killed run left is told by it, and never taken for a new group.
 */
export function newGroupName(): string {
  return `${ownPrefix()}${randomBytes(6).toString("hex")}`;
}

/** The folders of a root's hierarchies; one that has two names stands once. */
export function hierarchies({ cpu, memory, accounting }: CgroupRoot): readonly string[] {
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
    for (const pid of processesIn(group)) kill(pid);
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

function processesIn(group: string): readonly number[] {
  try {
    const ids = readFileSync(join(group, "cgroup.procs"), "utf8").split("\n").map(Number);
    // 0 is one that this namespace does not see.
    return ids.filter((pid) => pid > 1 && pid !== process.pid);
  } catch {
    return [];
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // Gone already.
  }
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
