import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { readdir, readFile, readlink } from "node:fs/promises";

// The only module that reads /proc, /sys and control groups. What is not there reads as empty: on systems other than
// Linux, in containers that hide it, and of a process that has ended.

/** Returns the text of a file that the kernel writes; "" if it is not there. */
export function kernelText(path: string): string {
  return orEmpty(() => readFileSync(path, "utf8"), "");
}

/** Returns the names in a folder of the kernel's; none if it is not there. */
export function kernelNames(folder: string): readonly string[] {
  return orEmpty(() => readdirSync(folder), []);
}

/** Returns what a link of the kernel's names; "" if it is not there. */
export function kernelLink(path: string): string {
  return orEmpty(() => readlinkSync(path), "");
}

/** Returns whether the kernel has this file or folder. */
export const isInKernel: (path: string) => boolean = existsSync;

/** The same reads, which let other work go on meanwhile: a measured call does not wait for them. */
export const kernelFiles = {
  text: (path: string): Promise<string> => readFile(path, "utf8").catch(() => ""),
  names: (folder: string): Promise<readonly string[]> => readdir(folder).catch(() => []),
  link: (path: string): Promise<string> => readlink(path).catch(() => ""),
} as const;

function orEmpty<Value>(read: () => Value, empty: Value): Value {
  try {
    return read();
  } catch {
    return empty;
  }
}
