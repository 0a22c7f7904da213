import { join } from "node:path";
import {
  checksumsOf,
  checksumsOfAll,
  checksumsPath,
  describeDifference,
  differences,
  type FileDifference,
  parseChecksums,
} from "../../lib/protocol/checksums.ts";
import type { ResultStore } from "../../lib/protocol/result-store.ts";
import { isOfSeveral, type StoredRun } from "./stored-run.ts";

/** Files of a run are not as it left them: no report of it would be one of what was measured. */
export class ChangedRun extends Error {
  override readonly name = "ChangedRun";

  constructor(folder: string, changed: readonly FileDifference[]) {
    const shown = changed.slice(0, longestList).map((each) => `  ${describeDifference(each)}`);
    const more =
      changed.length > shown.length ? [`  and ${changed.length - shown.length} more`] : [];
    const what = `${folder}: ${changed.length} files are not as the run left them (${checksumsPath})`;
    const remedy =
      "Nothing was rendered or measured: kelvin fetch brings again what differs from S3; otherwise put back what was there";
    super([what, ...shown, ...more, remedy].join("\n"));
  }
}

const longestList = 20;

export type Verification =
  | { readonly kind: "verified"; readonly files: number }
  | { readonly kind: "no-checksums" };

/** A run's verification, and its experiments' in their order. */
export interface RunVerification {
  readonly run: Verification;
  readonly experiments: readonly Verification[];
}

/**
 * Holds what a run measured against the checksums that it left: each experiment against its own, and
 * of several the lists of them all against the run's. Throws ChangedRun.
 */
export async function verifyRun(run: StoredRun, folder: string): Promise<RunVerification> {
  const { store, experiments } = run;
  const verified: Verification[] = [];
  for (const each of experiments) {
    verified.push(await verifyExperiment(each.store, join(folder, each.folder)));
  }
  const whole = isOfSeveral(run) ? await verifyWhole(store, experiments, folder) : verified[0];
  return { run: whole ?? { kind: "no-checksums" }, experiments: verified };
}

async function verifyExperiment(store: ResultStore, folder: string): Promise<Verification> {
  const text = await store.readText(checksumsPath);
  if (text === undefined) return { kind: "no-checksums" };
  const listed = parseChecksums(text);
  const changed = differences(listed, await checksumsOf(store));
  if (changed.length > 0) throw new ChangedRun(folder, changed);
  return { kind: "verified", files: listed.size };
}

/** The run's list is made of its experiments': one that is gone, or was written anew, differs. */
async function verifyWhole(
  store: ResultStore,
  experiments: StoredRun["experiments"],
  folder: string,
): Promise<Verification> {
  const text = await store.readText(checksumsPath);
  if (text === undefined) return { kind: "no-checksums" };
  const listed = parseChecksums(text);
  const found = new Map<string, string>();
  for (const each of experiments) {
    const own = await checksumsOfAll(new Map([[each.folder, each.store]]));
    for (const [path, sha256] of own ?? []) found.set(path, sha256);
  }
  const changed = differences(listed, found);
  if (changed.length > 0) throw new ChangedRun(folder, changed);
  return { kind: "verified", files: listed.size };
}
