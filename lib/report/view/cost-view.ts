import { warmOperationsOf } from "../../contract/operations-of.ts";
import type { Cell, Plan } from "../../contract/types/contract.ts";
import { costPerMillionUsd } from "../../cost/cost-per-million.ts";
import {
  describeAbsence,
  type LambdaPrice,
  lambdaPrice,
  type PriceAbsent,
  type PriceTable,
} from "../../cost/prices.ts";
import type { CollectedSamples } from "../collect/collect-samples.ts";
import { type Measure, measureOf } from "./measure.ts";
import { orderedCells } from "./series-view.ts";

/** What a million invocations of one cell cost, USD. Absent: not measured, or no price known. */
export interface CellCost {
  readonly cell: Cell;
  readonly coldBilledDurationMs?: number;
  readonly coldEnvironments: number;
  readonly coldUsdPerMillion?: number;
  readonly warm: readonly WarmCost[];
  /** Why there is no price. */
  readonly priceAbsent?: string;
}

export interface WarmCost {
  readonly operation: string;
  readonly environments: number;
  readonly billedDurationMs?: number;
  readonly warmUsdPerMillion?: number;
  /** At the cold share, the cold ones billed as the cold operation is. */
  readonly blendedUsdPerMillion?: number;
}

export interface CostView {
  readonly coldShare: number;
  readonly coldOperation: string;
  readonly pricesDate: string;
  readonly pricesRegion: string;
  readonly cells: readonly CellCost[];
}

export function costView(
  plan: Plan,
  samples: CollectedSamples,
  prices: PriceTable,
  region: string,
  coldShare: number,
): CostView {
  const cells = orderedCells(plan).filter((cell) => cell.twinOf === undefined);
  return {
    coldShare,
    coldOperation: plan.coldOperation,
    pricesDate: prices.date,
    pricesRegion: region,
    cells: cells.map((cell) => cellCost(plan, cell, samples, prices, region, coldShare)),
  };
}

function cellCost(
  plan: Plan,
  cell: Cell,
  samples: CollectedSamples,
  prices: PriceTable,
  region: string,
  coldShare: number,
): CellCost {
  const price = lambdaPrice(prices, region, cell.architecture);
  const billed = (operation: string, phase: "cold" | "warm") =>
    measureOf(samples.series(cell.id, operation, phase), "billedDurationMs");
  const cold = billed(plan.coldOperation, "cold");
  const warm = plan.sizes.warmEnvironments === 0 ? [] : warmOperationsOf(plan, cell.variant);
  return {
    cell,
    coldEnvironments: cold.environments,
    ...given("coldBilledDurationMs", cold.median),
    ...given("coldUsdPerMillion", usdPerMillion(price, cell, { coldMs: cold.median }, 1)),
    warm: warm.map((operation) =>
      warmCost(operation, billed(operation, "warm"), cold.median, coldShare, (billedMs, share) =>
        usdPerMillion(price, cell, billedMs, share),
      ),
    ),
    ...(price.kind === "price-absent" && { priceAbsent: describeAbsence(price, prices) }),
  };
}

/** Medians of the phases; absent where not measured. */
interface BilledMs {
  readonly coldMs?: number | undefined;
  readonly warmMs?: number | undefined;
}

function warmCost(
  operation: string,
  { median: warmMs, environments }: Measure,
  coldMs: number | undefined,
  coldShare: number,
  usd: (billedMs: BilledMs, share: number) => number | undefined,
): WarmCost {
  return {
    operation,
    environments,
    ...given("billedDurationMs", warmMs),
    ...given("warmUsdPerMillion", usd({ warmMs }, 0)),
    ...given("blendedUsdPerMillion", usd({ coldMs, warmMs }, coldShare)),
  };
}

/** Undefined without a price, or without a phase that the share counts. */
function usdPerMillion(
  price: LambdaPrice | PriceAbsent,
  { memoryMb }: Cell,
  { coldMs, warmMs }: BilledMs,
  share: number,
): number | undefined {
  const coldBilledMs = share === 0 ? 0 : coldMs;
  const warmBilledMs = share === 1 ? 0 : warmMs;
  if (coldBilledMs === undefined || warmBilledMs === undefined) return undefined;
  if (price.kind === "price-absent") return undefined;
  return costPerMillionUsd({ coldBilledMs, warmBilledMs, memoryMb }, share, price);
}

function given<Key extends string>(key: Key, value: number | undefined) {
  return (value === undefined ? {} : { [key]: value }) as { readonly [Name in Key]?: number };
}

export function costOfCell({ cells }: CostView, cell: Cell): CellCost | undefined {
  return cells.find((candidate) => candidate.cell.id === cell.id);
}

export function warmCostOf(cost: CostView, cell: Cell, operation: string): WarmCost | undefined {
  return costOfCell(cost, cell)?.warm.find((warm) => warm.operation === operation);
}
