import {
  checksumsOf,
  checksumsPath,
  describeDifference,
  differences,
  type FileDifference,
  parseChecksums,
} from "../../lib/protocol/checksums.ts";
import type { ResultStore } from "../../lib/protocol/result-store.ts";

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

/** Holds what a run measured against the checksums that it left. Throws ChangedRun. */
export async function verifyRun(store: ResultStore, folder: string): Promise<Verification> {
  const text = await store.readText(checksumsPath);
  if (text === undefined) return { kind: "no-checksums" };
  const listed = parseChecksums(text);
  const changed = differences(listed, await checksumsOf(store));
  if (changed.length > 0) throw new ChangedRun(folder, changed);
  return { kind: "verified", files: listed.size };
}
