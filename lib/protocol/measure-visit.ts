import { describeError } from "../contract/errors.ts";
import type { CellFailure, Sample } from "../contract/types/contract.ts";
import { sampleVisit, type VisitContext } from "./sample-visit.ts";
import type { Target } from "./target.ts";

/** Where samples go as they come. */
export interface Recorder {
  sample(sample: Sample): Promise<void>;
  failure(failure: CellFailure): Promise<void>;
}

/** Makes one visit and records its samples; what stops it is recorded as a failure of its cell. */
export async function measureVisit(
  target: Target,
  context: VisitContext,
  recorder: Recorder,
  signal?: AbortSignal,
): Promise<void> {
  const samples = sampleVisit(target, context, signal);
  for (;;) {
    const next = await samples.next().catch((error: unknown) => ({ error: describeError(error) }));
    if ("error" in next) {
      if (signal?.aborted === true) return;
      const { cell, block } = context;
      return await recorder.failure({ cellId: cell.id, block: block.index, ...next.error });
    }
    if (next.done === true) return;
    await recorder.sample(next.value);
  }
}
