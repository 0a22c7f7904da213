import type { Plan } from "../../contract/types/contract.ts";

/** Samples that a plan promises of each cell: a visit's cold and second, and its warm calls. */
export function plannedByCell(plan: Plan): ReadonlyMap<string, number> {
  const planned = new Map(plan.cells.map((cell) => [cell.id, 0]));
  for (const { visits } of plan.blocks) {
    for (const { cellId, warmOrder } of visits) {
      const samples = 2 + warmOrder.length * plan.sizes.warmCalls;
      planned.set(cellId, (planned.get(cellId) ?? 0) + samples);
    }
  }
  return planned;
}
