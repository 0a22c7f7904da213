import type { Plan } from "../../contract/types/contract.ts";
import { warmCallsOf } from "../../contract/warm-calls.ts";

/** Calls that the plan has of a cell in a block; 0 where it has no such visit. */
export type VisitCalls = (cellId: string, block: number) => number;

/** A visit's cold and second call, and its warm ones; those under callgrind too. */
export function callsByVisit(plan: Plan): VisitCalls {
  const calls = new Map(
    plannedVisits(plan).map((visit) => [placeOf(visit.cellId, visit.block), visit.calls]),
  );
  return (cellId, block) => calls.get(placeOf(cellId, block)) ?? 0;
}

/** Samples that a plan promises of each cell. */
export function plannedByCell(plan: Plan): ReadonlyMap<string, number> {
  const planned = new Map(plan.cells.map((cell) => [cell.id, 0]));
  for (const { cellId, calls } of plannedVisits(plan)) {
    planned.set(cellId, (planned.get(cellId) ?? 0) + calls);
  }
  return planned;
}

interface PlannedVisit {
  readonly cellId: string;
  readonly block: number;
  readonly calls: number;
}

function plannedVisits(plan: Plan): readonly PlannedVisit[] {
  return [plan, ...(plan.instrumented ? [plan.instrumented] : [])].flatMap(({ blocks, sizes }) => {
    const part = { sizes, ...(plan.requests !== undefined && { requests: plan.requests }) };
    return blocks.flatMap(({ index, visits }) =>
      visits.map(({ cellId, warmOrder }) => {
        const warm = warmOrder.map((operation) => warmCallsOf(part, operation).calls);
        return { cellId, block: index, calls: warm.reduce((sum, count) => sum + count, 2) };
      }),
    );
  });
}

function placeOf(cellId: string, block: number): string {
  return `${cellId}/${block}`;
}
