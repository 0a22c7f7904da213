import type { Cell, Plan } from "../contract/types/contract.ts";
import { lambdaPrice, type PriceTable } from "../cost/prices.ts";
import { listWarmOperations } from "../plan/trial-calls.ts";
import { median } from "../statistics/order-statistics.ts";
import type { Ratio } from "../statistics/ratio.ts";
import { medianPerEnvironment, type Series } from "../statistics/series.ts";
import type { CollectedSamples } from "./collect-samples.ts";
import { type Compared, ratioOfSeries, withVerdict } from "./comparisons.ts";
import {
  asSeries,
  type ByEnvironment,
  type CostView,
  costOfCell,
  costTimesDuration,
  findWarmCost,
  invocationCosts,
} from "./cost-view.ts";
import type { Traffic } from "./report-subject.ts";
import { orderedCells, twinPairAt, variantPairs } from "./series-view.ts";

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
interface RecommendationInputs {
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
      return operation === undefined ? [] : [chooseSizes(inputs, variant, operation, own)];
    }),
    breakEvens: breakEvens(plan, inputs.baselineVariant, inputs.cost),
  };
}

function chooseSizes(
  inputs: RecommendationInputs,
  variant: string,
  operation: string,
  cells: readonly Cell[],
): VariantChoice {
  const { plan, samples } = inputs;
  const warm = (cell: Cell) => samples.series(cell.id, operation, "warm");
  const costs = new Map(cells.map((cell) => [cell.id, environmentCosts(inputs, cell, operation)]));
  const costOf = (cell: Cell) => costs.get(cell.id) ?? new Map();
  const floorAt = (sizes: readonly Cell[]) => twinRatio(inputs, operation, sizes);
  const best = (of: (cell: Cell) => Series) =>
    chooseBest(
      cells.map((cell) => ({ cell, series: of(cell) })),
      plan,
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

function environmentCosts(
  inputs: RecommendationInputs,
  cell: Cell,
  operation: string,
): ByEnvironment {
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
  return ratioOfSeries(series(pair.cell), series(pair.baselineCell), plan).ratio;
}

function sizeCost(
  { cost, traffic }: RecommendationInputs,
  cell: Cell,
  operation: string,
  cheapest: Best,
): SizeCost {
  const usdPerMillion = findWarmCost(cost, cell, operation)?.blendedUsdPerMillion;
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

/** One size and what it is judged by: less is better. */
interface Candidate {
  readonly cell: Cell;
  readonly series: Series;
}

/** The best size's measure over another one's: below 1 it is less. */
export interface AgainstOther extends Compared {
  readonly cell: Cell;
}

/**
 * Which size is best. Decided only where its verdict against every other one is `faster`, which of
 * a cost is cheaper: the others are named where it is not, the one of the least median first.
 */
export type Best =
  | {
      readonly kind: "decided";
      readonly cell: Cell;
      readonly against: readonly AgainstOther[];
    }
  | {
      readonly kind: "undecided";
      readonly among: readonly Cell[];
      /** Of the first of them. */
      readonly against: readonly AgainstOther[];
    }
  /** Fewer than two sizes were measured: there is nothing to choose. */
  | { readonly kind: "no-choice" };

function chooseBest(
  candidates: readonly Candidate[],
  plan: Plan,
  noiseFloorAt: (sizes: readonly Cell[]) => Ratio | undefined,
): Best {
  const measured = candidates.filter(({ series }) => medianPerEnvironment(series).length > 0);
  const middle = ({ series }: Candidate) => median(medianPerEnvironment(series));
  const [first, ...others] = measured.toSorted((a, b) => middle(a) - middle(b));
  if (first === undefined || others.length === 0) return { kind: "no-choice" };
  const against = others.map((other): AgainstOther => {
    const pair = ratioOfSeries(first.series, other.series, plan);
    return { cell: other.cell, ...withVerdict(pair, noiseFloorAt([first.cell, other.cell])) };
  });
  const rivals = against.filter(({ verdict }) => verdict !== "faster");
  return rivals.length === 0
    ? { kind: "decided", cell: first.cell, against }
    : { kind: "undecided", among: [first, ...rivals].map(({ cell }) => cell), against };
}

/**
 * The warm operation that a variant's size is chosen by: the one that is measured cold too, where it
 * is work and the variant makes it; else the variant's first.
 */
function judgedBy(plan: Plan, variant: string): string | undefined {
  const made = listWarmOperations(plan, variant);
  const work = made.filter((operation) => operation !== "noop");
  return work.includes(plan.coldOperation) ? plan.coldOperation : (work[0] ?? made[0]);
}

/** The cold share at which two variants of one size cost the same, by the medians. */
export interface BreakEven {
  readonly operation: string;
  readonly cell: Cell;
  readonly baselineCell: Cell;
  /** Which of the two variants costs less where no invocation is cold; absent where neither does. */
  readonly cheaperWarm?: string;
  /** And where every one is. */
  readonly cheaperCold?: string;
  /** 0 to 1; absent where one variant is the cheaper at every share. */
  readonly coldShare?: number;
}

/** Every variant with the baseline of its size, where both make the operation that is judged by. */
function breakEvens(plan: Plan, baselineVariant: string, cost: CostView): readonly BreakEven[] {
  return variantPairs(plan, baselineVariant).flatMap(({ cell, baselineCell }) => {
    const operation = judgedBy(plan, cell.variant);
    if (operation === undefined || operation !== judgedBy(plan, baselineVariant)) return [];
    const [own, baseline] = [cell, baselineCell].map((of) => ({
      cold: costOfCell(cost, of)?.coldUsdPerMillion,
      warm: findWarmCost(cost, of, operation)?.warmUsdPerMillion,
    }));
    const coldLess = difference(own?.cold, baseline?.cold);
    const warmLess = difference(own?.warm, baseline?.warm);
    if (coldLess === undefined || warmLess === undefined) return [];
    const cheaper = (less: number) => (less < 0 ? cell.variant : baselineVariant);
    const share = equalAt(warmLess, coldLess);
    return [
      {
        operation,
        cell,
        baselineCell,
        ...(warmLess !== 0 && { cheaperWarm: cheaper(warmLess) }),
        ...(coldLess !== 0 && { cheaperCold: cheaper(coldLess) }),
        ...(share !== undefined && { coldShare: share }),
      },
    ];
  });
}

function difference(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? undefined : one - other;
}

/** The share s at which (1 - s) warm + s cold is 0; undefined where it is nowhere, or everywhere. */
export function equalAt(warmLess: number, coldLess: number): number | undefined {
  const share = warmLess / (warmLess - coldLess);
  return share >= 0 && share <= 1 ? share : undefined;
}
