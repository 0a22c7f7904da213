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
  const unfinished = beginFolder(folder);
  try {
    await make(unfinished);
    renameSync(unfinished, folder);
  } catch (error) {
    giveUpFolder(unfinished, folder, error);
  }
}

/** The same of what is fetched: says what, and then how long that took and where it is kept. */
export async function fetchIntoCache(
  folder: string,
  what: string,
  say: (line: string) => void,
  fetch: (unfinished: string) => Promise<void>,
): Promise<void> {
  if (existsSync(folder)) return;
  say(`fetching ${what}, once`);
  const startedMs = performance.now();
  await makeCachedFolder(folder, fetch);
  say(`fetched in ${((performance.now() - startedMs) / 1000).toFixed(0)} s; kept in ${folder}`);
}

/** The same as makeCachedFolder where what fills it is not awaited. */
export function makeCachedFolderSync(folder: string, make: (unfinished: string) => void): void {
  if (existsSync(folder)) return;
  const unfinished = beginFolder(folder);
  try {
    make(unfinished);
    renameSync(unfinished, folder);
  } catch (error) {
    giveUpFolder(unfinished, folder, error);
  }
}

function beginFolder(folder: string): string {
  mkdirSync(dirname(folder), { recursive: true });
  const unfinished = mkdtempSync(`${folder}-`);
  chmodSync(unfinished, 0o755);
  return unfinished;
}

/** Throws the error, unless another process was quicker. */
function giveUpFolder(unfinished: string, folder: string, error: unknown): void {
  rmSync(unfinished, { recursive: true, force: true });
  if (!existsSync(folder)) throw error;
}
