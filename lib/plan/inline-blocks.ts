import type { Plan } from "../contract/types/contract.ts";
import { looksOfPlan } from "./blocks.ts";

/** https://docs.aws.amazon.com/step-functions/latest/dg/state-map-inline.html */
const mostInlineLanes = 40;
/**
 * An execution fails at 25,000 events, without a report.
 * https://docs.aws.amazon.com/step-functions/latest/dg/service-quotas.html
 */
export const mostEvents = 24_500;
/**
 * Events that Step Functions writes at most. A trial that fails in the inline Map has twelve: MapIterationStarted and
 * -Succeeded, and TaskStateEntered, -Scheduled, -Started, -Succeeded or -Failed and -StateExited of its two states;
 * one that succeeds has seven, a retry three. A distributed Map has six and its Choice two, a look seven, an
 * experiment 31 besides, and a run 16.
 * https://docs.aws.amazon.com/step-functions/latest/apireference/API_HistoryEvent.html
 */
const eventsOf = { inlineTrial: 12, block: 8, look: 8, experiment: 50 };

/** Returns the events of a run of these plans, without those of trials in the inline Map. */
export function countEvents(plans: readonly Plan[]): number {
  return plans.reduce((sum, plan) => {
    const looks = plan.stopping === undefined ? 0 : looksOfPlan(plan).length;
    const ofBlocks = eventsOf.block * plan.blocks.length + eventsOf.look * looks;
    return sum + eventsOf.experiment + ofBlocks;
  }, 0);
}

/**
 * Returns how many blocks of each plan the state machine measures in the inline Map, whose trials share the history of
 * the run of all these plans. The later ones are distributed Maps, which start more slowly.
 */
export function countInlineBlocks(plans: readonly Plan[]): readonly number[] {
  let left = mostEvents - countEvents(plans);
  return plans.map(({ lanes, blocks }) => {
    if (lanes > mostInlineLanes) return 0;
    const full = blocks.findIndex(({ trials }) => {
      left -= eventsOf.inlineTrial * trials.length;
      return left < 0;
    });
    return full === -1 ? blocks.length : full;
  });
}
