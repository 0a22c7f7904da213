import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** The group of the processes that were in the divided group: Kelvin's, npm's, a terminal's shell. */
const hostGroup = "kelvin-host";

/** New processes may begin while others are moved. */
const moveTries = 10;

/**
 * The group of cgroup v2 that this process was started in, as a user has one of their own by
 * `systemd-run --user --scope --property=Delegate=yes` and a container has by its namespace. Undefined under
 * v1, and where it cannot be divided: https://docs.kernel.org/admin-guide/cgroup-v2.html#delegation
 */
export function findOwnGroup(mount: string, membership = "/proc/self/cgroup"): string | undefined {
  const path = /^0::(\/.*)$/m.exec(readText(membership))?.[1];
  if (path === undefined || !existsSync(join(mount, "cgroup.controllers"))) return undefined;
  const group = join(mount, path);
  return basename(group) === hostGroup ? dirname(group) : group;
}

/**
 * Has the kernel count and limit the CPU time and the memory of groups below this one. A group that does so
 * holds no processes itself, unless it is the machine's root, so those that are in it are moved into one group
 * below it, where they stay. False where it is not this user's to divide, or lacks the first of the controllers.
 * https://docs.kernel.org/admin-guide/cgroup-v2.html#no-internal-process-constraint
 */
export function divideGroup(
  group: string,
  controllers: readonly string[] = ["cpu", "memory"],
): boolean {
  const available = readText(join(group, "cgroup.controllers")).split(/\s+/);
  const wanted = controllers.filter((name) => available.includes(name));
  if (wanted[0] !== controllers[0]) return false;
  try {
    // The root alone has no type. With processes in it, another one would get the CPU controller without an
    // error, but groups below it could then hold threads and no processes.
    if (existsSync(join(group, "cgroup.type"))) emptyGroup(group);
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

/** The ids of a group's processes; none where it is gone. 0 is one that this namespace does not see. */
export function processesIn(group: string): readonly number[] {
  const ids = readText(join(group, "cgroup.procs")).split("\n").map(Number);
  return ids.filter((pid) => pid > 0);
}

/** A process that has ended meanwhile needs no move. */
function moveTo(group: string, pid: number): void {
  try {
    writeFileSync(join(group, "cgroup.procs"), String(pid));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
