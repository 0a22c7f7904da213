import type { Plan } from "../contract/types/contract.ts";
import { type ResultStore, storedFailures, storedSamples } from "../protocol/result-store.ts";
import type { EarlierVisit } from "../protocol/run-plan.ts";
import { stepsOf } from "../protocol/sample-visit.ts";

export interface EarlierVisits {
  /** Samples that the run has already. */
  readonly recorded: number;
  readonly of: (cellId: string, block: number) => EarlierVisit | undefined;
}

/**
 * What an interrupted run left of each visit: done when one of its attempts has every sample, or it
 * failed; partial otherwise. A partial attempt keeps its samples and the visit is made again.
 */
export async function earlierVisits(store: ResultStore, plan: Plan): Promise<EarlierVisits> {
  let recorded = 0;
  const counts = new Map<string, number[]>();
  for await (const { cell, block, attempt } of storedSamples(store)) {
    recorded += 1;
    const attempts = counts.get(`${cell.id}/${block}`) ?? [];
    attempts[attempt ?? 0] = (attempts[attempt ?? 0] ?? 0) + 1;
    counts.set(`${cell.id}/${block}`, attempts);
  }
  const failures = await storedFailures(store);
  const failed = new Set(failures.map((failure) => `${failure.cellId}/${failure.block}`));
  const of = (cellId: string, block: number): EarlierVisit | undefined => {
    const attempts = counts.get(`${cellId}/${block}`);
    if (failed.has(`${cellId}/${block}`)) return { state: "done" };
    if (attempts === undefined) return undefined;
    const visit = plan.blocks[block]?.visits.find((candidate) => candidate.cellId === cellId);
    const expected = visit === undefined ? 0 : stepsOf(plan, visit).length;
    const done = attempts.some((count) => count >= expected);
    return done ? { state: "done" } : { state: "partial", attempts: attempts.length };
  };
  return { recorded, of };
}
