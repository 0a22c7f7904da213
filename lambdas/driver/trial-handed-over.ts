import type { TrialProgress } from "../../lib/sampler/trial-sample.ts";

/**
 * A driver's time ended before its trial: the state Measure catches this by its name and calls another
 * driver with the progress, which is the message. An error, and no result, because a Catch costs a
 * transition only when it is taken, where a Choice after each trial would always cost one.
 */
export class TrialHandedOver extends Error {
  override readonly name = "TrialHandedOver";

  constructor(progress: TrialProgress, redrives: number) {
    super(JSON.stringify({ ...progress, redrives }));
  }
}
