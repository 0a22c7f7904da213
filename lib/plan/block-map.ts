import type { Plan } from "../contract/types/contract.ts";
import { looksOfPlan } from "./blocks.ts";

/**
 * How the state machine measures the trials of a run's blocks: `inline`, as iterations of the run's own execution, or
 * `distributed`, each in an execution of its own, which takes longer and costs a state transition more per trial.
 * https://docs.aws.amazon.com/step-functions/latest/dg/state-map.html
 */
export type BlockMap = "inline" | "distributed";

/** https://docs.aws.amazon.com/step-functions/latest/dg/state-map-inline.html */
const mostInlineLanes = 40;

/**
 * Most events that a run is planned with. An execution fails at 25,000, without a report; the rest is for trials that
 * are retried or fail.
 * https://docs.aws.amazon.com/step-functions/latest/dg/service-quotas.html
 */
export const mostEvents = { inline: 20_000, distributed: 24_000 } as const;

/**
 * Events that Step Functions writes, rounded up. A trial in an inline Map has seven: MapIterationStarted,
 * TaskStateEntered, TaskScheduled, TaskStarted, TaskSucceeded, TaskStateExited and MapIterationSucceeded. A block has
 * eight in a distributed Map: MapStateEntered, MapStateStarted, MapRunStarted, MapRunSucceeded, MapStateSucceeded,
 * MapStateExited, and two of its Choice; in an inline Map six. A look has seven, an experiment 31 and a run 16 besides.
 * https://docs.aws.amazon.com/step-functions/latest/apireference/API_HistoryEvent.html
 */
const eventsPer = { trial: 8, block: 8, look: 8, experiment: 50 };

/** Returns the Map of a run of these plans: inline if the lanes and the history allow it. */
export function blockMap(plans: readonly Plan[]): BlockMap {
  const isNarrow = plans.every(({ lanes }) => lanes <= mostInlineLanes);
  return isNarrow && countEvents(plans, "inline") <= mostEvents.inline ? "inline" : "distributed";
}

/** Returns the number of events that the history of a run of these plans has if no trial is retried or fails. */
export function countEvents(plans: readonly Plan[], map: BlockMap): number {
  return plans.reduce((sum, plan) => {
    const { blocks, stopping } = plan;
    const trials = blocks.reduce((all, block) => all + block.trials.length, 0);
    const looks = stopping === undefined ? 0 : looksOfPlan(plan).length;
    const ofTrials = map === "inline" ? eventsPer.trial * trials : 0;
    const ofBlocks = eventsPer.block * blocks.length + eventsPer.look * looks;
    return sum + eventsPer.experiment + ofBlocks + ofTrials;
  }, 0);
}

/**
 * Events that a trial adds beyond the planned ones: TaskScheduled, TaskStarted and TaskFailed for each retry; if it
 * fails or is handed over, at most six retries and the two states after it, one of them with three retries.
 */
export const unplannedEvents = { retry: 3, failure: 32 } as const;

/** Once a run has more unplanned events than this, its later blocks are distributed. */
export const mostUnplannedEvents = 1_000;
