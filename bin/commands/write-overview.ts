import type { DiskResultStore } from "../../lib/local/disk-result-store.ts";
import { checksumsOfAll, checksumsPath, formatChecksums } from "../../lib/protocol/checksums.ts";
import {
  type RenderedOverview,
  type ReportedExperiment,
  renderOverview,
} from "../../lib/report/overview/render-overview.ts";
import type { StoredRun } from "./stored-run.ts";

/** Writes the report of a run of several experiments above theirs. */
export async function writeOverview(
  { runId, store }: Pick<StoredRun, "runId" | "store">,
  experiments: readonly ReportedExperiment[],
): Promise<RenderedOverview> {
  const overview = renderOverview({ runId, experiments });
  for (const [path, text] of Object.entries(overview.files)) await store.writeText(path, text);
  return overview;
}

/** Last of all: a run of several that has its list was left whole. */
export async function writeChecksumsOfAll(
  store: DiskResultStore,
  experiments: readonly { readonly folder: string; readonly store: DiskResultStore }[],
): Promise<void> {
  const stores = experiments.map(({ folder, store: own }) => [folder, own] as const);
  const checksums = await checksumsOfAll(new Map(stores));
  if (checksums !== undefined) await store.writeText(checksumsPath, formatChecksums(checksums));
}
