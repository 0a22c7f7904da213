import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { kernelLink, kernelText } from "../files/kernel-files.ts";
import { commandEnvironment } from "../toolchain/command-environment.ts";

/**
 * Returns when a process started, which distinguishes it from a later process with the same id: ticks since boot on
 * Linux, elsewhere as printed by ps. Undefined if there is no such process.
 */
export function processStart(pid: number): string | undefined {
  if (!exists(pid)) return undefined;
  const start = process.platform === "linux" ? startTicks(pid) : printedStart(pid);
  if (start === "ended") return undefined;
  // The process exists, and this machine hides it from other users.
  return start ?? "hidden";
}

/** Kills a process, or a process group if the id is negative; does nothing if it is gone. */
export function killNow(id: number): void {
  try {
    process.kill(id, "SIGKILL");
  } catch {
    // The process is gone already.
  }
}

/** Returns whether the process with this id and start time still exists. */
export function isAlive(pid: number, start: string): boolean {
  const found = processStart(pid);
  return found === start || found === "hidden";
}

/** Identifies this machine's current boot. Process ids are only meaningful within it. */
export function bootOfMachine(): string {
  return kernelText("/proc/sys/kernel/random/boot_id").trim();
}

/** Id of the initial namespace: https://github.com/torvalds/linux/blob/v6.12/include/linux/proc_ns.h */
const initialPidNamespace = `${0xeffffffc}`;

/** Returns whether this process is in a container, whose processes may all be killed at once. */
export function isInContainer(): boolean {
  return !["", initialPidNamespace].includes(pidNamespace());
}

/** Returns the namespace in which process ids are valid; empty if the system has no namespaces. */
export function pidNamespace(): string {
  return /\d+/.exec(kernelLink("/proc/self/ns/pid"))?.[0] ?? "";
}

/**
 * Returns a unique name that identifies its owner, so that leftovers of a killed process can be recognized: PID
 * namespace, process id, start time, and random bytes.
 */
export function ownedName(prefix: string): string {
  const start = processStart(process.pid) ?? "unknown";
  return `${prefix}${pidNamespace()}-${process.pid}-${start}-${randomBytes(6).toString("hex")}`;
}

/** Returns whether the process that made the name is gone; false if it is in another namespace, where that is unknown. */
export function isOwnedByDead(prefix: RegExp, name: string): boolean {
  if (!prefix.test(name)) return false;
  const owner = name.replace(prefix, "");
  const [, namespace, pid, start] = /^(\d*)-(\d+)-(\w+)-[0-9a-f]{12}$/.exec(owner) ?? [];
  if (start === undefined || namespace !== pidNamespace()) return false;
  return !isAlive(Number(pid), start);
}

/** Returns whether there is a process with this id or, if the id is negative, a process group. */
export function exists(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Reads fields 3 and 22 of proc_pid_stat(5). The name in parentheses may contain anything. */
function startTicks(pid: number): string | "ended" | undefined {
  const text = kernelText(`/proc/${pid}/stat`);
  if (text === "") return exists(pid) ? undefined : "ended";
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  // A process that has ended but was not waited for does no more work.
  return fields[0] === "Z" || fields[0] === "X" ? "ended" : fields[19];
}

/** Returns the start in the same letters and digits for every user, such as SatNov150959032025: it becomes part of names. */
function printedStart(pid: number): string | undefined {
  const { stdout } = spawnSync("ps", ["-o", "lstart=", "-p", String(pid)], {
    encoding: "utf8",
    env: { ...commandEnvironment("tool"), LC_ALL: "C", TZ: "UTC" },
  });
  return stdout?.replaceAll(/\W/g, "") || undefined;
}
