import { resolve } from "node:path";
import { InvalidInput } from "../../lib/contract/errors.ts";
import type { Manifest, Plan } from "../../lib/contract/types/contract.ts";
import { validated } from "../../lib/contract/validate.ts";
import { DiskResultStore } from "../../lib/local/disk-result-store.ts";

/** A run's folder. */
export interface StoredRun {
  readonly store: DiskResultStore;
  readonly plan: Plan;
  /** Absent when the run was stopped before it wrote one. */
  readonly manifest?: Manifest;
}

/** The run in a folder that an option named. Throws InvalidInput where there is none that can be read. */
export async function openRun(option: string, folder: string): Promise<StoredRun> {
  const store = new DiskResultStore(resolve(folder));
  const plan = await jsonIn(store, "plan.json");
  if (plan === undefined) {
    throw new InvalidInput(option, folder, "the folder of an earlier run, with its plan.json");
  }
  const manifest = await jsonIn(store, "manifest.json");
  return {
    store,
    plan: validated("plan", plan),
    ...(manifest !== undefined && { manifest: validated("manifest", manifest) }),
  };
}

/** Whether the run came to its end and said how; until then it is going on, or was stopped. */
export function isEnded(manifest: Manifest | undefined): manifest is Manifest {
  return manifest?.endedAt !== undefined;
}

async function jsonIn(store: DiskResultStore, path: string): Promise<unknown> {
  const text = await store.readText(path);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new InvalidInput(path, text.slice(0, 60), `JSON (${(error as Error).message})`);
  }
}
