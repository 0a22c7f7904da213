import type { Cell } from "../contract/types/contract.ts";
import { listWarmOperations } from "../plan/trial-calls.ts";
import { costFigure, findBills, type PricedSamples, ratioOfFigures } from "./billed-cost.ts";
import { type Comparison, type Comparisons, noiseFloors } from "./comparisons.ts";
import { type FactorPair, listFactorPairs } from "./factor-pairs.ts";
import { primaryOnly } from "./family.ts";
import { type Compared, withVerdict } from "./series-ratio.ts";
import { listOperations } from "./series-view.ts";

/** Ratios of the times and costs of two cells that differ in one factor alone. */
export interface FactorComparison extends FactorPair {
  readonly times: readonly Comparison[];
  /** Empty if no price is known, or no operation is called warm. */
  readonly costs: readonly CostRatio[];
}

/**
 * The ratio of two cells' costs of an invocation of an operation, each at the price of its own architecture. The
 * interval is from the Billed Durations in the blocks that both have. `faster` means cheaper.
 */
export interface CostRatio extends Compared {
  readonly operation: string;
}

interface FactorInputs extends PricedSamples {
  readonly comparisons: Comparisons;
  /** Share of the invocations that are cold, between 0 and 1. */
  readonly coldShare: number;
}

/** Returns the run's comparisons of one factor; empty if it declares none. */
export function factorComparisons(inputs: FactorInputs): readonly FactorComparison[] {
  const { plan, comparisons } = inputs;
  const judged = primaryOnly([...comparisons.variants, ...(comparisons.factors ?? [])]);
  return listFactorPairs(plan).map((pair) => ({
    ...pair,
    times: judged.filter(
      ({ cell, baselineCell }) =>
        cell.id === pair.cell.id && baselineCell.id === pair.baselineCell.id,
    ),
    costs: costRatios(inputs, pair),
  }));
}

function costRatios(
  inputs: FactorInputs,
  { cell, baselineCell }: FactorPair,
): readonly CostRatio[] {
  const { plan } = inputs;
  const operationsOf = (of: Cell) => listWarmOperations(plan, of.variant);
  const shared = listOperations(plan, "warm").filter(
    (operation) =>
      operationsOf(cell).includes(operation) && operationsOf(baselineCell).includes(operation),
  );
  return shared.flatMap((operation) => {
    const ratioOf = (one: Cell, other: Cell) => ratioOfCosts(inputs, operation, one, other);
    const compared = ratioOf(cell, baselineCell);
    if (compared === undefined) return [];
    const floorAt = noiseFloors(plan, (pair) => ratioOf(pair.cell, pair.baselineCell)?.ratio);
    const floor = floorAt([cell, baselineCell]);
    return [{ operation, ...withVerdict(compared, floor, plan.verdicts) }];
  });
}

/** Returns undefined if either price is unknown. */
function ratioOfCosts(inputs: FactorInputs, operation: string, cell: Cell, baselineCell: Cell) {
  const bills = findBills(inputs, cell, operation);
  const baseline = findBills(inputs, baselineCell, operation);
  if (bills === undefined || baseline === undefined) return undefined;
  const { plan, coldShare } = inputs;
  return ratioOfFigures(costFigure(bills, coldShare), costFigure(baseline, coldShare), plan);
}
