import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Creates a folder in the cache unless it exists. It is atomic, so processes may do this concurrently. The folder is
 * readable by everybody: functions run as another user if the machine allows it.
 * @param make Fills an empty folder, which is then renamed.
 */
export async function makeCachedFolder(
  folder: string,
  make: (unfinished: string) => Promise<void>,
): Promise<void> {
  if (existsSync(folder)) return;
  const unfinished = startFolder(folder);
  try {
    await make(unfinished);
    renameSync(unfinished, folder);
  } catch (error) {
    giveUpFolder(unfinished, folder, error);
  }
}

/** Like makeCachedFolder, for downloads: prints what is fetched, the time it took and where it is stored. */
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

/** Like makeCachedFolder, but synchronous. */
export function makeCachedFolderSync(folder: string, make: (unfinished: string) => void): void {
  if (existsSync(folder)) return;
  const unfinished = startFolder(folder);
  try {
    make(unfinished);
    renameSync(unfinished, folder);
  } catch (error) {
    giveUpFolder(unfinished, folder, error);
  }
}

function startFolder(folder: string): string {
  mkdirSync(dirname(folder), { recursive: true });
  const unfinished = mkdtempSync(`${folder}-`);
  chmodSync(unfinished, 0o755);
  return unfinished;
}

/** Throws the error, unless another process has created the folder. */
function giveUpFolder(unfinished: string, folder: string, error: unknown): void {
  rmSync(unfinished, { recursive: true, force: true });
  if (!existsSync(folder)) throw error;
}
