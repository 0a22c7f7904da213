import { defined } from "../contract/defined.ts";
import type { Cell, Plan } from "../contract/types/contract.ts";
import { type FigureOfMeans, figureAtMeans } from "../statistics/mean-interval.ts";
import {
  costFigure,
  findBills,
  type Interval,
  type PricedSamples,
  ratioOfFigures,
} from "./billed-cost.ts";
import { type BreakEven, breakEvens } from "./break-even.ts";
import { noiseFloors } from "./comparisons.ts";
import { type CostView, findWarmCost } from "./cost-view.ts";
import { isLimited } from "./measured-calls.ts";
import type { Traffic } from "./report-subject.ts";
import { type Compared, ratioOfSeries, withVerdict } from "./series-ratio.ts";
import { comparedCells } from "./series-view.ts";
import {
  judgedBy,
  type SizeChoices,
  type SizeCriterion,
  type VariantSizes,
} from "./size-choice.ts";
import { type Unsound, unsoundCalls } from "./standing.ts";

/** The recommended size of each variant, with its cost. */
export interface Recommendation extends Traffic {
  readonly variants: readonly VariantChoice[];
  /** Sizes that are not recommended, however cheap: see unsoundCalls. Absent if there are none. */
  readonly leftOut?: readonly LostSize[];
  readonly breakEvens: readonly BreakEven[];
}

/** A size that is not recommended by the calls that are left. */
interface LostSize {
  readonly cell: Cell;
  readonly lost: number;
  readonly unsound: Unsound;
}

/** The best size of a variant, by each of three measures. */
export interface VariantChoice {
  readonly variant: string;
  /** The warm operation that its sizes are judged by. */
  readonly operation: string;
  /** The size with the lowest mean warm Duration. */
  readonly fastest: Best;
  /** The size with the lowest mean cost of an invocation at the cold share. */
  readonly cheapest: Best;
  /** The size with the lowest product of that cost and the mean warm Duration. */
  readonly balanced: Best;
  readonly sizes: readonly SizeCost[];
}

/** A size's cost at the cold share, by the means. Fields are absent if not measured, or if no price is known. */
export interface SizeCost {
  readonly cell: Cell;
  readonly usdPerMillion?: number;
  readonly usdInterval?: Interval;
  readonly usdPerMonth?: number;
  /** Mean warm Duration of the operation that sizes are judged by. */
  readonly warmMs?: number;
  /** The cheapest size's cost over this one's; absent for the cheapest itself. */
  readonly ofCheapest?: AgainstOther;
}

interface RecommendationInputs extends PricedSamples {
  readonly baselineVariant: string;
  readonly traffic: Traffic;
  readonly cost: CostView;
  /** Choices of a run that chooses sizes, for the same traffic. If present, they are the recommendation. */
  readonly sizeChoices?: SizeChoices;
}

/** Returns undefined if no warm call was planned: a size is not recommended by cold starts alone. */
export function recommendation(inputs: RecommendationInputs): Recommendation | undefined {
  const { plan, traffic } = inputs;
  if (plan.sizes.warmEnvironments === 0) return undefined;
  const all = comparedCells(plan);
  const leftOut = all.flatMap((cell) => lostSize(inputs, cell));
  const cells = all.filter(
    (cell) => isLimited(inputs, cell) && !leftOut.some(({ cell: { id } }) => id === cell.id),
  );
  const variants = [...new Set(cells.map(({ variant }) => variant))];
  return {
    ...traffic,
    ...(leftOut.length > 0 && { leftOut }),
    variants: variants.flatMap((variant) => {
      const own = cells.filter((cell) => cell.variant === variant);
      const operation = judgedBy(plan, variant);
      return operation === undefined ? [] : [chooseSizes(inputs, variant, operation, own)];
    }),
    breakEvens: breakEvens(inputs),
  };
}

function lostSize({ plan, samples }: RecommendationInputs, cell: Cell): readonly LostSize[] {
  const counts = samples.quality.byCell.get(cell.id);
  const found = (["cold", "warm"] as const).flatMap(
    (phase) => unsoundCalls(plan.target, cell, counts, phase) ?? [],
  );
  return found.slice(0, 1).map((unsound) => ({ cell, lost: unsound.calls, unsound }));
}

function chooseSizes(
  inputs: RecommendationInputs,
  variant: string,
  operation: string,
  cells: readonly Cell[],
): VariantChoice {
  const { plan, sizeChoices } = inputs;
  const costOf = (cell: Cell) => costAtShare(inputs, cell, operation);
  const raced = sizeChoices?.variants.find((each) => each.variant === variant);
  const best = (name: SizeCriterion, by: Criterion) =>
    raced === undefined ? chooseBest(plan, cells, by) : bestOfRace(raced, name, cells);
  const cheapest = best("cheapest", byMeans(plan, costOf));
  const costTimesDuration = (cell: Cell) => {
    const cost = costOf(cell);
    return cost && timesDuration(inputs, cell, operation, cost);
  };
  return {
    variant,
    operation,
    fastest: best("fastest", byDuration(inputs, operation)),
    cheapest,
    balanced: best("balanced", byMeans(plan, costTimesDuration)),
    sizes: cells.map((cell) => sizeCost(inputs, cell, operation, cheapest)),
  };
}

/** A criterion for sizes: less is better. */
interface Criterion {
  /** Returns undefined if it was not measured. */
  valueOf(cell: Cell): number | undefined;
  ratioOf(cell: Cell, other: Cell): ReturnType<typeof ratioOfSeries>;
}

function byDuration({ plan, samples }: RecommendationInputs, operation: string): Criterion {
  const warm = ({ id }: Cell) => samples.series(id, operation, "warm").series("durationMs");
  return {
    valueOf: (cell) => figureAtMeans({ series: [warm(cell)], compute: ([mean = 0]) => mean }),
    ratioOf: (cell, other) => ratioOfSeries(warm(cell), warm(other), plan),
  };
}

function byMeans(plan: Plan, makeFigure: (cell: Cell) => FigureOfMeans | undefined): Criterion {
  const unmeasured: FigureOfMeans = { series: [{ units: [] }], compute: () => Number.NaN };
  const figures = new Map<string, FigureOfMeans>();
  const figureOf = (cell: Cell): FigureOfMeans => {
    const figure = figures.get(cell.id) ?? makeFigure(cell) ?? unmeasured;
    figures.set(cell.id, figure);
    return figure;
  };
  return {
    valueOf: (cell) => figureAtMeans(figureOf(cell)),
    ratioOf: (cell, other) => ratioOfFigures(figureOf(cell), figureOf(other), plan),
  };
}

function costAtShare(
  inputs: RecommendationInputs,
  cell: Cell,
  operation: string,
): FigureOfMeans | undefined {
  const bills = findBills(inputs, cell, operation);
  return bills && costFigure(bills, inputs.traffic.coldShare);
}

/** Returns the product of an invocation's mean cost and the mean warm Duration. */
function timesDuration(
  { samples }: RecommendationInputs,
  cell: Cell,
  operation: string,
  cost: FigureOfMeans,
): FigureOfMeans {
  const duration = samples.series(cell.id, operation, "warm").series("durationMs");
  return {
    series: [...cost.series, duration],
    compute: (means) => cost.compute(means) * (means[cost.series.length] as number),
  };
}

function sizeCost(
  { cost, traffic, samples }: RecommendationInputs,
  cell: Cell,
  operation: string,
  cheapest: Best,
): SizeCost {
  const { blendedUsdPerMillion: usdPerMillion, blendedUsdInterval: usdInterval } =
    findWarmCost(cost, cell, operation) ?? {};
  const warm = samples.series(cell.id, operation, "warm").series("durationMs");
  const warmMs = figureAtMeans({ series: [warm], compute: ([mean = 0]) => mean });
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
    ...defined({ usdInterval, warmMs, ofCheapest }),
  };
}

/** The ratio of the best size's measure to another size's; below 1, the best is lower. */
export interface AgainstOther extends Compared {
  readonly cell: Cell;
}

/**
 * The best size. It is decided only if its verdict against every other one is `faster` (for a cost: cheaper).
 * Otherwise the candidates are listed, the one with the lowest measure first.
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
      /** Comparisons of the first of them with the others. */
      readonly against: readonly AgainstOther[];
    }
  /** Fewer than two sizes were measured, so there is no choice. */
  | { readonly kind: "no-choice" };

function chooseBest(plan: Plan, cells: readonly Cell[], by: Criterion): Best {
  const measured = cells.flatMap((cell) => {
    const value = by.valueOf(cell);
    return value === undefined ? [] : [{ cell, value }];
  });
  const [first, ...others] = measured.toSorted((a, b) => a.value - b.value).map(({ cell }) => cell);
  if (first === undefined || others.length === 0) return { kind: "no-choice" };
  const floorAt = noiseFloors(
    plan,
    ({ cell, baselineCell }) => by.ratioOf(cell, baselineCell).ratio,
  );
  const against = others.map((cell): AgainstOther => {
    return { cell, ...withVerdict(by.ratioOf(first, cell), floorAt([first, cell])) };
  });
  const rivals = against.filter(({ verdict }) => verdict !== "faster");
  return rivals.length === 0
    ? { kind: "decided", cell: first, against }
    : { kind: "undecided", among: [first, ...rivals.map(({ cell }) => cell)], against };
}

const verdicts = { beaten: "faster", covered: "equivalent", failed: "undecided" } as const;

/** Returns the result of a run that chose sizes. */
function bestOfRace({ races }: VariantSizes, name: SizeCriterion, cells: readonly Cell[]): Best {
  const race = races.find((each) => each.name === name);
  const remaining = (race?.left ?? []).flatMap((id) => cells.find((cell) => cell.id === id) ?? []);
  const [first] = remaining;
  if (race === undefined || first === undefined || cells.length < 2) return { kind: "no-choice" };
  if (race.chosen !== undefined && race.chosen.id !== first.id) return { kind: "no-choice" };
  const against = race.against.flatMap(({ id, blocks, ratio, low, high }): AgainstOther[] => {
    const cell = cells.find((each) => each.id === id);
    if (cell === undefined) return [];
    const why = race.exits.find((exit) => exit.id === id)?.why;
    const verdict = why === undefined ? "undecided" : verdicts[why];
    return [
      {
        cell,
        verdict,
        environments: blocks,
        baselineEnvironments: blocks,
        ...(low !== undefined && high !== undefined && { ratio, low, high }),
      },
    ];
  });
  return race.chosen === undefined
    ? { kind: "undecided", among: remaining, against }
    : { kind: "decided", cell: first, against };
}
