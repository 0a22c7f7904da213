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
  /** Blocks that were begun. */
  readonly begunBlocks: number;
  /** The time that its visits took, first to last call. */
  readonly measuredMs: number;
  readonly of: (cellId: string, block: number) => EarlierVisit | undefined;
}

/**
 * What an interrupted run left of each visit: done when one of its attempts has every sample, or it
 * failed; partial otherwise. A partial attempt keeps its samples and the visit is made again.
 */
export async function earlierVisits(store: ResultStore, plan: Plan): Promise<EarlierVisits> {
  let recorded = 0;
  let begunBlocks = 0;
  const spans = new Map<string, CallSpan>();
  const counts = new Map<string, number[]>();
  for await (const sample of storedSamples(store)) {
    const { cell, block, attempt } = sample;
    recorded += 1;
    begunBlocks = Math.max(begunBlocks, block + 1);
    const visit = samplesPath(sample);
    if (sample.startedAt !== undefined) {
      spans.set(visit, wider(spans.get(visit), Date.parse(sample.startedAt)));
    }
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
  const measuredMs = [...spans.values()].reduce((sum, { first, last }) => sum + last - first, 0);
  return { recorded, begunBlocks, measuredMs, of };
}

/** By the clock, ms. */
interface CallSpan {
  readonly first: number;
  readonly last: number;
}

function wider(span: CallSpan | undefined, at: number): CallSpan {
  const { first, last } = span ?? { first: at, last: at };
  return { first: Math.min(first, at), last: Math.max(last, at) };
}

/** By their files: an attempt that was killed in its first write has one and no sample. */
function attemptsBegun(files: ReadonlySet<string>, cell: Cell, block: number): number {
  const fileOf = (attempt: number) => samplesPath({ cell, block, ...(attempt > 0 && { attempt }) });
  let attempts = 0;
  while (files.has(fileOf(attempts))) attempts += 1;
  return attempts;
}
