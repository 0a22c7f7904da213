import type { Cell, Plan } from "../../contract/types/contract.ts";
import type { Ratio } from "../../statistics/ratio.ts";
import type { Series } from "../../statistics/series.ts";
import { noiseFloorLog } from "../../statistics/verdict.ts";
import type { CollectedSamples } from "../collect/collect-samples.ts";
import type { QuantityName } from "../collect/quantities.ts";
import { afterCorrection } from "./after-correction.ts";
import { type Pair, twinPairs, variantPairs } from "./cell-pairs.ts";
import { type Compared, type RatioOfSeries, ratioOfSeries, withVerdict } from "./compared.ts";
import { cellsOf, operationsOf, type Phase } from "./series-view.ts";

/** Two cells that differ in the variant alone: the variant's median over the baseline's. */
export interface Comparison extends Compared {
  readonly phase: Phase;
  readonly operation: string;
  readonly quantity: QuantityName;
  readonly cell: Cell;
  readonly baselineCell: Cell;
  /** Of the A/A pair: the relative difference that the same code may show; 0.05 is 5 %. */
  readonly noiseFloor?: number;
}

/** Which quantities are compared in a phase. */
export interface Wanted {
  readonly phase: Phase;
  readonly quantities: readonly QuantityName[];
  /** Where neither cell has any, there is no comparison: not every target measures them. */
  readonly whereMeasured?: true;
}

const compared: readonly Wanted[] = [
  {
    phase: "cold",
    quantities: ["initDurationMs", "durationMs", "initAndDurationMs", "billedDurationMs"],
  },
  { phase: "second", quantities: ["durationMs"] },
  { phase: "warm", quantities: ["durationMs"] },
  { phase: "second", quantities: ["sdkCallMs"], whereMeasured: true },
  { phase: "warm", quantities: ["sdkCallMs"], whereMeasured: true },
  { phase: "cold", quantities: ["initCpuMs", "invocationCpuMs"], whereMeasured: true },
  { phase: "second", quantities: ["invocationCpuMs"], whereMeasured: true },
  { phase: "warm", quantities: ["invocationCpuMs"], whereMeasured: true },
];

/** One quantity of one cell, as statistics take it. */
export type SeriesSource = (
  cell: Cell,
  what: Pick<Comparison, "phase" | "operation" | "quantity">,
) => Series;

/** One quantity of two cells, before the verdict. */
interface RatioOfPair extends Pair, RatioOfSeries {
  readonly phase: Phase;
  readonly operation: string;
  readonly quantity: QuantityName;
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
  const source: SeriesSource = (cell, { operation, phase, quantity }) =>
    samples.series(cell.id, operation, phase).series(quantity);
  return comparisonsFrom(plan, baselineVariant, source, compared);
}

/**
 * Any quantities of any source, compared as all others are: by pairs, floor and margin, and corrected
 * for their number. The A/A pair's are not: that it is called different is what they are to show.
 */
export function comparisonsFrom(
  plan: Plan,
  baselineVariant: string,
  source: SeriesSource,
  wanted: readonly Wanted[],
): Comparisons {
  const twins = ratiosOf(plan, twinPairs(plan), source, wanted);
  const variants = ratiosOf(plan, variantPairs(plan, baselineVariant), source, wanted);
  return {
    twins: twins.map((pair) => ({ ...withVerdict(pair), ...floorOf(pair.ratio) })),
    variants: afterCorrection(variants.map((pair) => withVerdict(pair, floorFor(pair, twins)))),
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

function ratiosOf(
  plan: Plan,
  pairs: readonly Pair[],
  source: SeriesSource,
  wanted: readonly Wanted[],
): readonly RatioOfPair[] {
  return wanted.flatMap(({ phase, quantities, whereMeasured = false }) =>
    (phase === "warm" && plan.sizes.warmEnvironments === 0
      ? []
      : operationsOf(plan, phase)
    ).flatMap((operation) =>
      quantities.flatMap((quantity) =>
        pairs
          .filter((pair) => isMade(plan, pair, phase, operation))
          .map((pair) => ratioOfPair(plan, pair, { phase, operation, quantity }, source))
          .filter((pair) => !whereMeasured || pair.environments + pair.baselineEnvironments > 0),
      ),
    ),
  );
}

/** False where one of the two never makes the operation. */
function isMade(plan: Plan, pair: Pair, phase: Phase, operation: string): boolean {
  const made = new Set(cellsOf(plan, phase, operation).map(({ id }) => id));
  return made.has(pair.cell.id) && made.has(pair.baselineCell.id);
}

function ratioOfPair(
  plan: Plan,
  pair: Pair,
  what: Pick<Comparison, "phase" | "operation" | "quantity">,
  source: SeriesSource,
): RatioOfPair {
  const above = source(pair.cell, what);
  const below = source(pair.baselineCell, what);
  return { ...what, ...pair, ...ratioOfSeries(above, below, plan.seed) };
}
