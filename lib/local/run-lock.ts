import { randomUUID } from "node:crypto";
import {
  closeSync,
  constants,
  linkSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { InvalidInput } from "../contract/errors.ts";
import { parseJson } from "../contract/lines.ts";
import { unfinishedFile } from "../files/plain-file.ts";
import { unfinishedName } from "../files/replace-file.ts";
import { bootOfMachine, isAlive, pidNamespace, processStart } from "./process-identity.ts";

/** The lock file exists as long as a process writes to the run's folder. */
export const lockName = "run.lock";

export interface LockOwner {
  readonly pid: number;
  /** Start of the process, as its machine reports it: a later process may get the same id. */
  readonly start: string;
  readonly boot: string;
  readonly host: string;
  /** PID namespace in which the id is valid. Absent in locks of older versions. */
  readonly namespace?: string;
  /** ISO 8601, UTC. */
  readonly since: string;
  /** Distinguishes two locks that a process took in the same millisecond. */
  readonly id?: string;
}

interface RunLock {
  /** Previous owner; present if that process is gone and left its lock behind. */
  readonly takenOverFrom?: LockOwner;
  release(): void;
}

/**
 * Makes this process the folder's only writer. Throws InvalidInput, naming the option, if another process is. The
 * lock file is created atomically, so that only one of two concurrent attempts succeeds.
 */
export function lockRun(option: string, directory: string): RunLock {
  const path = join(directory, lockName);
  const text = `${JSON.stringify(ownIdentity())}\n`;
  const release = () => {
    if (readText(path) === text) rmSync(path, { force: true });
  };
  for (;;) {
    if (makeExclusively(path, text)) {
      removeAbandoned(directory);
      return { release };
    }
    const found = readText(path);
    if (found === undefined) continue;
    const owner = ownerIn(path, found);
    requireGone(option, directory, owner);
    if (takeOver(path, found, text)) {
      removeAbandoned(directory);
      return { takenOverFrom: owner, release };
    }
  }
}

/** Removes unfinished lock files of killed processes; keeps those of running ones. */
function removeAbandoned(directory: string): void {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    if (!entry.isFile() || unfinishedFile(entry.name) !== lockName) continue;
    const path = join(directory, entry.name);
    const owner = readOwner(readText(path) ?? "");
    if (owner !== undefined && isGone(owner)) rmSync(path, { force: true });
  }
}

function ownIdentity(): LockOwner {
  return {
    pid: process.pid,
    start: processStart(process.pid) ?? "",
    boot: bootOfMachine(),
    host: hostname(),
    namespace: pidNamespace(),
    since: new Date().toISOString(),
    id: randomUUID(),
  };
}

/** Returns whether the owner has ended. False for a process that cannot be seen from here, where that is unknown. */
function isGone(owner: LockOwner): boolean {
  const { pid, start, boot, host } = owner;
  // If the machine has rebooted since, no process from before still runs.
  if (host === hostname() && boot !== bootOfMachine()) return true;
  return isVisible(owner) && !isAlive(pid, start);
}

/** Returns whether the process id means the same here: on this machine, in the same PID namespace. */
function isVisible({ host, namespace = pidNamespace() }: LockOwner): boolean {
  return host === hostname() && namespace === pidNamespace();
}

function requireGone(option: string, directory: string, owner: LockOwner): void {
  if (isGone(owner)) return;
  const { pid, host, since } = owner;
  const isHere = isVisible(owner);
  const where =
    host === hostname() ? "in another container of this machine" : `on the machine ${host}`;
  const whose = isHere ? `process ${pid}` : `process ${pid} ${where}`;
  const remedy = isHere ? "" : `; if that one is gone, remove ${lockName} there`;
  throw new InvalidInput(
    option,
    directory,
    `a folder that no other run writes to; ${whose} has been writing to it since ${since}${remedy}`,
  );
}

/**
 * Replaces one lock by another; false if another process has replaced it already. A second lock, held for two system
 * calls, decides who may do so. It cannot be taken over.
 */
function takeOver(path: string, found: string, text: string): boolean {
  const turn = `${path}.taken-over`;
  if (!makeExclusively(turn, text)) {
    const allowed = "one process at a time taking over the run; remove this file if none is";
    throw new InvalidInput(turn, readText(turn), allowed);
  }
  try {
    if (readText(path) !== found) return false;
    const unfinished = unfinishedName(path);
    writeFileSync(unfinished, text, { flag: "wx" });
    renameSync(unfinished, path);
    return true;
  } finally {
    rmSync(turn, { force: true });
  }
}

/** Creates the file with its full text at once; false if a file of that name exists. */
function makeExclusively(path: string, text: string): boolean {
  const unfinished = unfinishedName(path);
  writeFileSync(unfinished, text, { flag: "wx" });
  try {
    linkSync(unfinished, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    rmSync(unfinished, { force: true });
  }
}

function readText(path: string): string | undefined {
  try {
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
    const file = openSync(path, flags);
    try {
      return readFileSync(file, "utf8");
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** Undefined if the text does not identify a process. */
function readOwner(text: string): LockOwner | undefined {
  const found = parseJson(text) as Partial<LockOwner> | null | undefined;
  const { pid, start, boot, host, since } = found ?? {};
  const isPid = typeof pid === "number" && Number.isInteger(pid) && pid > 0;
  const texts = [start, boot, host, since];
  const isOwner = isPid && texts.every((each) => typeof each === "string");
  return isOwner ? (found as LockOwner) : undefined;
}

function ownerIn(path: string, text: string): LockOwner {
  const owner = readOwner(text);
  if (owner !== undefined) return owner;
  const allowed =
    "a lock that names the process writing to the run; remove the file if there is none";
  throw new InvalidInput(path, `${text.length} characters that name no process`, allowed);
}
