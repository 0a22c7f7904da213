import { mkdirSync, rmdirSync } from "node:fs";
import type { Plan } from "../../lib/contract/types/contract.ts";
import { removeUnfinished } from "../../lib/files/plain-file.ts";
import { lockName, lockRun } from "../../lib/local/run-lock.ts";
import { Progress } from "../progress.ts";
import { requireNoRun } from "./new-run-folder.ts";
import { type ChosenFolder, requireWritable, spaceOfPlans } from "./require-writable.ts";

/**
 * Does the work as the only process that writes to the folder, which has the space for the plans; says
 * where a process that is gone left its lock, and removes the files that it did not finish. A folder that is empty at the end is removed. Throws InvalidInput where another one writes.
 */
export async function whileLocked<Result>(
  { option, directory }: ChosenFolder,
  plans: readonly Plan[],
  work: () => Promise<Result>,
): Promise<Result> {
  requireWritable({ option, directory }, spaceOfPlans(plans));
  mkdirSync(directory, { recursive: true });
  const { release, takenOverFrom } = lockRun(option, directory);
  // A second Ctrl-C ends the process at once.
  process.once("exit", release);
  try {
    if (takenOverFrom !== undefined) {
      const { pid, since } = takenOverFrom;
      new Progress().say(`${lockName}: taken over from process ${pid} of ${since}, which is gone`);
    }
    // Another process may have made one there since it was looked for.
    if (option === "out") requireNoRun(directory, directory);
    removeUnfinished(directory);
    return await work();
  } finally {
    process.off("exit", release);
    release();
    removeEmpty(directory);
  }
}

function removeEmpty(directory: string): void {
  try {
    rmdirSync(directory);
  } catch {
    // It holds the run.
  }
}
