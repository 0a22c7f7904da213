import type { Cell, Plan } from "../../contract/types/contract.ts";
import { costPerMillionUsd } from "../../cost/cost-per-million.ts";
import { describeAbsence, lambdaPrice, type PriceTable } from "../../cost/prices.ts";
import type { CollectedSamples } from "../collect/collect-samples.ts";
import { measureOf } from "./measure.ts";
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

/** One invocation in a hundred is cold. */
const defaultColdShare = 0.01;

export function costView(
  plan: Plan,
  samples: CollectedSamples,
  prices: PriceTable,
  region: string,
): CostView {
  const cells = orderedCells(plan).filter((cell) => cell.twinOf === undefined);
  return {
    coldShare: defaultColdShare,
    coldOperation: plan.coldOperation,
    pricesDate: prices.date,
    pricesRegion: region,
    cells: cells.map((cell) => cellCost(plan, cell, samples, prices, region)),
  };
}

function cellCost(
  plan: Plan,
  cell: Cell,
  samples: CollectedSamples,
  prices: PriceTable,
  region: string,
): CellCost {
  const billed = (operation: string, phase: "cold" | "warm") =>
    measureOf(samples.series(cell.id, operation, phase), "billedDurationMs");
  const price = lambdaPrice(prices, region, cell.architecture);
  const costAt = (coldMs: number | undefined, warmMs: number | undefined, share: number) => {
    // A phase of which no call is counted need not have been measured.
    const coldBilledMs = share === 0 ? 0 : coldMs;
    const warmBilledMs = share === 1 ? 0 : warmMs;
    if (coldBilledMs === undefined || warmBilledMs === undefined) return undefined;
    if (price.kind === "price-absent") return undefined;
    const medians = { coldBilledMs, warmBilledMs, memoryMb: cell.memoryMb };
    return costPerMillionUsd(medians, share, price);
  };
  const cold = billed(plan.coldOperation, "cold");
  const warm = plan.sizes.warmEnvironments === 0 ? [] : plan.warmOperations;
  return {
    cell,
    coldEnvironments: cold.environments,
    ...given("coldBilledDurationMs", cold.median),
    ...given("coldUsdPerMillion", costAt(cold.median, undefined, 1)),
    warm: warm.map((operation) => {
      const { median, environments } = billed(operation, "warm");
      return {
        operation,
        environments,
        ...given("billedDurationMs", median),
        ...given("warmUsdPerMillion", costAt(undefined, median, 0)),
        ...given("blendedUsdPerMillion", costAt(cold.median, median, defaultColdShare)),
      };
    }),
    ...(price.kind === "price-absent" && { priceAbsent: describeAbsence(price, prices) }),
  };
}

function given<Key extends string>(key: Key, value: number | undefined) {
  return (value === undefined ? {} : { [key]: value }) as { readonly [Name in Key]?: number };
}
