import type { CellFailure, Sample } from "../../lib/contract/types/contract.ts";
import type { FirstBlockRequest } from "../../lib/run/messages.ts";
import { storedFailures, storedSamples } from "../../lib/sampler/result-store.ts";
import { awsPorts, type DriverPorts, resultStore } from "./ports.ts";

/** Thrown if no sample of the first block counts: later blocks would not do better. */
class NothingCounts extends Error {
  override readonly name = "NothingCounts";
}

/** Ends an experiment after its first block if none of its samples counts. */
export const handler = (request: FirstBlockRequest) => checkFirstBlock(request, awsPorts());

/** Throws NothingCounts with the first error if no sample counts. */
export async function checkFirstBlock(
  { folder }: FirstBlockRequest,
  ports: DriverPorts,
): Promise<{ readonly counted: true }> {
  const store = resultStore(ports, folder);
  const reasons = new Map<string, number>();
  let first: Sample | undefined;
  for await (const sample of storedSamples(store)) {
    if (sample.rejected === undefined) return { counted: true };
    const { reason } = sample.rejected;
    reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    first ??= sample;
  }
  const [failure] = await storedFailures(store);
  const counts = [...reasons].map(([reason, count]) => `${count} ${reason}`).join(", ");
  const samples = counts === "" ? "it has no sample" : `none of its samples counts (${counts})`;
  throw new NothingCounts(`after the first block ${samples}: ${describeFirst(failure, first)}`);
}

function describeFirst(failure: CellFailure | undefined, sample: Sample | undefined): string {
  if (failure !== undefined) return `${failure.cellId}: ${failure.type}: ${failure.message}`;
  if (sample === undefined) return "and no trial says why";
  const { cell, error, rejected } = sample;
  const cause = error === undefined ? rejected?.detail : `${error.type}: ${error.message}`;
  return `${cell.id}: ${cause ?? rejected?.reason}`;
}
