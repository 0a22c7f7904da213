import type { Cell, Plan } from "../../contract/types/contract.ts";
import { lambdaPrice, type PriceTable } from "../../cost/prices.ts";
import type { Ratio } from "../../statistics/ratio.ts";
import type { Series } from "../../statistics/series.ts";
import type { CollectedSamples } from "../collect/collect-samples.ts";
import type { Traffic } from "../traffic.ts";
import { type AgainstOther, type Best, bestOf } from "./best.ts";
import { type BreakEven, breakEvens } from "./break-even.ts";
import { twinPairAt } from "./cell-pairs.ts";
import { ratioOfSeries } from "./compared.ts";
import { type CostView, warmCostOf } from "./cost-view.ts";
import {
  asSeries,
  type ByEnvironment,
  costTimesDuration,
  invocationCosts,
} from "./invocation-costs.ts";
import { judgedBy } from "./judged-by.ts";
import { orderedCells } from "./series-view.ts";

/** Which size to take of each variant, and what that costs. */
export interface Recommendation extends Traffic {
  readonly variants: readonly VariantChoice[];
  readonly breakEvens: readonly BreakEven[];
}

/** The best size of a variant, by each of three measures. */
export interface VariantChoice {
  readonly variant: string;
  /** The warm operation that it is judged by. */
  readonly operation: string;
  /** The least warm Duration. */
  readonly fastest: Best;
  /** The least cost of an invocation at the cold share. */
  readonly cheapest: Best;
  /** The least product of the two. */
  readonly balanced: Best;
  readonly sizes: readonly SizeCost[];
}

/** What a size costs at the cold share, by the medians. Absent: not measured, or no price known. */
export interface SizeCost {
  readonly cell: Cell;
  readonly usdPerMillion?: number;
  readonly usdPerMonth?: number;
  /** The cheapest size's cost over this one's; absent of the cheapest itself. */
  readonly ofCheapest?: AgainstOther;
}

/** What a recommendation is worked out from. */
export interface RecommendationInputs {
  readonly plan: Plan;
  readonly samples: CollectedSamples;
  readonly prices: PriceTable;
  readonly region: string;
  readonly baselineVariant: string;
  readonly traffic: Traffic;
  readonly cost: CostView;
}

/** Undefined where no warm call was planned: a size that was only started is none to take. */
export function recommendation(inputs: RecommendationInputs): Recommendation | undefined {
  const { plan, traffic } = inputs;
  if (plan.sizes.warmEnvironments === 0) return undefined;
  const cells = orderedCells(plan).filter((cell) => cell.twinOf === undefined);
  const variants = [...new Set(cells.map(({ variant }) => variant))];
  return {
    ...traffic,
    variants: variants.flatMap((variant) => {
      const own = cells.filter((cell) => cell.variant === variant);
      const operation = judgedBy(plan, variant);
      return operation === undefined ? [] : [choiceOf(inputs, variant, operation, own)];
    }),
    breakEvens: breakEvens(plan, inputs.baselineVariant, inputs.cost),
  };
}

function choiceOf(
  inputs: RecommendationInputs,
  variant: string,
  operation: string,
  cells: readonly Cell[],
): VariantChoice {
  const { plan, samples } = inputs;
  const warm = (cell: Cell) => samples.series(cell.id, operation, "warm");
  const costs = new Map(cells.map((cell) => [cell.id, costsOf(inputs, cell, operation)]));
  const costOf = (cell: Cell) => costs.get(cell.id) ?? new Map();
  const floorAt = (sizes: readonly Cell[]) => twinRatio(inputs, operation, sizes);
  const best = (of: (cell: Cell) => Series) =>
    bestOf(
      cells.map((cell) => ({ cell, series: of(cell) })),
      plan.seed,
      floorAt,
    );
  const cheapest = best((cell) => asSeries(costOf(cell)));
  return {
    variant,
    operation,
    fastest: best((cell) => warm(cell).series("durationMs")),
    cheapest,
    balanced: best((cell) => asSeries(costTimesDuration(costOf(cell), warm(cell)))),
    sizes: cells.map((cell) => sizeCost(inputs, cell, operation, cheapest)),
  };
}

function costsOf(inputs: RecommendationInputs, cell: Cell, operation: string): ByEnvironment {
  const { plan, samples, prices, region, traffic } = inputs;
  const price = lambdaPrice(prices, region, cell.architecture);
  if (price.kind === "price-absent") return new Map();
  return invocationCosts(
    samples.series(cell.id, plan.coldOperation, "cold"),
    samples.series(cell.id, operation, "warm"),
    { memoryMb: cell.memoryMb, coldShare: traffic.coldShare, price },
  );
}

/** What the same code, deployed twice, differs by at one of the sizes. */
function twinRatio(
  { plan, samples }: RecommendationInputs,
  operation: string,
  sizes: readonly Cell[],
): Ratio | undefined {
  const pair = twinPairAt(plan, sizes);
  if (pair === undefined) return undefined;
  const series = (cell: Cell) => samples.series(cell.id, operation, "warm").series("durationMs");
  return ratioOfSeries(series(pair.cell), series(pair.baselineCell), plan.seed).ratio;
}

function sizeCost(
  { cost, traffic }: RecommendationInputs,
  cell: Cell,
  operation: string,
  cheapest: Best,
): SizeCost {
  const usdPerMillion = warmCostOf(cost, cell, operation)?.blendedUsdPerMillion;
  const ofCheapest =
    cheapest.kind === "no-choice"
      ? undefined
      : cheapest.against.find((other) => other.cell.id === cell.id);
  return {
    cell,
    ...(usdPerMillion !== undefined && {
      usdPerMillion,
      usdPerMonth: (usdPerMillion * traffic.invocationsPerMonth) / 1_000_000,
    }),
    ...(ofCheapest !== undefined && { ofCheapest }),
  };
}
