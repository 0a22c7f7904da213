import type { Cell } from "../../../contract/types/contract.ts";
import { costPerMillionUsd } from "../../../cost/cost-per-million.ts";
import { lambdaPrice } from "../../../cost/prices.ts";
import type { Series } from "../../../statistics/series.ts";
import { type Comparison, comparisonsFrom } from "../../view/comparisons.ts";
import { type Measure, measureOfSeries } from "../../view/measure.ts";
import type { ViewInputs } from "../../view/report-view.ts";

/** What cold starts cost, and what each change does to that. */
export interface ColdCosts {
  readonly coldCosts: readonly ColdCost[];
  readonly coldCostComparisons: readonly Comparison[];
}

/** What a million cold starts of one cell cost. */
export interface ColdCost {
  readonly cell: Cell;
  readonly usdPerMillion: Measure;
}

/** Cost is a rising function of the bill: a median's bounds stay its bounds. */
export function coldCosts(
  { plan, samples, subject, prices, manifest }: ViewInputs,
  cells: readonly Cell[],
): ColdCosts {
  const usdSeries = (cell: Cell): Series => {
    const price = lambdaPrice(prices, manifest.prices.region, cell.architecture);
    if (price.kind === "price-absent") return { units: [] };
    const usd = (coldBilledMs: number) =>
      costPerMillionUsd({ coldBilledMs, warmBilledMs: 0, memoryMb: cell.memoryMb }, 1, price);
    const billed = samples.series(cell.id, plan.coldOperation, "cold").series("billedDurationMs");
    return {
      units: billed.units.map(({ block, values }) => ({ block, values: values.map(usd) })),
    };
  };
  const wanted = [{ phase: "cold", quantities: ["own.coldUsdPerMillion"] }] as const;
  return {
    coldCosts: cells.map((cell) => ({ cell, usdPerMillion: measureOfSeries(usdSeries(cell)) })),
    coldCostComparisons: comparisonsFrom(plan, subject.baselineVariant, usdSeries, wanted).variants,
  };
}
