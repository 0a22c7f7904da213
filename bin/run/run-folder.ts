import { existsSync, mkdirSync, rmdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { describeError, InvalidInput } from "../../lib/contract/errors.ts";
import type { Plan } from "../../lib/contract/types/contract.ts";
import { removeUnfinished, requirePlainFolder } from "../../lib/files/plain-file.ts";
import { unfinishedName } from "../../lib/files/replace-file.ts";
import { lockName, lockRun } from "../../lib/local/run-lock.ts";
import { mostSamples } from "../../lib/plan/stopping.ts";
import { projectPaths } from "../../lib/toolchain/project-paths.ts";
import { Progress } from "../progress.ts";
import { experimentFolders, requireFolder } from "./stored-run.ts";

/** Returns the folder for a run's files, without creating it. Throws InvalidInput if it already holds a run. */
export function newRunFolder(out: string | undefined, runId: string): string {
  const directory = resolve(out ?? join(projectPaths.runs, runId));
  requireFolder("out", directory);
  requirePlainFolder(directory);
  requireNoRun(out, directory);
  return directory;
}

/** Throws InvalidInput if the folder holds a run. */
function requireNoRun(out: string | undefined, directory: string): void {
  if (experimentFolders(directory).length === 0) return;
  throw new InvalidInput(
    "out",
    out,
    "a folder that holds no run yet, or --resume to continue that run",
  );
}

/** A folder to write to, and the option that named it. */
interface ChosenFolder {
  readonly option: "out" | "resume";
  readonly directory: string;
}

/** The amount to be written, and its description. */
export interface NeededSpace {
  readonly bytes: number;
  /** Description of the files: "198 samples and their report". */
  readonly what: string;
}

/** A sample's line is some 900 bytes long; the reports add a few MB. */
const bytesPerSample = 1500;

const reportsBytes = 16 * 1024 * 1024;

export function spaceOfPlans(plans: readonly Plan[]): NeededSpace {
  return spaceOfSamples(plans.reduce((sum, plan) => sum + mostSamples(plan), 0));
}

export function spaceOfSamples(samples: number): NeededSpace {
  const bytes = samples * bytesPerSample + reportsBytes;
  return { bytes, what: `${samples} samples and their report` };
}

/** Returns the free bytes on the file system of a folder. */
type FreeBytes = (directory: string) => number;

/**
 * Throws InvalidInput, before any work is done, if the folder is not writable or lacks the space. A folder that does
 * not exist yet is not created: the nearest existing one above it is checked.
 */
export function requireWritable(
  { option, directory }: ChosenFolder,
  { bytes, what }: NeededSpace,
  freeBytes: FreeBytes = readFreeBytes,
): void {
  const existing = nearestExisting(resolve(directory));
  const probe = unfinishedName(join(existing, "probe"));
  try {
    writeFileSync(probe, "", { flag: "wx" });
    rmSync(probe);
  } catch (error) {
    const allowed = `a folder that can be written to (${describeError(error).message})`;
    throw new InvalidInput(option, directory, allowed);
  }
  const neededMb = Math.ceil(bytes / 1024 / 1024);
  const freeMb = Math.floor(freeBytes(existing) / 1024 / 1024);
  if (freeMb >= neededMb) return;
  const allowed = `a folder with ${neededMb} MB free for ${what}; it has ${freeMb} MB`;
  throw new InvalidInput(option, directory, allowed);
}

function nearestExisting(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestExisting(dirname(path));
}

function readFreeBytes(directory: string): number {
  const { bavail, bsize } = statfsSync(directory);
  return bavail * bsize;
}

/**
 * Does the work while it holds the folder's lock, if there is space for the plans. A lock left by a dead process is
 * taken over with a message, and its unfinished files are removed. A folder that is empty at the end is removed.
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
      new Progress().say(
        `${lockName}: taken over from process ${pid} (started ${since}), which is gone`,
      );
    }
    // Another process may have started a run there since the check.
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
    // The folder holds the run.
  }
}
