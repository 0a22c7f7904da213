import { describeError } from "../contract/errors.ts";
import type { CellFailure, Sample } from "../contract/types/contract.ts";
import { sampleVisit, type VisitEnd, type VisitOptions } from "./sample-visit.ts";
import type { Target, VisitContext } from "./target.ts";
import { progressAfter, visitBegin } from "./visit-progress.ts";

/** Where samples go as they come. */
export interface Recorder {
  /** Keeps it; one of a sequence that the recorder has takes that one's place. */
  sample(sample: Sample): Promise<void>;
  failure(failure: CellFailure): Promise<void>;
}

/**
 * Makes one visit, or goes on with it, and records its samples; what fails it is recorded as a
 * failure of its cell, and has ended it.
 */
export async function measureVisit(
  target: Target,
  context: VisitContext,
  recorder: Recorder,
  options: VisitOptions = {},
): Promise<VisitEnd> {
  const samples = sampleVisit(target, context, options);
  let progress = options.from ?? visitBegin;
  for (;;) {
    const next = await samples.next().catch((error: unknown) => ({ error: describeError(error) }));
    if ("error" in next) {
      // What was torn down under the call failed because of the signal.
      if (options.signal?.aborted === true) return { state: "stopped", progress };
      const { cell, block } = context;
      await recorder.failure({ cellId: cell.id, block: block.index, ...next.error });
      return { state: "ended" };
    }
    if (next.done === true) return next.value;
    await recorder.sample(next.value);
    // A sample that comes again, with telemetry, is no further call.
    const isNew = next.value.sequence === progress.sequence;
    if (isNew) progress = progressAfter(progress, next.value);
  }
}
