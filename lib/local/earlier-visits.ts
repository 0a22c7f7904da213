import type { Cell, Plan } from "../contract/types/contract.ts";
import {
  type ResultStore,
  samplesPath,
  storedFailures,
  storedSamples,
} from "../protocol/result-store.ts";
import { cellOf, type EarlierVisit } from "../protocol/run-plan.ts";
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
  const files = new Set(await store.list("samples"));
  const failures = await storedFailures(store);
  const failed = new Set(failures.map((failure) => `${failure.cellId}/${failure.block}`));
  const of = (cellId: string, block: number): EarlierVisit | undefined => {
    if (failed.has(`${cellId}/${block}`)) return { state: "done" };
    const begun = attemptsBegun(files, cellOf(plan, { cellId }), block);
    if (begun === 0) return undefined;
    const attempts = counts.get(`${cellId}/${block}`) ?? [];
    const visit = plan.blocks
      .find((candidate) => candidate.index === block)
      ?.visits.find((candidate) => candidate.cellId === cellId);
    const expected = visit === undefined ? 0 : stepsOf(plan, visit).length;
    const done = attempts.some((count) => count >= expected);
    return done ? { state: "done" } : { state: "partial", attempts: begun };
  };
  return { recorded, of };
}

/** By their files: an attempt that was killed in its first write has one and no sample. */
function attemptsBegun(files: ReadonlySet<string>, cell: Cell, block: number): number {
  const fileOf = (attempt: number) => samplesPath({ cell, block, ...(attempt > 0 && { attempt }) });
  let attempts = 0;
  while (files.has(fileOf(attempts))) attempts += 1;
  return attempts;
}
