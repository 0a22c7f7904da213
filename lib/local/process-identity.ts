import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { commandEnvironment } from "../toolchain/command-environment.ts";

/**
 * When a process began, so that it is told from a later one of the same id: on Linux in ticks since
 * the machine's start, elsewhere as ps prints it. Undefined where there is no such process.
 */
export function processStart(pid: number): string | undefined {
  if (!exists(pid)) return undefined;
  const start = process.platform === "linux" ? startTicks(pid) : printedStart(pid);
  if (start === "ended") return undefined;
  // It is there, and this machine hides it from other users.
  return start ?? "hidden";
}

/** Kills a process, or with a negative id its group; one that is gone already is none. */
export function killNow(id: number): void {
  try {
    process.kill(id, "SIGKILL");
  } catch {
    // Gone already.
  }
}

/** Whether the process that began then is still there. */
export function isAlive(pid: number, start: string): boolean {
  const found = processStart(pid);
  return found === start || found === "hidden";
}

/** This machine since its start: a process id says nothing beyond it. */
export function bootOfMachine(): string {
  return read("/proc/sys/kernel/random/boot_id")?.trim() ?? "";
}

/** The initial one's: https://github.com/torvalds/linux/blob/v6.12/include/linux/proc_ns.h */
const initialPidNamespace = `${0xeffffffc}`;

/** Whether this process is in a container, whose processes may all be ended at once. */
export function isInContainer(): boolean {
  return !["", initialPidNamespace].includes(pidNamespace());
}

/** Names the namespace in which process ids are valid; empty if they mean the same everywhere. */
export function pidNamespace(): string {
  try {
    return /\d+/.exec(readlinkSync("/proc/self/ns/pid"))?.[0] ?? "";
  } catch {
    return "";
  }
}

/**
 * A name that nothing had before: whose it is (what its process's id means something in, that id, its start), and
 * something random. What a killed process left is told by it.
 */
export function ownedName(prefix: string): string {
  const start = processStart(process.pid) ?? "unknown";
  return `${prefix}${pidNamespace()}-${process.pid}-${start}-${randomBytes(6).toString("hex")}`;
}

/** Whether the process that made the name is gone; of another namespace's nobody can tell here. */
export function isOwnedByDead(prefix: RegExp, name: string): boolean {
  if (!prefix.test(name)) return false;
  const owner = name.replace(prefix, "");
  const [, namespace, pid, start] = /^(\d*)-(\d+)-(\w+)-[0-9a-f]{12}$/.exec(owner) ?? [];
  if (start === undefined || namespace !== pidNamespace()) return false;
  return !isAlive(Number(pid), start);
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** The 3rd and 22nd field of proc_pid_stat(5); the name in parentheses may hold anything. */
function startTicks(pid: number): string | "ended" | undefined {
  const text = read(`/proc/${pid}/stat`);
  if (text === undefined) return exists(pid) ? undefined : "ended";
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  // A process that ended and has not been waited for yet does nothing any more.
  return fields[0] === "Z" || fields[0] === "X" ? "ended" : fields[19];
}

function printedStart(pid: number): string | undefined {
  const { stdout } = spawnSync("ps", ["-o", "lstart=", "-p", String(pid)], {
    encoding: "utf8",
    env: commandEnvironment("tool"),
  });
  return stdout?.trim() || undefined;
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
