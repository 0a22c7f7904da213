import type { Plan } from "../../contract/types/contract.ts";
import { warmCallsOf } from "../../contract/warm-calls.ts";

/**
 * Samples that a plan promises of each cell: a visit's cold and second, and its warm calls; those
 * under callgrind too.
 */
export function plannedByCell(plan: Plan): ReadonlyMap<string, number> {
  const planned = new Map(plan.cells.map((cell) => [cell.id, 0]));
  for (const { blocks, sizes } of [plan, ...(plan.instrumented ? [plan.instrumented] : [])]) {
    for (const { cellId, warmOrder } of blocks.flatMap((block) => block.visits)) {
      const part = { sizes, ...(plan.requests !== undefined && { requests: plan.requests }) };
      const warm = warmOrder.map((operation) => warmCallsOf(part, operation).calls);
      const samples = warm.reduce((sum, calls) => sum + calls, 2);
      planned.set(cellId, (planned.get(cellId) ?? 0) + samples);
    }
  }
  return planned;
}
