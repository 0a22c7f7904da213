import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { projectPaths } from "../project-paths.ts";

/** An engine that is ready to be started. */
export interface InstalledEngine {
  readonly folder: string;
  readonly version: string;
  /** Of its files, without what runs them (a JVM, Node.js, Python); absent where that is not known. */
  readonly sizeBytes?: number;
  /** What was downloaded for it; absent where that is not known. */
  readonly downloadBytes?: number;
}

/** What pins the engines, and what is made of it in the project's cache. */
export const enginePaths = {
  pinned: (name: string) => join(projectPaths.root, "lib", "toolchain", "engines", name),
  installed: (name: string) => join(projectPaths.cache, "engines", name),
} as const;

/**
 * Makes the folder anew when the files that pin its content have changed, and does nothing otherwise. A
 * folder that was left half made has no stamp and is made anew.
 */
export async function installOnce(
  folder: string,
  pins: readonly string[],
  install: () => Promise<void>,
): Promise<void> {
  const hash = createHash("sha256");
  for (const pin of pins) hash.update(readFileSync(pin));
  const stamp = hash.digest("hex");
  const stampPath = join(folder, "kelvin-pins.sha256");
  if (existsSync(stampPath) && readFileSync(stampPath, "utf8") === stamp) return;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await install();
  writeFileSync(stampPath, stamp);
}

/** Bytes of every file below a folder. One that is gone meanwhile has none. */
export function folderBytes(folder: string): number {
  const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + sizeOf(join(entry.parentPath, entry.name)), 0);
}
