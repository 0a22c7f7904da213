import { leastOf } from "../../lib/contract/first-blocks.ts";
import type { Plan } from "../../lib/contract/types/contract.ts";
import { plannedSamples } from "../../lib/experiment/expand.ts";
import { checksumsPath } from "../../lib/protocol/checksums.ts";
import type { LocalManifest } from "./local-manifest.ts";
import type { StoredExperiment } from "./stored-run.ts";

type Store = StoredExperiment["store"];

/**
 * The plan, and a manifest that stays true if nothing more is ever written; the checksums of what is
 * gone on with would not.
 */
export async function writeStart(
  store: Store,
  plan: Plan,
  manifest: LocalManifest,
  recorded: number,
): Promise<void> {
  await store.remove(checksumsPath);
  const counts = { planned: plannedSamples(leastOf(plan)), recorded, kept: 0, rejected: {} };
  await writePlan(store, plan);
  await store.writeText("manifest.json", `${JSON.stringify({ ...manifest, counts }, null, 2)}\n`);
}

export async function writePlan(store: Store, plan: Plan): Promise<void> {
  await store.writeText("plan.json", `${JSON.stringify(plan, null, 2)}\n`);
}
