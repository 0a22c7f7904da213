import {
  type Bills,
  type CostMeasure,
  costFigure,
  findBills,
  measureCost,
  pricedSamples,
  ratioOfFigures,
} from "../../analysis/billed-cost.ts";
import { type Pair, variantPairs } from "../../analysis/cell-pairs.ts";
import { type Comparison, noiseFloors } from "../../analysis/comparisons.ts";
import { adjustedInRun, withAdjusted } from "../../analysis/family.ts";
import { ranksOfSeries, withVerdict } from "../../analysis/series-ratio.ts";
import type { SummaryInputs } from "../../analysis/summary.ts";
import type { Cell } from "../../contract/types/contract.ts";

/** Costs of cold starts, and how each change affects them. */
export interface ColdCosts {
  readonly coldCosts: readonly ColdCost[];
  readonly coldCostComparisons: readonly Comparison[];
}

/** Cost of a million cold starts of one cell. */
interface ColdCost {
  readonly cell: Cell;
  /** Absent without a price. */
  readonly usdPerMillion?: CostMeasure;
}

export function coldCosts(inputs: SummaryInputs, cells: readonly Cell[]): ColdCosts {
  const { plan } = inputs;
  const compared = variantPairs(plan, inputs.subject.baselineVariant).flatMap((pair) => {
    const ratio = ratioOfColdCosts(inputs, pair);
    return ratio === undefined ? [] : [{ ...pair, ...ratio }];
  });
  const floorAt = noiseFloors(plan, (replicas) => ratioOfColdCosts(inputs, replicas)?.ratio);
  return {
    coldCosts: cells.map((cell) => {
      const bills = coldBills(inputs, cell);
      return { cell, ...(bills && { usdPerMillion: measureCost(bills, 1, plan.seed) }) };
    }),
    coldCostComparisons: withAdjusted(
      compared.map((pair) => {
        const series = { phase: "cold", operation: plan.coldOperation, quantity } as const;
        return { ...series, ...withVerdict(pair, floorAt([pair.cell])) };
      }),
      adjustedInRun(plan, compared),
    ),
  };
}

const quantity = "own.coldUsdPerMillion";

function coldBills(inputs: SummaryInputs, cell: Cell): Bills | undefined {
  return findBills(pricedSamples(inputs), cell, inputs.plan.coldOperation);
}

/** The ratio is of means; the p-value is of the billed durations' ranks, which are the same for costs at one size. */
function ratioOfColdCosts(inputs: SummaryInputs, { cell, baselineCell }: Pair) {
  const [above, below] = [coldBills(inputs, cell), coldBills(inputs, baselineCell)];
  if (above === undefined || below === undefined) return undefined;
  const { plan } = inputs;
  const ofRanks = ranksOfSeries(above.cold, below.cold, plan);
  return { ...ofRanks, ...ratioOfFigures(costFigure(above, 1), costFigure(below, 1), plan) };
}
