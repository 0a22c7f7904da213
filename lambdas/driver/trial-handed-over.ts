import type { TrialProgress } from "../../lib/sampler/trial-sample.ts";

/**
 * Thrown if a driver's time ends before its trial does. The state Measure catches it by name and calls another driver
 * with the progress, which is the message. It is an error because a Catch costs a transition only when it is taken; a
 * Choice after each trial would always cost one.
 */
export class TrialHandedOver extends Error {
  override readonly name = "TrialHandedOver";

  /** @param spentUsd what the trial has cost so far; absent without a cap */
  constructor(progress: TrialProgress, redrives: number, spentUsd?: number) {
    super(JSON.stringify({ ...progress, redrives, spentUsd }));
  }
}
