import { existsSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { describeError, InvalidInput } from "../../lib/contract/errors.ts";
import type { Plan } from "../../lib/contract/types/contract.ts";
import { plannedSamples } from "../../lib/experiment/expand.ts";
import { unfinishedName } from "../../lib/files/replace-file.ts";

/** A folder that is to be written to, and by which option it was named. */
export interface ChosenFolder {
  readonly option: "out" | "resume";
  readonly directory: string;
}

/** What is to be written, and how large it is. */
export interface NeededSpace {
  readonly bytes: number;
  /** In words: "198 samples and their report". */
  readonly what: string;
}

/** A sample's line is some 900 bytes long; the reports are a few MB beside them. */
const bytesPerSample = 1500;
const reportsBytes = 16 * 1024 * 1024;

export function spaceOfPlans(plans: readonly Plan[]): NeededSpace {
  return spaceOfSamples(plans.reduce((sum, plan) => sum + plannedSamples(plan), 0));
}

export function spaceOfSamples(samples: number): NeededSpace {
  const bytes = samples * bytesPerSample + reportsBytes;
  return { bytes, what: `${samples} samples and their report` };
}

/** Free bytes of the file system that a folder is on. */
export type FreeBytes = (directory: string) => number;

/**
 * Throws InvalidInput, before any work is done, where nothing can be written to the folder, or what is to
 * be written does not fit. A folder that is not there yet is not made: the one that it will be in is tried.
 */
export function requireWritable(
  { option, directory }: ChosenFolder,
  { bytes, what }: NeededSpace,
  freeBytes: FreeBytes = freeBytesOf,
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
  const neededMb = megabytes(bytes);
  const freeMb = Math.floor(freeBytes(existing) / 1024 / 1024);
  if (freeMb >= neededMb) return;
  const allowed = `a folder with ${neededMb} MB free for ${what}; it has ${freeMb} MB`;
  throw new InvalidInput(option, directory, allowed);
}

function nearestExisting(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestExisting(dirname(path));
}

function freeBytesOf(directory: string): number {
  const { bavail, bsize } = statfsSync(directory);
  return bavail * bsize;
}

function megabytes(bytes: number): number {
  return Math.ceil(bytes / 1024 / 1024);
}
