import type { Cell, Plan } from "../contract/types/contract.ts";
import { isSameSize } from "../plan/matrix.ts";
import type { Pair } from "./cell-pairs.ts";
import { comparedCells } from "./series-view.ts";

/** Two cells that differ in one factor alone, as the plan declares it. */
export interface FactorPair extends Pair {
  /** `architecture`, or the plan's name for it: `runtime`, `layers`, a variable's name. */
  readonly factor: string;
}

/**
 * Returns the pairs that the run declares to differ in one factor: arm64 with x86_64 for each variant and size that
 * has both, and the variants named by a functions file. An import has none, because its cells were not measured in
 * the same blocks.
 */
export function listFactorPairs(plan: Plan): readonly FactorPair[] {
  if (plan.target === "imported") return [];
  return [...architecturePairs(plan), ...declaredPairs(plan)];
}

/** Returns the factor pairs that are not among the known pairs. */
export function factorPairsBeside(plan: Plan, known: readonly Pair[]): readonly FactorPair[] {
  return listFactorPairs(plan).filter(
    ({ cell, baselineCell }) =>
      !known.some((pair) => pair.cell === cell && pair.baselineCell === baselineCell),
  );
}

function architecturePairs(plan: Plan): readonly FactorPair[] {
  const cells = comparedCells(plan);
  return cells.flatMap((cell) => {
    if (cell.architecture !== "arm64") return [];
    const baselineCell = cells.find(
      (other) =>
        other.architecture === "x86_64" &&
        other.variant === cell.variant &&
        isSameSize({ ...other, architecture: "arm64" }, cell),
    );
    return baselineCell === undefined ? [] : [{ factor: "architecture", cell, baselineCell }];
  });
}

function declaredPairs(plan: Plan): readonly FactorPair[] {
  const cells = comparedCells(plan);
  return (plan.factors ?? []).flatMap(({ factor, variant, baseline }) =>
    cells.flatMap((cell) => {
      if (cell.variant !== variant) return [];
      const baselineCell = cells.find(
        (other) => other.variant === baseline && isSameSize(other, cell),
      );
      return baselineCell === undefined ? [] : [{ factor, cell, baselineCell }];
    }),
  );
}

export function isSameArchitecture(one: Cell, other: Cell): boolean {
  return one.architecture === other.architecture;
}
