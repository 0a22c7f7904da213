import type { Cell, Plan, Visit } from "../contract/types/contract.ts";
import { warmCallsOf } from "../contract/warm-calls.ts";
import { invocationCostUsd } from "./invocation-cost.ts";
import type { LambdaPrice } from "./prices.ts";
import { type DurationPriors, priorOf } from "./priors.ts";

/** What a visit's calls are expected to bill. */
export interface VisitForecast {
  readonly cell: Cell;
  /** Those that are measured. */
  readonly calls: readonly ForecastCalls[];
  /** On AWS after them: what the environment is asked of itself, which is no sample. */
  readonly description?: ForecastCalls;
}

/** Calls that bill the same. */
export interface ForecastCalls {
  readonly count: number;
  readonly operation: string;
  readonly billedDurationMs: number;
}

/** It reads one file. At the smallest size that is a few milliseconds. */
const descriptionMs = 5;

/**
 * The visits of a plan, block by block: one cold and one second call each, then the warm calls of
 * every operation in its order; on AWS the environment's description. No call bills more than the function's timeout. Throws RangeError
 * on a visit of a cell that the plan does not have.
 */
export function forecastVisits(plan: Plan, priors: DurationPriors): readonly VisitForecast[][] {
  const cells = new Map(plan.cells.map((cell) => [cell.id, cell]));
  return plan.blocks.map(({ visits }) =>
    visits.map((visit) => {
      const cell = cells.get(visit.cellId);
      if (cell === undefined) throw new RangeError(`visit: no cell ${visit.cellId} in the plan`);
      const calls = callsOf(plan, visit, cell, priors);
      const description = { count: 1, operation: "describe", billedDurationMs: descriptionMs };
      return { cell, calls, ...(plan.target === "aws" && { description }) };
    }),
  );
}

function callsOf(
  plan: Plan,
  visit: Visit,
  cell: Cell,
  priors: DurationPriors,
): readonly ForecastCalls[] {
  const { initMs, firstMs, secondMs, warmMs } = priorOf(cell, priors);
  const timeoutMs = plan.timeoutSeconds * 1000;
  const calls = (operation: string, count: number, durationMs: number): ForecastCalls => ({
    count,
    operation,
    billedDurationMs: Math.ceil(Math.min(durationMs, timeoutMs)),
  });
  return [
    calls(plan.coldOperation, 1, initMs + firstMs),
    calls(plan.coldOperation, 1, secondMs),
    ...visit.warmOrder.map((operation) =>
      calls(operation, warmCallsOf(plan, operation).calls, warmMs),
    ),
  ];
}

/** Of those that are measured: as many samples. */
export function callCount(visit: VisitForecast): number {
  return countOf(visit.calls);
}

/** Every call of the measured function, whether it is measured or not. */
export function allCalls({ calls, description }: VisitForecast): readonly ForecastCalls[] {
  return description === undefined ? calls : [...calls, description];
}

export function countOf(calls: readonly ForecastCalls[]): number {
  return calls.reduce((sum, { count }) => sum + count, 0);
}

/** What the measured function's calls cost, USD. */
export function visitCostUsd(visit: VisitForecast, price: LambdaPrice): number {
  const { memoryMb } = visit.cell;
  return allCalls(visit).reduce((sum, { count, billedDurationMs }) => {
    return sum + count * invocationCostUsd({ billedDurationMs, memoryMb }, price);
  }, 0);
}

/** How often each operation is called. */
export function callsByOperation(visits: readonly VisitForecast[]): ReadonlyMap<string, number> {
  const calls = new Map<string, number>();
  for (const { operation, count } of visits.flatMap((visit) => visit.calls)) {
    calls.set(operation, (calls.get(operation) ?? 0) + count);
  }
  return calls;
}
