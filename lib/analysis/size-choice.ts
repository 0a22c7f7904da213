import type { Cell, Manifest, Plan, Sample, SizeChoiceBasis } from "../contract/types/contract.ts";
import { costPerMillionAt } from "../cost/invocation-cost.ts";
import { looksOfPlan, type Skips, withoutSkipped } from "../plan/blocks.ts";
import { countSamples } from "../plan/stopping.ts";
import { countWarmCalls, listWarmOperations } from "../plan/trial-calls.ts";
import { mean } from "../statistics/order-statistics.ts";
import type { Series } from "../statistics/series.ts";
import {
  type Criterion,
  callsToDecide,
  callsWhereRare,
  isMeasuredIn,
  type Races,
  raceSizes,
} from "../statistics/size-race.ts";
import type { Racer } from "../statistics/size-ratio.ts";
import { type CollectedSamples, collectSamples } from "./collect-samples.ts";
import { familyErrorRate } from "./family.ts";
import { comparedCells } from "./series-view.ts";
import { makeLimitContinuation } from "./sizes-for-limits.ts";

/** Criteria for choosing a memory size. */
export type SizeCriterion = "cheapest" | "fastest" | "balanced";

/** The state of a run that chooses memory sizes. */
export interface SizeChoices {
  readonly tolerance: number;
  /** The cold share for which the costs are stated. */
  readonly coldShare: number;
  readonly variants: readonly VariantSizes[];
  /** Number of choices, and of undecided ones. */
  readonly choices: number;
  readonly undecided: number;
  /** Number of sizes still measured because of a limit. */
  readonly kept: number;
  /** Calls in the blocks that were started, and their number if no size had been dropped. */
  readonly calls: number;
  readonly callsOfAll: number;
}

/** The races between one variant's sizes; ids are those of its cells. */
export interface VariantSizes extends Races<SizeCriterion> {
  readonly variant: string;
  /** The warm operation that sizes are judged by. */
  readonly operation: string;
}

type WithRule = Plan & { readonly stopping: { readonly sizeChoice: SizeChoiceBasis } };

function hasSizeChoice(plan: Plan): plan is WithRule {
  return plan.stopping?.sizeChoice !== undefined;
}

/**
 * Returns the choices for the run's report, by the looks that the run made; looks beyond the end of its samples do
 * not count. Undefined for a run that chooses no sizes.
 */
export function sizeChoicesMade(
  plan: Plan,
  { stopping }: Pick<Manifest, "stopping">,
  samples: CollectedSamples,
): SizeChoices | undefined {
  const { blocks = 0 } = stopping ?? {};
  const { begunBlocks } = samples;
  return chooseSizes(plan, samples, Math.max(blocks, begunBlocks - 1), begunBlocks);
}

/** Returns the choices of a run that has just completed this many blocks. */
export async function sizeChoicesSoFar(
  plan: Plan,
  samples: AsyncIterable<Sample>,
  blocks: number,
): Promise<SizeChoices | undefined> {
  const noCost = { add: () => {} };
  const collected = await collectSamples(plan, samples, noCost, () => ({}));
  return chooseSizes(plan, collected, blocks, blocks);
}

function chooseSizes(
  plan: Plan,
  samples: CollectedSamples,
  blocks: number,
  begunBlocks: number,
): SizeChoices | undefined {
  if (!hasSizeChoice(plan)) return undefined;
  const { untilPrecision: tolerance, sizeChoice } = plan.stopping;
  const looks = looksOfPlan(plan).filter((look) => look <= blocks);
  const cells = comparedCells(plan);
  const names = [...new Set(cells.map(({ variant }) => variant))];
  const variants = names.flatMap((variant): readonly VariantSizes[] => {
    const operation = judgedBy(plan, variant);
    if (operation === undefined) return [];
    const own = cells.filter((cell) => cell.variant === variant);
    const measured = own.map((cell) => measuredOf(plan, samples, cell, operation));
    const criteria = sizeCriteria(measured);
    const isNeeded = makeLimitContinuation(plan, samples, own.map(pricedSize(measured)));
    const { calls, discarded } = countWarmCalls(plan, operation);
    const blocksOf = (wanted: number) => Math.ceil(wanted / (calls - discarded));
    const rule = {
      ...{ looks, tolerance, errorRate: familyErrorRate },
      blocksToDecide: blocksOf(callsToDecide),
      blocksWhereRare: blocksOf(callsWhereRare),
      ...(isNeeded !== undefined && { isNeeded }),
    };
    return [{ variant, operation, ...raceSizes(criteria, rule) }];
  });
  const races = variants.flatMap((each) => each.races);
  const startedPlan = { ...plan, blocks: plan.blocks.slice(0, begunBlocks) };
  const measuredPlan = withoutSkipped(startedPlan, skipsOf({ variants }));
  return {
    ...{ tolerance, coldShare: sizeChoice.coldShare, variants },
    choices: races.length,
    undecided: races.filter(({ chosen, left }) => chosen === undefined && left.length > 0).length,
    kept: variants.reduce((sum, each) => sum + each.kept.length, 0),
    calls: countSamples(plan, measuredPlan.blocks),
    callsOfAll: countSamples(plan, startedPlan.blocks),
  };
}

/** Returns a function that gives a cell's size with its mean cost in the first blocks. */
function pricedSize(measured: readonly MeasuredSize[]) {
  return (cell: Cell) => ({
    cell,
    usd: (blocks: number) => {
      const { usd = new Map<number, number>() } = measured.find(({ id }) => id === cell.id) ?? {};
      return mean([...usd].flatMap(([block, value]) => (block < blocks ? [value] : [])));
    },
  });
}

/** Returns which cells are no longer measured in a block. */
export function skipsOf({ variants }: Pick<SizeChoices, "variants">): Skips {
  return (cellId, block) =>
    variants.some(
      ({ stints }) =>
        stints[0]?.ids.includes(cellId) === true && !isMeasuredIn(stints, cellId, block),
    );
}

type ByBlock = ReadonlyMap<number, number>;

/** Measurements of a size, by block. */
export interface MeasuredSize extends Pick<Racer, "id" | "memoryMb"> {
  /** Cost of calls, in any unit that is the same for all sizes. */
  readonly usd: ByBlock;
  readonly meanMs: ByBlock;
}

/** Returns the criteria for sizes: mean cost and mean time of their calls. */
export function sizeCriteria(sizes: readonly MeasuredSize[]): readonly Criterion<SizeCriterion>[] {
  const racers = (quantities: (of: MeasuredSize) => readonly ByBlock[]) =>
    sizes.map((of): Racer => {
      const { id, memoryMb } = of;
      return { id, memoryMb, byBlock: together(quantities(of)) };
    });
  return [
    { name: "cheapest", racers: racers(({ usd }) => [usd]) },
    { name: "fastest", racers: racers(({ meanMs }) => [meanMs]) },
    { name: "balanced", racers: racers(({ usd, meanMs }) => [usd, meanMs]) },
  ];
}

function measuredOf(
  plan: WithRule,
  samples: CollectedSamples,
  { id, memoryMb }: Cell,
  operation: string,
): MeasuredSize {
  const { coldShare, limits: _, ...price } = plan.stopping.sizeChoice;
  const cold = samples.series(id, plan.coldOperation, "cold").series("billedDurationMs");
  const warm = samples.series(id, operation, "warm");
  const usdOf = costPerMillionAt(memoryMb, coldShare, { kind: "lambda-price", ...price });
  const [coldMs, warmMs] = [meansByBlock(cold), meansByBlock(warm.series("billedDurationMs"))];
  const usd = [...warmMs].flatMap(([block, ms]): readonly (readonly [number, number])[] => {
    // A cold share of 0 adds nothing to the cost.
    const ofCold = coldShare === 0 ? 0 : coldMs.get(block);
    return ofCold === undefined ? [] : [[block, usdOf(ofCold, ms)]];
  });
  return {
    ...{ id, memoryMb },
    usd: new Map(usd),
    meanMs: meansByBlock(warm.series("durationMs")),
  };
}

/** Returns one number per block: the mean over its environments of the mean of their calls. */
function meansByBlock({ units }: Series): ByBlock {
  const ofBlock = new Map<number, number[]>();
  for (const { block, values } of units) {
    const own = mean(values);
    if (own !== undefined) ofBlock.set(block, [...(ofBlock.get(block) ?? []), own]);
  }
  return new Map([...ofBlock].flatMap(([block, means]) => [[block, mean(means) ?? 0] as const]));
}

/** Returns the blocks in which every quantity was measured and is above 0, as a ratio requires. */
function together(quantities: readonly ByBlock[]): ReadonlyMap<number, readonly number[]> {
  const [first = new Map<number, number>()] = quantities;
  const rows = [...first.keys()].flatMap((block) => {
    const values = quantities.flatMap((each) => each.get(block) ?? []);
    const isWhole = values.length === quantities.length && values.every((value) => value > 0);
    return isWhole ? [[block, values] as const] : [];
  });
  return new Map(rows);
}

/**
 * Returns the warm operation that a variant's size is chosen by: the one that is also measured cold, if it is not
 * `noop` and the variant makes it; otherwise the variant's first, other than `noop` if possible.
 */
export function judgedBy(plan: Plan, variant: string): string | undefined {
  const operations = listWarmOperations(plan, variant);
  const work = operations.filter((operation) => operation !== "noop");
  return work.includes(plan.coldOperation) ? plan.coldOperation : (work[0] ?? operations[0]);
}
