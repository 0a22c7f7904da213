import { looksOf } from "../contract/looks.ts";
import type { Plan } from "../contract/types/contract.ts";
import type { RunModel } from "./run-model.ts";
import { allCalls, type VisitForecast } from "./visit-forecast.ts";

/** A plan's visits, block by block. */
export interface Forecast {
  readonly plan: Plan;
  readonly blocks: readonly (readonly VisitForecast[])[];
}

/** How long the experiments take, one after another, in their lanes. */
export function minutesOf(forecasts: readonly Forecast[], model: RunModel): number {
  const experimentMs = ({ plan, blocks }: Forecast) =>
    blocks.reduce(
      (sum, visits) => sum + blockMs(visits, plan.lanes, modelOf(plan, model)),
      model.experimentOverheadMs,
    );
  const runMs = forecasts.reduce((sum, each) => sum + experimentMs(each), model.runOverheadMs);
  return runMs / 60_000;
}

/**
 * With no more blocks than are expected to fit into the minutes of the plan's stopping rule, which ends
 * a run at a look; what it measures in any case is left. A plan without one is left whole.
 */
export function withinMinutes(forecast: Forecast, model: RunModel): Forecast {
  const { plan, blocks } = forecast;
  if (plan.stopping === undefined) return forecast;
  const limitMs = plan.stopping.maxMinutes * 60_000;
  const [least = 0, ...later] = looksOf(plan.sizes.environments, blocks.length);
  let sumMs = 0;
  const endsMs = blocks.map((visits) => {
    sumMs += blockMs(visits, plan.lanes, modelOf(plan, model));
    return sumMs;
  });
  const fitting = later.filter((look) => (endsMs[look - 1] ?? 0) <= limitMs);
  return { plan, blocks: blocks.slice(0, fitting.at(-1) ?? least) };
}

/** With the spacing that the plan asks for. */
export function modelOf({ callSpacingMs }: Pick<Plan, "callSpacingMs">, model: RunModel): RunModel {
  return callSpacingMs === undefined ? model : { ...model, callSpacingMs };
}

/** Of the driver: the force, the calls, and what is around them. */
export function visitMs(visit: VisitForecast, model: RunModel): number {
  return model.forceColdMs + model.visitOverheadMs + callsMs(visit, model);
}

/** One after another, as a visit makes them; a quick one is followed no sooner than the next may start. */
export function callsMs(visit: VisitForecast, model: RunModel): number {
  const { callOverheadMs, callSpacingMs } = model;
  return allCalls(visit).reduce((sum, { count, billedDurationMs }) => {
    return sum + count * Math.max(billedDurationMs + callOverheadMs, callSpacingMs);
  }, 0);
}

/** A block ends with its last visit: no sooner than its longest, nor than its lanes can share it. */
function blockMs(visits: readonly VisitForecast[], lanes: number, model: RunModel): number {
  const visitsMs = visits.map((visit) => visitMs(visit, model));
  const sharedMs = visitsMs.reduce((sum, each) => sum + each, 0) / lanes;
  return model.blockOverheadMs + Math.max(0, ...visitsMs, sharedMs);
}
