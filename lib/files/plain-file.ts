import { createHash } from "node:crypto";
import { constants, lstatSync, readdirSync, rmSync, type Stats } from "node:fs";
import { type FileHandle, lstat, open, readdir } from "node:fs/promises";
import { basename, join, sep } from "node:path";
import { InvalidInput } from "../contract/errors.ts";

// A run's folder may come from someone else. Its entries are read and written only if they are plain files or
// folders: a symbolic link could point outside, reading a pipe would never end, a device has side effects.

/** The kinds of entry in a folder. All but files and folders are refused. */
type EntryKind = "a file" | "a folder" | "a symbolic link" | "a pipe" | "a socket" | "a device";

const recordedFolders = ["samples", "failures"];

const wantedFile = "a plain file; remove it, or take the run from where it was made again";
const wantedFolder = "a plain folder; remove it, or take the run from where it was made again";

/**
 * Opens a file below a directory for reading; undefined if it does not exist. Throws InvalidInput, naming it, if it
 * is not a file, is behind a link, or is too large.
 */
export async function openPlain(
  directory: string,
  path: string,
  largestBytes = largestFileBytes,
): Promise<FileHandle | undefined> {
  if (!(await isPlainFile(directory, path))) return undefined;
  // Non-blocking: opening a pipe that has just replaced the file would wait for a writer.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const handle = await open(join(directory, path), flags);
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw refused(join(directory, path), stats, wantedFile);
    requireSize(join(directory, path), stats.size, largestBytes);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Returns the bytes of a file below a directory; otherwise like openPlain. */
export async function readPlain(directory: string, path: string): Promise<Buffer | undefined> {
  const handle = await openPlain(directory, path, largestTextBytes);
  try {
    return await handle?.readFile();
  } finally {
    await handle?.close();
  }
}

/** Returns the digest, in hex, of a file below a directory, which is read in chunks; otherwise like openPlain. */
export async function digestPlain(
  directory: string,
  path: string,
  algorithm: "md5" | "sha256",
): Promise<string | undefined> {
  const handle = await openPlain(directory, path);
  if (handle === undefined) return undefined;
  const hash = createHash(algorithm);
  for await (const bytes of handle.createReadStream()) hash.update(bytes);
  return hash.digest("hex");
}

/** Returns whether the file exists below the directory; throws like openPlain. */
export async function isPlainFile(directory: string, path: string): Promise<boolean> {
  return await leadsTo("file", directory, path);
}

/** Returns the paths of all files in a folder below a directory, recursively and sorted; throws like openPlain. */
export async function listPlain(directory: string, folder: string): Promise<readonly string[]> {
  if (!(await leadsTo("folder", directory, folder))) return [];
  const top = join(directory, folder);
  const entries = await readdir(top, { recursive: true, withFileTypes: true });
  return entries
    .map((entry) => ({ entry, path: join(entry.parentPath, entry.name) }))
    .filter(({ entry, path }) => entry.isFile() || !requirePlain(path).isDirectory())
    .map(({ path }) => join(folder, path.slice(top.length)))
    .sort();
}

/** Returns whether a directory has an entry of that name, without following links. */
export function hasEntry(directory: string, name: string): boolean {
  return lstatSync(join(directory, name), { throwIfNoEntry: false }) !== undefined;
}

async function leadsTo(wanted: "file" | "folder", directory: string, path: string) {
  const parts = path.split(/[/\\]/).filter((part) => part !== "" && part !== ".");
  let at = directory;
  for (const [index, part] of parts.entries()) {
    at = join(at, part);
    const stats = await lstat(at).catch(undefinedIfMissing);
    if (stats === undefined) return false;
    const isToBeFile = wanted === "file" && index === parts.length - 1;
    if (isToBeFile ? stats.isFile() : stats.isDirectory()) continue;
    throw refused(at, stats, isToBeFile ? wantedFile : wantedFolder);
  }
  return true;
}

/**
 * Refuses a run's folder with anything other than files and folders: at its top, in the folders of its experiments,
 * or anywhere below their records. Throws InvalidInput naming the entry.
 */
export function requirePlainFolder(directory: string): void {
  const stats = lstatSync(directory + sep, { throwIfNoEntry: false });
  if (stats === undefined) return;
  for (const name of readdirSync(directory)) {
    const below = join(directory, name);
    if (!requirePlain(below).isDirectory()) continue;
    if (recordedFolders.includes(name)) requirePlainBelow(below);
    else if (hasEntry(below, "plan.json")) requirePlainFolder(below);
  }
}

function requirePlainBelow(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() && !entry.isDirectory()) requirePlain(join(entry.parentPath, entry.name));
  }
}

/**
 * Removes the temporary files of interrupted writes from a run's folder: at its top, in the folders of its
 * experiments, and below their records. Only the holder of the folder's lock may call it. Files created to acquire
 * the lock stay, because another process may be acquiring it; lockRun removes those of processes that are gone.
 */
export function removeUnfinished(directory: string): void {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const below = join(directory, entry.name);
    if (entry.isFile()) removeIfUnfinished(below);
    else if (!entry.isDirectory()) continue;
    else if (hasEntry(below, "plan.json")) removeUnfinished(below);
    else if (recordedFolders.includes(entry.name)) {
      for (const each of readdirSync(below, { recursive: true, withFileTypes: true })) {
        if (each.isFile()) removeIfUnfinished(join(each.parentPath, each.name));
      }
    }
  }
}

const madeBeforeTheLock = ["probe", "run.lock"];

/** Returns the name of the file that was being written under this temporary name; undefined for any other name. */
export function unfinishedFile(name: string): string | undefined {
  return /^(.+)\.[0-9a-f]{16}\.part$/.exec(name)?.[1];
}

function removeIfUnfinished(path: string): void {
  const name = unfinishedFile(basename(path));
  if (name !== undefined && !madeBeforeTheLock.includes(name)) rmSync(path, { force: true });
}

function requirePlain(path: string): Stats {
  const stats = lstatSync(path);
  if (stats.isFile() || stats.isDirectory()) return stats;
  throw refused(path, stats, wantedFile);
}

function refused(path: string, stats: Stats, allowed: string): InvalidInput {
  return new InvalidInput(path, entryKind(stats), allowed);
}

function entryKind(stats: Stats): EntryKind {
  if (stats.isFile()) return "a file";
  if (stats.isDirectory()) return "a folder";
  if (stats.isSymbolicLink()) return "a symbolic link";
  if (stats.isFIFO()) return "a pipe";
  return stats.isSocket() ? "a socket" : "a device";
}

function undefinedIfMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === "ENOENT") return undefined;
  throw error;
}

// These limit what someone else's run may use. A trial's samples take some kB, a plan and a report of thousands of
// cells some tens of MB.

/** Maximum size of any file of a run; such a file is read in chunks. */
export const largestFileBytes = 1 << 30;
/** Maximum size of a file that is read whole. */
const largestTextBytes = 1 << 27;
/** Maximum length of a sample: Lambda's largest response, 6 MB, fits in it. */
export const longestLineCharacters = 1 << 24;

/** Throws InvalidInput for a file that is too large, before it is read. */
export function requireSize(name: string, bytes: number, largestBytes: number): void {
  if (bytes <= largestBytes) return;
  throw new InvalidInput(name, `${bytes} bytes`, `at most ${largestBytes} bytes`);
}
