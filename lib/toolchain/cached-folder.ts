import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Makes a folder of the cache where it is not there yet, whole or not at all, also beside another process that does
 * so. Anybody may read it: functions run as a user of their own where the machine lets them.
 * @param make fills an empty folder, which is then given its name
 */
export async function makeCachedFolder(
  folder: string,
  make: (unfinished: string) => Promise<void>,
): Promise<void> {
  if (existsSync(folder)) return;
  mkdirSync(dirname(folder), { recursive: true });
  const unfinished = mkdtempSync(`${folder}-`);
  try {
    chmodSync(unfinished, 0o755);
    await make(unfinished);
    renameSync(unfinished, folder);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    // Another run may have been quicker.
    if (!existsSync(folder)) throw error;
  }
}
