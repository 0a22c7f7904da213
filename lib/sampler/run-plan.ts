import type { Block, Cell, Plan, Trial } from "../contract/types/contract.ts";
import type { Skips } from "../plan/blocks.ts";
import { mostAlive } from "../plan/trial-calls.ts";
import { forEachConcurrently } from "./result-store.ts";
import { type Idle, measureTrial, type Pace, type Recorder } from "./sample-trial.ts";
import type { Target } from "./target.ts";

/** A trial's state after an earlier, interrupted execution of the same run. */
export type EarlierTrial =
  | { readonly state: "done" }
  | { readonly state: "partial"; readonly attempts: number };

export interface RunPlanOptions {
  readonly signal?: AbortSignal;
  /** Returns the state of a trial measured before; undefined if it was not started. */
  readonly earlier?: (cellId: string, block: number) => EarlierTrial | undefined;
  /** Returns whether to skip a trial. @default every trial is made */
  readonly skips?: Skips;
  /**
   * Waits for an environment's idle time between two of its calls, or until the signal aborts. Other environments of
   * the block are called meanwhile.
   * @default no wait: a trial is completed before the next one starts
   */
  readonly idle?: Idle;
  /** Ends each trial's environment before the next one begins. @default it may live until its cell is forced cold */
  readonly oneAlive?: boolean;
  /** Decides after each block, from the number of blocks made, whether to continue. @default every block is made */
  readonly afterBlock?: (blocks: number) => Promise<"go-on" | "end">;
}

/** Makes the trials of the plan on one target, block by block, one call at a time. */
export async function runPlan(
  plan: Plan,
  target: Target,
  recorder: Recorder,
  options: RunPlanOptions = {},
): Promise<"complete" | "interrupted"> {
  const seenBootIds = new Map(plan.cells.map((cell) => [cell.id, new Set<string>()]));
  for (const block of plan.blocks) {
    const { idle } = options;
    const pace = idle && { idle, turn: oneAtATime() };
    const lanes = pace === undefined || options.oneAlive === true ? 1 : mostAlive;
    await forEachConcurrently(block.trials, lanes, async (trial) => {
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
        ...(pace && { pace }),
        ...(signal && { signal, mayGoOn: async () => !signal.aborted }),
      });
      if (options.oneAlive === true) await target.forceCold(context.cell);
    });
    if (options.signal?.aborted === true) return "interrupted";
    if ((await options.afterBlock?.(block.index + 1)) === "end") return "complete";
  }
  return options.signal?.aborted === true ? "interrupted" : "complete";
}

/** Returns a function that runs each piece of work after the previous ones have ended, in success or failure. */
function oneAtATime(): Pace["turn"] {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work);
    last = mine.catch(() => undefined);
    return mine;
  };
}

/** Returns the cell of a trial. Throws if the plan does not have it. */
export function findCell(plan: Plan, trial: Pick<Trial, "cellId">): Cell {
  const cell = plan.cells.find((candidate) => candidate.id === trial.cellId);
  if (cell === undefined) throw new Error(`plan ${plan.runId} has no cell ${trial.cellId}`);
  return cell;
}

/** Returns the trial of a cell in a block. Throws if the plan does not have it. */
export function findTrial(
  plan: Plan,
  cellId: string,
  blockIndex: number,
): { readonly block: Block; readonly trial: Trial; readonly cell: Cell } {
  const block = plan.blocks.find((candidate) => candidate.index === blockIndex);
  const trial = block?.trials.find((candidate) => candidate.cellId === cellId);
  if (block === undefined || trial === undefined) {
    throw new Error(`plan ${plan.runId} has no trial of ${cellId} in block ${blockIndex}`);
  }
  return { block, trial, cell: findCell(plan, trial) };
}
