import type { Cell, Plan, Visit } from "../contract/types/contract.ts";
import { warmCallsOf } from "../contract/warm-calls.ts";
import { invocationCostUsd } from "./invocation-cost.ts";
import type { LambdaPrice } from "./prices.ts";
import { type DurationPriors, priorOf } from "./priors.ts";

/** What a visit's calls are expected to bill. */
export interface VisitForecast {
  readonly cell: Cell;
  readonly calls: readonly ForecastCalls[];
}

/** Calls that bill the same. */
export interface ForecastCalls {
  readonly count: number;
  readonly operation: string;
  readonly billedDurationMs: number;
}

/**
 * The visits of a plan, block by block: one cold and one second call each, then the warm calls of
 * every operation in its order. No call bills more than the function's timeout. Throws RangeError
 * on a visit of a cell that the plan does not have.
 */
export function forecastVisits(plan: Plan, priors: DurationPriors): readonly VisitForecast[][] {
  const cells = new Map(plan.cells.map((cell) => [cell.id, cell]));
  return plan.blocks.map(({ visits }) =>
    visits.map((visit) => {
      const cell = cells.get(visit.cellId);
      if (cell === undefined) throw new RangeError(`visit: no cell ${visit.cellId} in the plan`);
      return { cell, calls: callsOf(plan, visit, cell, priors) };
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

export function callCount(visit: VisitForecast): number {
  return visit.calls.reduce((sum, { count }) => sum + count, 0);
}

/** What the measured function's calls cost, USD. */
export function visitCostUsd({ cell, calls }: VisitForecast, price: LambdaPrice): number {
  const { memoryMb } = cell;
  return calls.reduce((sum, { count, billedDurationMs }) => {
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
