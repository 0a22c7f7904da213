import { join } from "node:path";
import {
  type Checksums,
  checksumsOfAll,
  checksumsPath,
  computeChecksums,
  describeDifference,
  differences,
  type FileDifference,
  parseChecksums,
} from "../../lib/sampler/checksums.ts";
import type { ResultStore } from "../../lib/sampler/result-store.ts";
import { isMultiExperiment, type StoredRun } from "./stored-run.ts";

/** Thrown if files of a run have changed since it ended: a report would not show what was measured. */
class ChangedRun extends Error {
  override readonly name = "ChangedRun";

  constructor(folder: string, changed: readonly FileDifference[]) {
    const shown = changed.slice(0, longestList).map((each) => `  ${describeDifference(each)}`);
    const more =
      changed.length > shown.length ? [`  and ${changed.length - shown.length} more`] : [];
    const problem = `${folder}: ${changed.length} files differ from what the run wrote (${checksumsPath})`;
    const remedy =
      "Nothing was rendered or measured. kelvin fetch downloads again what differs from S3; otherwise restore the original files";
    super([problem, ...shown, ...more, remedy].join("\n"));
  }
}

const longestList = 20;

export type Verification =
  | { readonly kind: "verified"; readonly files: number }
  | { readonly kind: "no-checksums" };

/** The verification of a run, and of its experiments in their order. */
interface RunVerification {
  readonly run: Verification;
  readonly experiments: readonly Verification[];
}

/**
 * Verifies a run against the checksums that it wrote: each experiment against its own, and if there are
 * several, all of their lists against the run's. Throws ChangedRun.
 */
export async function verifyRun(run: StoredRun, folder: string): Promise<RunVerification> {
  const { store, experiments } = run;
  const verified: Verification[] = [];
  for (const { store: own, folder: below } of experiments) {
    verified.push(await verifyList(own, join(folder, below), () => computeChecksums(own)));
  }
  const whole = isMultiExperiment(run)
    ? await verifyList(store, folder, () => listsOf(experiments))
    : verified[0];
  return { run: whole ?? { kind: "no-checksums" }, experiments: verified };
}

/** Checks the store's list of checksums against those that are found. */
async function verifyList(
  store: ResultStore,
  folder: string,
  find: () => Promise<Checksums>,
): Promise<Verification> {
  const text = await store.readText(checksumsPath);
  if (text === undefined) return { kind: "no-checksums" };
  const listed = parseChecksums(text);
  const changed = differences(listed, await find());
  if (changed.length > 0) throw new ChangedRun(folder, changed);
  return { kind: "verified", files: listed.size };
}

/** Returns the lists of the experiments as one: a missing or rewritten one differs from the run's. */
async function listsOf(experiments: StoredRun["experiments"]): Promise<Checksums> {
  const found = new Map<string, string>();
  for (const each of experiments) {
    const own = await checksumsOfAll(new Map([[each.folder, each.store]]));
    for (const [path, sha256] of own ?? []) found.set(path, sha256);
  }
  return found;
}
