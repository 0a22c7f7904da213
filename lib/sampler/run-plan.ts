import type { Block, Cell, Plan, Visit } from "../contract/types/contract.ts";
import { measureVisit, type Recorder } from "./sample-visit.ts";
import type { Target } from "./target.ts";

/** What an earlier, interrupted execution of the same run left of a visit. */
export type EarlierVisit =
  | { readonly state: "done" }
  | { readonly state: "partial"; readonly attempts: number };

export interface RunPlanOptions {
  readonly signal?: AbortSignal;
  /** Absent: nothing was measured before. */
  readonly earlier?: (cellId: string, block: number) => EarlierVisit | undefined;
  /** Asked after each block how it is to go on, with how many were made. @default every block is made */
  readonly afterBlock?: (blocks: number) => Promise<"go-on" | "end">;
}

/** Makes the visits of the plan on one target, block after block, one visit at a time. */
export async function runPlan(
  plan: Plan,
  target: Target,
  recorder: Recorder,
  options: RunPlanOptions = {},
): Promise<"complete" | "interrupted"> {
  const seenBootIds = new Map(plan.cells.map((cell) => [cell.id, new Set<string>()]));
  for (const block of plan.blocks) {
    for (const visit of block.visits) {
      if (options.signal?.aborted === true) return "interrupted";
      const earlier = options.earlier?.(visit.cellId, block.index);
      if (earlier?.state === "done") continue;
      const context = {
        plan,
        block,
        visit,
        cell: findCell(plan, visit),
        seenBootIds: seenBootIds.get(visit.cellId) ?? new Set<string>(),
        ...(earlier !== undefined && { attempt: earlier.attempts }),
      };
      const { signal } = options;
      await measureVisit(target, context, recorder, signal === undefined ? {} : { signal });
    }
    if (options.signal?.aborted === true) return "interrupted";
    if ((await options.afterBlock?.(block.index + 1)) === "end") return "complete";
  }
  return options.signal?.aborted === true ? "interrupted" : "complete";
}

/** The cell of a visit; throws when the plan does not hold it. */
export function findCell(plan: Plan, visit: Pick<Visit, "cellId">): Cell {
  const cell = plan.cells.find((candidate) => candidate.id === visit.cellId);
  if (cell === undefined) throw new Error(`plan ${plan.runId} has no cell ${visit.cellId}`);
  return cell;
}

/** The visit of a cell in a block; throws when the plan does not hold it. */
export function findVisit(
  plan: Plan,
  cellId: string,
  blockIndex: number,
): { readonly block: Block; readonly visit: Visit; readonly cell: Cell } {
  const block = plan.blocks.find((candidate) => candidate.index === blockIndex);
  const visit = block?.visits.find((candidate) => candidate.cellId === cellId);
  if (block === undefined || visit === undefined) {
    throw new Error(`plan ${plan.runId} has no visit of ${cellId} in block ${blockIndex}`);
  }
  return { block, visit, cell: findCell(plan, visit) };
}
