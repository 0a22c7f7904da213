import type { Cell, Plan } from "../../contract/types/contract.ts";
import { type Ratio, ratioOfMedians } from "../../statistics/ratio.ts";
import {
  noiseFloorLog,
  type UndecidedReason,
  type VerdictKind,
  verdictOf,
} from "../../statistics/verdict.ts";
import type { CollectedSamples } from "../collect/collect-samples.ts";
import type { Quantity } from "../collect/quantities.ts";
import { type Pair, twinPairs, variantPairs } from "./cell-pairs.ts";
import { operationsOf, type Phase } from "./series-view.ts";

/** Two cells that differ in the variant alone: the variant's median over the baseline's. */
export interface Comparison {
  readonly phase: Phase;
  readonly operation: string;
  readonly quantity: Quantity;
  readonly cell: Cell;
  readonly baselineCell: Cell;
  readonly environments: number;
  readonly baselineEnvironments: number;
  /** Above 1 the variant takes longer than the baseline. Absent without an interval. */
  readonly ratio?: number;
  readonly low?: number;
  readonly high?: number;
  readonly environmentsNeeded?: number;
  readonly verdict: VerdictKind;
  readonly undecidedReason?: UndecidedReason;
  /** Of the A/A pair: the relative difference that the same code may show; 0.05 is 5 %. */
  readonly noiseFloor?: number;
}

/** What is compared in each phase. */
const compared: readonly (readonly [Phase, readonly Quantity[]])[] = [
  ["cold", ["initDurationMs", "durationMs", "initAndDurationMs"]],
  ["second", ["durationMs", "sdkCallMs"]],
  ["warm", ["durationMs", "sdkCallMs"]],
];

/** One quantity of two cells, before the verdict. */
interface RatioOfPair extends Pair {
  readonly phase: Phase;
  readonly operation: string;
  readonly quantity: Quantity;
  readonly ratio: Ratio;
  readonly environments: number;
  readonly baselineEnvironments: number;
}

/** Every variant against the baseline, and the A/A pair against itself. */
export interface Comparisons {
  readonly variants: readonly Comparison[];
  /** The same code deployed twice; no difference is true here. Empty without a pair. */
  readonly twins: readonly Comparison[];
}

export function comparisonsOf(
  plan: Plan,
  baselineVariant: string,
  samples: CollectedSamples,
): Comparisons {
  const twins = ratiosOf(plan, twinPairs(plan), samples);
  const variants = ratiosOf(plan, variantPairs(plan, baselineVariant), samples);
  return {
    twins: twins.map((pair) => ({ ...withVerdict(pair, undefined), ...floorOf(pair.ratio) })),
    variants: variants.map((pair) => withVerdict(pair, floorFor(pair, twins))),
  };
}

function floorOf(ratio: Ratio): { readonly noiseFloor?: number } {
  const log = noiseFloorLog(ratio);
  return log === undefined ? {} : { noiseFloor: Math.expm1(log) };
}

/**
 * The A/A pair's ratio of the same quantity, operation and phase, at the same memory size: what
 * 128 MB cannot tell apart, for want of CPU, says nothing of what 1,769 MB can.
 */
function floorFor(pair: RatioOfPair, twins: readonly RatioOfPair[]): Ratio | undefined {
  return twins.find(
    (twin) =>
      twin.phase === pair.phase &&
      twin.operation === pair.operation &&
      twin.quantity === pair.quantity &&
      twin.cell.memoryMb === pair.cell.memoryMb &&
      twin.cell.architecture === pair.cell.architecture,
  )?.ratio;
}

function withVerdict(pair: RatioOfPair, noiseFloor: Ratio | undefined): Comparison {
  const { ratio, ...rest } = pair;
  const verdict = verdictOf(ratio, noiseFloor === undefined ? {} : { noiseFloor });
  return {
    ...rest,
    ...(ratio.kind === "ratio" && { ratio: ratio.ratio, low: ratio.low, high: ratio.high }),
    ...(ratio.kind === "insufficient" && { environmentsNeeded: ratio.needed }),
    verdict: verdict.kind,
    ...(verdict.kind === "undecided" && { undecidedReason: verdict.reason }),
  };
}

function ratiosOf(
  plan: Plan,
  pairs: readonly Pair[],
  samples: CollectedSamples,
): readonly RatioOfPair[] {
  return compared.flatMap(([phase, quantities]) =>
    (phase === "warm" && plan.sizes.warmEnvironments === 0
      ? []
      : operationsOf(plan, phase)
    ).flatMap((operation) =>
      quantities.flatMap((quantity) =>
        pairs.map((pair) => ratioOfPair(plan, pair, { phase, operation, quantity }, samples)),
      ),
    ),
  );
}

function ratioOfPair(
  plan: Plan,
  pair: Pair,
  what: Pick<Comparison, "phase" | "operation" | "quantity">,
  samples: CollectedSamples,
): RatioOfPair {
  const { phase, operation, quantity } = what;
  const above = samples.series(pair.cell.id, operation, phase).series(quantity);
  const below = samples.series(pair.baselineCell.id, operation, phase).series(quantity);
  const measured = (series: typeof above) =>
    series.units.filter((unit) => unit.values.length > 0).length;
  return {
    ...what,
    ...pair,
    ratio: ratioOfMedians(above, below, { seed: plan.seed }),
    environments: measured(above),
    baselineEnvironments: measured(below),
  };
}
