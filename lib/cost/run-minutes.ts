import type { Estimate, Plan } from "../contract/types/contract.ts";
import { listLooks } from "../plan/blocks.ts";
import { idleSpreadMs, mostAlive, spacingBefore } from "../plan/trial-calls.ts";
import {
  allCalls,
  type Forecast,
  oncePerForecast,
  type RunModel,
  type TrialForecast,
} from "./run-model.ts";

type TimeTerms = Required<Estimate>["time"];

/** Returns the expected time of the experiments, one after another, in their lanes, by term. */
export function countTime(forecasts: readonly Forecast[], model: RunModel): TimeTerms {
  const terms = { ...none, runMs: model.runOverheadMs };
  for (const { plan, tries, blocks, inlineBlocks } of forecasts) {
    terms.experimentsMs += model.experimentOverheadMs;
    terms.triesMs += model.tryOverheadMs + triesMs({ plan, tries }, model);
    const termsOf = blockTerms(plan, model);
    for (const trials of blocks) addTo(terms, termsOf(trials));
    terms.blocksMs += model.distributedMs * blocks.slice(inlineBlocks).length;
  }
  return terms;
}

const none = {
  runMs: 0,
  experimentsMs: 0,
  triesMs: 0,
  blocksMs: 0,
  updateSlotsMs: 0,
  forceColdMs: 0,
  trialsMs: 0,
  callsMs: 0,
  spacingMs: 0,
  sharedLanesMs: 0,
};

type Terms = typeof none;

function addTo(terms: Terms, more: TimeTerms): void {
  for (const [term, ms] of Object.entries(more)) terms[term as keyof Terms] += ms;
}

export function sumOfTerms(terms: TimeTerms): number {
  return Object.values(terms).reduce((sum: number, ms: number) => sum + ms, 0);
}

/**
 * Cuts the forecast to the blocks that are expected to fit into the minutes of the plan's stopping rule, which ends a
 * run at a look; the blocks before the first look always stay. Without a rule the forecast is unchanged.
 */
export function withinMinutes(forecast: Forecast, model: RunModel): Forecast {
  const { plan, blocks, inlineBlocks } = forecast;
  if (plan.stopping === undefined) return forecast;
  const limitMs = plan.stopping.maxMinutes * 60_000;
  const [least = 0, ...later] = listLooks(plan.sizes.environments, blocks.length);
  const termsOf = blockTerms(plan, model);
  let sumMs = 0;
  const endsMs = blocks.map((trials, block) => {
    sumMs += sumOfTerms(termsOf(trials)) + (block < inlineBlocks ? 0 : model.distributedMs);
    return sumMs;
  });
  const fitting = later.filter((look) => (endsMs[look - 1] ?? 0) <= limitMs);
  return { ...forecast, blocks: blocks.slice(0, fitting.at(-1) ?? least) };
}

/** Sets the plan's call spacing and idle times in the model, and the log wait of trials of users' functions. */
export function adjustModel(
  plan: Pick<Plan, "callSpacingMs" | "operationSpacingMs" | "cells" | "idleMs" | "ownResults">,
  model: RunModel,
): RunModel {
  const { callSpacingMs = model.callSpacingMs, operationSpacingMs } = plan;
  const { cells, idleMs, ownResults } = plan;
  const logStreamsMs = ownResults ? model.logStreamsMs : 0;
  return {
    ...model,
    callSpacingMs,
    ...(operationSpacingMs !== undefined && { operationSpacingMs }),
    ...(idleMs !== undefined && {
      idleMs: idleMs + idleSpreadMs / 2,
      alive: Math.min(cells.length, mostAlive),
    }),
    trialOverheadMs: model.trialOverheadMs + logStreamsMs,
  };
}

/** Returns the expected duration of one trial: the forced cold start, the calls and the overhead. */
export function trialMs(trial: TrialForecast, model: RunModel): number {
  return model.forceColdMs + model.trialOverheadMs + callsMs(trial, model);
}

/** Returns the expected duration of a trial's calls with their spacing. Idle times overlap if trials take turns. */
export function callsMs(trial: TrialForecast, model: RunModel): number {
  const { idleMs, alive } = model;
  return allCalls(trial).reduce((sum, { count, operation, billedDurationMs }) => {
    const callMs = billedDurationMs + model.callOverheadMs;
    const spacingMs = spacingBefore(model, operation);
    return sum + count * Math.max(callMs, (callMs + idleMs) / alive, spacingMs);
  }, 0);
}

/** Returns the expected duration of a trial's calls without any wait between them. */
function unspacedCallsMs(trial: TrialForecast, { callOverheadMs }: RunModel): number {
  return allCalls(trial).reduce(
    (sum, { count, billedDurationMs }) => sum + count * (billedDurationMs + callOverheadMs),
    0,
  );
}

/** Same as updateSlotDelayMs of lib/plan/trial-calls.ts, with the model's time between two updates. */
function updateDelayMs(place: number, { lanes }: Plan, { updateSlotMs }: RunModel): number {
  return place < lanes ? place * updateSlotMs : 0;
}

/** Returns the total time that the drivers of all trials wait for their turn to update a function. */
export function updateDelaysMs({ plan, blocks }: Forecast, model: RunModel): number {
  return blocks.reduce(
    (sum, trials) =>
      trials.reduce((block, _, place) => block + updateDelayMs(place, plan, model), sum),
    0,
  );
}

/** Returns the expected time of the calls before the first block: one driver makes them, in the plan's lanes. */
export function triesMs(
  { plan, tries }: Pick<Forecast, "plan" | "tries">,
  model: RunModel,
): number {
  const adjusted = adjustModel(plan, model);
  const each = tries.map((calls) => callsMs(calls, adjusted));
  const shared = each.reduce((sum, ms) => sum + ms, 0) / plan.lanes;
  return Math.max(0, shared, ...each);
}

/** Returns the terms of a block, which ends with its last trial, but not before its lanes can have done the work. */
function blockTerms(plan: Plan, model: RunModel): (trials: readonly TrialForecast[]) => TimeTerms {
  const adjusted = adjustModel(plan, model);
  const msOf = oncePerForecast((trial) => trialMs(trial, adjusted));
  const delayMs = (place: number) => updateDelayMs(place, plan, model);
  return (trials) => {
    const sharedMs = trials.reduce((sum, trial) => sum + msOf(trial), 0) / plan.lanes;
    const ends = trials.map((trial, place) => ({ trial, endMs: delayMs(place) + msOf(trial) }));
    const last = ends.reduce((one, other) => (other.endMs > one.endMs ? other : one), {
      trial: undefined,
      endMs: 0,
    } as { readonly trial: TrialForecast | undefined; readonly endMs: number });
    const blocksMs = model.blockOverheadMs;
    if (last.trial === undefined) return { ...none, blocksMs };
    const unspacedMs = unspacedCallsMs(last.trial, adjusted);
    return {
      ...none,
      blocksMs,
      updateSlotsMs: last.endMs - msOf(last.trial),
      forceColdMs: adjusted.forceColdMs,
      trialsMs: adjusted.trialOverheadMs,
      callsMs: unspacedMs,
      spacingMs: callsMs(last.trial, adjusted) - unspacedMs,
      sharedLanesMs: Math.max(0, sharedMs - last.endMs),
    };
  };
}
