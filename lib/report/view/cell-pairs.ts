import type { Cell, Plan } from "../../contract/types/contract.ts";
import { orderedCells } from "./series-view.ts";

/** Two cells to be compared. */
export interface Pair {
  readonly cell: Cell;
  readonly baselineCell: Cell;
}

/** Every cell with the baseline of its size, workers and architecture; twins are apart. */
export function variantPairs(plan: Plan, baselineVariant: string): readonly Pair[] {
  const cells = orderedCells(plan).filter((cell) => cell.twinOf === undefined);
  return cells.flatMap((cell) => {
    const baselineCell = cells.find((other) => isBaselineOf(other, cell, baselineVariant));
    const isComparable = baselineCell !== undefined && baselineCell.id !== cell.id;
    return isComparable ? [{ cell, baselineCell }] : [];
  });
}

function isBaselineOf(candidate: Cell, cell: Cell, baselineVariant: string): boolean {
  return (
    candidate.variant === baselineVariant &&
    candidate.architecture === cell.architecture &&
    candidate.memoryMb === cell.memoryMb &&
    candidate.workers === cell.workers
  );
}

/** Every second deployment with its first. */
export function twinPairs(plan: Plan): readonly Pair[] {
  return plan.cells.flatMap((cell) => {
    const baselineCell = plan.cells.find((other) => other.id === cell.twinOf);
    return baselineCell === undefined ? [] : [{ cell, baselineCell }];
  });
}

/**
 * The A/A pair that a difference between these cells is held against: one of the memory size and the
 * architecture of any of them. Its noise floor says nothing of other sizes (decision 0005).
 */
export function twinPairAt(plan: Plan, cells: readonly Cell[]): Pair | undefined {
  return twinPairs(plan).find(({ cell: twin }) =>
    cells.some(
      ({ memoryMb, architecture }) =>
        memoryMb === twin.memoryMb && architecture === twin.architecture,
    ),
  );
}
