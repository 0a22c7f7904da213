import type { VisitProgress } from "../../lib/sampler/visit-sample.ts";

/**
 * A driver's time ended before its visit: the state Measure catches this by its name and calls another
 * driver with the progress, which is the message. An error, and no result, because a Catch costs a
 * transition only when it is taken, where a Choice after each visit would always cost one.
 */
export class VisitHandedOver extends Error {
  override readonly name = "VisitHandedOver";

  constructor(progress: VisitProgress, redrives: number) {
    super(JSON.stringify({ ...progress, redrives }));
  }
}
