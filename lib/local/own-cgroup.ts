import { mkdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isInKernel, kernelText } from "../files/kernel-files.ts";

/** The group of the processes that were in the divided group: Kelvin, npm, a terminal's shell. */
const hostGroup = "kelvin-host";

/** New processes may start while others are moved. */
const moveTries = 10;

/**
 * Returns the cgroup v2 group that this process was started in. A user has their own through `systemd-run --user
 * --scope --property=Delegate=yes`, and a container through its namespace. Undefined under v1:
 * https://docs.kernel.org/admin-guide/cgroup-v2.html#delegation
 */
export function findOwnGroup(mount: string, membership = "/proc/self/cgroup"): string | undefined {
  const path = /^0::(\/.*)$/m.exec(kernelText(membership))?.[1];
  if (path === undefined || !isInKernel(join(mount, "cgroup.controllers"))) return undefined;
  const group = join(mount, path);
  return basename(group) === hostGroup ? dirname(group) : group;
}

/**
 * Enables the controllers for CPU time and memory in the groups below this one. A group that does so may not hold
 * processes itself, unless it is the machine's root, so its processes are moved into one group below it and stay
 * there. Returns false if this user may not divide the group, or it lacks the first controller.
 * https://docs.kernel.org/admin-guide/cgroup-v2.html#no-internal-process-constraint
 */
export function divideGroup(
  group: string,
  controllers: readonly string[] = ["cpu", "memory"],
): boolean {
  const available = kernelText(join(group, "cgroup.controllers")).split(/\s+/);
  const wanted = controllers.filter((name) => available.includes(name));
  if (wanted[0] !== controllers[0]) return false;
  try {
    // Only the root has no type. In any other group with processes, enabling the CPU controller would succeed, but
    // groups below it could then hold only threads.
    if (isInKernel(join(group, "cgroup.type"))) emptyGroup(group);
    const change = wanted.map((name) => `+${name}`).join(" ");
    writeFileSync(join(group, "cgroup.subtree_control"), change);
    return true;
  } catch {
    return false;
  }
}

function emptyGroup(group: string): void {
  const host = join(group, hostGroup);
  mkdirSync(host, { recursive: true });
  for (let tries = 0; tries < moveTries && processesIn(group).length > 0; tries += 1) {
    for (const pid of processesIn(group)) moveTo(host, pid);
  }
}

/** Returns the ids of a group's processes; none if it is gone. Id 0 is a process outside this namespace. */
export function processesIn(group: string): readonly number[] {
  const ids = kernelText(join(group, "cgroup.procs")).split("\n").map(Number);
  return ids.filter((pid) => pid > 0);
}

/** Moves a process; does nothing if it has ended. */
function moveTo(group: string, pid: number): void {
  try {
    writeFileSync(join(group, "cgroup.procs"), String(pid));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
