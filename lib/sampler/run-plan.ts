import { setTimeout as delay } from "node:timers/promises";
import type { Block, Cell, Plan, Trial } from "../contract/types/contract.ts";
import type { Skips } from "../plan/blocks.ts";
import { idleSpreadMs, mostAlive } from "../plan/trial-calls.ts";
import { measureTrial, type Pace, type Recorder } from "./sample-trial.ts";
import type { Target } from "./target.ts";

/** What an earlier, interrupted execution of the same run left of a trial. */
export type EarlierTrial =
  | { readonly state: "done" }
  | { readonly state: "partial"; readonly attempts: number };

export interface RunPlanOptions {
  readonly signal?: AbortSignal;
  /** Absent: nothing was measured before. */
  readonly earlier?: (cellId: string, block: number) => EarlierTrial | undefined;
  /** Trials of the plan that are not made, asked before each. @default every one is made */
  readonly skips?: Skips;
  /** Asked after each block how it is to go on, with how many were made. @default every block is made */
  readonly afterBlock?: (blocks: number) => Promise<"go-on" | "end">;
}

/**
 * Makes the trials of the plan on one target, block after block. One function runs at a time: where the plan
 * lets environments idle, the trials of a block take turns, else each is made whole before the next.
 */
export async function runPlan(
  plan: Plan,
  target: Target,
  recorder: Recorder,
  options: RunPlanOptions = {},
): Promise<"complete" | "interrupted"> {
  const seenBootIds = new Map(plan.cells.map((cell) => [cell.id, new Set<string>()]));
  for (const block of plan.blocks) {
    const pace = paceOf(plan);
    await inLanes(plan.idleMs === undefined ? 1 : mostAlive, block.visits, async (trial) => {
      if (options.signal?.aborted === true) return;
      const earlier = options.earlier?.(trial.cellId, block.index);
      if (earlier?.state === "done") return;
      if (options.skips?.(trial.cellId, block.index) === true) return;
      const context = {
        plan,
        block,
        trial,
        cell: findCell(plan, trial),
        seenBootIds: seenBootIds.get(trial.cellId) ?? new Set<string>(),
        ...(earlier !== undefined && { attempt: earlier.attempts }),
      };
      const { signal } = options;
      await measureTrial(target, context, recorder, {
        pace,
        ...(signal && { signal, mayGoOn: async () => !signal.aborted }),
      });
    });
    if (options.signal?.aborted === true) return "interrupted";
    if ((await options.afterBlock?.(block.index + 1)) === "end") return "complete";
  }
  return options.signal?.aborted === true ? "interrupted" : "complete";
}

/** How the calls of a block's trials follow each other: one at a time, each after its idle time. */
function paceOf({ idleMs = 0 }: Plan): Pace {
  let last: Promise<unknown> = Promise.resolve();
  return {
    idle: async (signal) => {
      if (idleMs === 0) return;
      // An abort ends it early, and is seen by who waits.
      const durationMs = idleMs + idleSpreadMs * Math.random();
      await delay(durationMs, undefined, signal && { signal }).catch(() => undefined);
    },
    turn: (work) => {
      const mine = last.then(work);
      last = mine.catch(() => undefined);
      return mine;
    },
  };
}

/** Does the work on each item, so many at a time, begun in their order. Throws what the first to fail threw. */
async function inLanes<Item>(
  lanes: number,
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const left = [...items];
  const lane = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  };
  const ends = await Promise.allSettled(
    Array.from({ length: lanes }, () =>
      lane().catch((error: unknown) => {
        left.length = 0;
        throw error;
      }),
    ),
  );
  const failed = ends.find((end) => end.status === "rejected");
  if (failed !== undefined) throw failed.reason;
}

/** The cell of a trial; throws when the plan does not hold it. */
export function findCell(plan: Plan, trial: Pick<Trial, "cellId">): Cell {
  const cell = plan.cells.find((candidate) => candidate.id === trial.cellId);
  if (cell === undefined) throw new Error(`plan ${plan.runId} has no cell ${trial.cellId}`);
  return cell;
}

/** The trial of a cell in a block; throws when the plan does not hold it. */
export function findTrial(
  plan: Plan,
  cellId: string,
  blockIndex: number,
): { readonly block: Block; readonly trial: Trial; readonly cell: Cell } {
  const block = plan.blocks.find((candidate) => candidate.index === blockIndex);
  const trial = block?.visits.find((candidate) => candidate.cellId === cellId);
  if (block === undefined || trial === undefined) {
    throw new Error(`plan ${plan.runId} has no trial of ${cellId} in block ${blockIndex}`);
  }
  return { block, trial, cell: findCell(plan, trial) };
}
