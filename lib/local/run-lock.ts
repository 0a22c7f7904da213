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
import { bootOfMachine, isAlive, processStart } from "./process-identity.ts";

/** Who writes to a run's folder: the file is there as long as somebody does. */
export const lockName = "run.lock";

export interface LockOwner {
  readonly pid: number;
  /** When that process began, by its machine: a later one may get the same id. */
  readonly start: string;
  readonly boot: string;
  readonly host: string;
  /** ISO 8601, UTC. */
  readonly since: string;
  /** Tells two locks of one process apart that it took in the same millisecond. */
  readonly id?: string;
}

interface RunLock {
  /** Whose lock it was; present where that process is gone and left it. */
  readonly takenOverFrom?: LockOwner;
  release(): void;
}

/**
 * Makes this process the folder's only writer. Throws InvalidInput, named by the option, where another
 * one is: by a file that is made whole or not at all, so that of two that try only one succeeds.
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

/** Removes locks that a process began to make before it was killed; one of a process that lives stays. */
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
    since: new Date().toISOString(),
    id: randomUUID(),
  };
}

/** Whether the owner has ended. Nobody here can tell that of a process of another machine. */
function isGone({ pid, start, boot, host }: LockOwner): boolean {
  // The machine may have been started anew since: nothing of then runs any more.
  return host === hostname() && (boot !== bootOfMachine() || !isAlive(pid, start));
}

function requireGone(option: string, directory: string, owner: LockOwner): void {
  if (isGone(owner)) return;
  const { pid, host, since } = owner;
  const isHere = host === hostname();
  const whose = isHere ? `process ${pid}` : `process ${pid} on the machine ${host}`;
  const remedy = isHere ? "" : `; if that one is gone, remove ${lockName} there`;
  throw new InvalidInput(
    option,
    directory,
    `a folder that no other run writes to; ${whose} has been writing to it since ${since}${remedy}`,
  );
}

/**
 * Replaces one lock by another; false if somebody else has replaced it by now. Who may do so is
 * settled by a second lock, which nobody takes over: it is held for two system calls.
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

/** False where there is one of that name. The file has its whole text from the start. */
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

/** Undefined where the text names no process. */
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
