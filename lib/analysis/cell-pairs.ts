import type { Cell, Plan } from "../contract/types/contract.ts";
import { isSameSize } from "../plan/matrix.ts";
import { comparedCells } from "./series-view.ts";

/** Two cells to be compared. */
export interface Pair {
  readonly cell: Cell;
  readonly baselineCell: Cell;
}

/** Pairs every cell with the baseline of its size, workers and architecture. Replicas are left out. */
export function variantPairs(plan: Plan, baselineVariant: string): readonly Pair[] {
  const cells = comparedCells(plan);
  const baselines = cells.filter(({ variant }) => variant === baselineVariant);
  return cells.flatMap((cell) => {
    const baselineCell = baselines.find((baseline) => isSameSize(baseline, cell));
    const isComparable = baselineCell !== undefined && baselineCell.id !== cell.id;
    return isComparable ? [{ cell, baselineCell }] : [];
  });
}

/** Pairs every size of a variant with the next smaller one on its architecture. Replicas are left out. */
export function sizePairs(plan: Pick<Plan, "cells">): readonly Pair[] {
  const cells = comparedCells(plan);
  return cells.flatMap((cell, index) => {
    const baselineCell = cells
      .slice(0, index)
      .findLast(
        (smaller) =>
          smaller.variant === cell.variant &&
          smaller.architecture === cell.architecture &&
          smaller.memoryMb < cell.memoryMb,
      );
    return baselineCell === undefined ? [] : [{ cell, baselineCell }];
  });
}

/** Pairs every A/A replica with its original. */
export function replicaPairs(plan: Plan): readonly Pair[] {
  return plan.cells.flatMap((cell) => {
    const baselineCell = plan.cells.find((other) => other.id === cell.replicaOf);
    return baselineCell === undefined ? [] : [{ cell, baselineCell }];
  });
}

/**
 * Returns whether an A/A pair is two deployments. On one machine it is the same files twice: they differ by chance
 * alone, and no verdict rests on them (decision 0056).
 */
export function hasDeployments({ target }: Pick<Plan, "target">): boolean {
  return target !== "local";
}

/**
 * Returns the A/A pair that a difference between these cells is compared with: one with the memory size and
 * architecture of any of them. Its noise floor does not apply to other sizes (decision 0005).
 */
export function replicaPairAt(plan: Plan, cells: readonly Cell[]): Pair | undefined {
  return replicaPairs(plan).find(({ cell: replica }) =>
    cells.some(
      ({ memoryMb, architecture }) =>
        memoryMb === replica.memoryMb && architecture === replica.architecture,
    ),
  );
}
