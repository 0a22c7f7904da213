import { mkdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describeError, InvalidInput } from "../../lib/contract/errors.ts";
import type { Plan } from "../../lib/contract/types/contract.ts";
import { plannedSamples } from "../../lib/experiment/expand.ts";
import { unfinishedName } from "../../lib/files/replace-file.ts";
import type { LockedFolder } from "./while-locked.ts";

/** A sample's line is some 900 bytes long; the reports are a few MB beside them. */
const bytesPerSample = 1500;
const reportsBytes = 16 * 1024 * 1024;

/** Free bytes of the file system that a folder is on. */
export type FreeBytes = (directory: string) => number;

/**
 * Makes the folder of a run where it is not there yet. Throws InvalidInput, before anything is built,
 * where nothing can be written to it, or what the plans ask for does not fit.
 */
export function requireWritable(
  { option, directory }: LockedFolder,
  plans: readonly Plan[],
  freeBytes: FreeBytes = freeBytesOf,
): void {
  const probe = unfinishedName(join(directory, "probe"));
  try {
    mkdirSync(directory, { recursive: true });
    writeFileSync(probe, "", { flag: "wx" });
    rmSync(probe);
  } catch (error) {
    const allowed = `a folder that can be written to (${describeError(error).message})`;
    throw new InvalidInput(option, directory, allowed);
  }
  const samples = plans.reduce((sum, plan) => sum + plannedSamples(plan), 0);
  const neededMb = megabytes(samples * bytesPerSample + reportsBytes);
  const freeMb = Math.floor(freeBytes(directory) / 1024 / 1024);
  if (freeMb >= neededMb) return;
  const allowed = `a folder with ${neededMb} MB free for ${samples} samples and their report; it has ${freeMb} MB`;
  throw new InvalidInput(option, directory, allowed);
}

function freeBytesOf(directory: string): number {
  const { bavail, bsize } = statfsSync(directory);
  return bavail * bsize;
}

function megabytes(bytes: number): number {
  return Math.ceil(bytes / 1024 / 1024);
}
