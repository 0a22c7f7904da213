import { randomBytes } from "node:crypto";
import { closeSync, constants, mkdirSync, openSync, writeFileSync } from "node:fs";
import { type FileHandle, mkdir, open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isPlainFile } from "./plain-file.ts";

/** Flags that require a new file: an existing link of that name would redirect the write. */
const exclusively =
  constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/** Suffix of an incomplete file. */
export const unfinishedSuffix = ".part";

/** Returns an unpredictable temporary name for a file that is being written. */
export function unfinishedName(path: string): string {
  return `${path}.${randomBytes(8).toString("hex")}${unfinishedSuffix}`;
}

/**
 * Writes a file below a directory atomically: first under a temporary name, so that it is never incomplete, and
 * without following links. Throws InvalidInput if the name is taken by something other than a file.
 */
export async function replaceFile(
  directory: string,
  path: string,
  write: string | Uint8Array | ((file: FileHandle) => Promise<void>),
): Promise<void> {
  await isPlainFile(directory, path);
  const target = join(directory, path);
  await mkdir(dirname(target), { recursive: true });
  const unfinished = unfinishedName(target);
  try {
    const file = await open(unfinished, exclusively, 0o666);
    try {
      await (typeof write === "function" ? write(file) : file.writeFile(write));
    } finally {
      await file.close();
    }
    await rename(unfinished, target);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw withPath(error, target);
  }
}

/** Adds the path: Node.js does not name the file if writing to an open one fails. */
function withPath(error: unknown, path: string): unknown {
  const isWithout = error instanceof Error && (error as NodeJS.ErrnoException).path === undefined;
  return isWithout && "code" in error ? Object.assign(error, { path }) : error;
}

/**
 * Appends to a file below a directory; with `isNew` it creates the file, which must not exist. Synchronous, because a
 * run writes thousands of lines, each of which would otherwise take three turns of the event loop.
 */
export async function appendText(
  directory: string,
  path: string,
  text: string,
  isNew: boolean,
): Promise<void> {
  const target = join(directory, path);
  if (isNew) {
    await isPlainFile(directory, path);
    mkdirSync(dirname(target), { recursive: true });
  }
  const making = isNew ? exclusively : constants.O_WRONLY | constants.O_NOFOLLOW;
  const file = openSync(target, making | constants.O_APPEND | constants.O_NONBLOCK, 0o666);
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw withPath(error, target);
  } finally {
    closeSync(file);
  }
}
