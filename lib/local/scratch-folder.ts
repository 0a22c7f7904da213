import { chmodSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isOwnedByDead, ownedName } from "./process-identity.ts";

/** Makes a new folder for this process only. If this process is killed, a later run removes it. */
export function newScratchFolder(purpose: string, parent: string = tmpdir()): string {
  const folder = join(parent, ownedName(`kelvin-${purpose}-`));
  mkdirSync(folder, { mode: 0o700 });
  chmodSync(folder, 0o700);
  return folder;
}

/** Removes the folders of processes that are gone, and returns their names. Other users' folders are kept. */
export function sweepScratchFolders(parent: string = tmpdir()): readonly string[] {
  const abandoned = readdirSync(parent, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && isOwnedByDead(/^kelvin-[a-z]+-/, entry.name))
    .map(({ name }) => name);
  return abandoned.filter((name) => isRemoved(join(parent, name)));
}

/** Returns false for another user's folder, whose contents may change during removal. */
function isRemoved(folder: string): boolean {
  try {
    if (statSync(folder).uid !== process.getuid?.()) return false;
    rmSync(folder, { recursive: true, force: true });
    return true;
  } catch {
    return false;
  }
}
