import type { Cell, Plan } from "../contract/types/contract.ts";
import { type Ratio, ratioOfMedians } from "../statistics/ratio.ts";
import {
  environmentMedians,
  inSharedBlocks,
  type Pairing,
  type Series,
} from "../statistics/series.ts";
import { holmAdjusted, mannWhitney } from "../statistics/shift.ts";
import {
  judge,
  noiseFloorLog,
  type UndecidedReason,
  type VerdictKind,
} from "../statistics/verdict.ts";
import type { CollectedSamples } from "./collect-samples.ts";
import type { MetricName } from "./collected-series.ts";
import {
  listCells,
  listOperations,
  type Pair,
  type Phase,
  replicaPairs,
  variantPairs,
} from "./series-view.ts";

/** Two cells that differ in the variant alone: the variant's median over the baseline's. */
export interface Comparison extends Compared {
  readonly phase: Phase;
  readonly operation: string;
  readonly quantity: MetricName;
  readonly cell: Cell;
  readonly baselineCell: Cell;
  /** Of the A/A pair: the relative difference that the same code may show; 0.05 is 5 %. */
  readonly noiseFloor?: number;
}

/** Which quantities are compared in a phase. */
interface Wanted {
  readonly phase: Phase;
  readonly metrics: readonly MetricName[];
  /** Where neither cell has any, there is no comparison: not every target measures them. */
  readonly whereMeasured?: true;
}

const compared: readonly Wanted[] = [
  {
    phase: "cold",
    metrics: ["initDurationMs", "durationMs", "initAndDurationMs", "billedDurationMs"],
  },
  { phase: "second", metrics: ["durationMs"] },
  { phase: "warm", metrics: ["durationMs"] },
  { phase: "second", metrics: ["sdkCallMs"], whereMeasured: true },
  { phase: "warm", metrics: ["sdkCallMs"], whereMeasured: true },
  { phase: "cold", metrics: ["initCpuMs", "invocationCpuMs"], whereMeasured: true },
  { phase: "second", metrics: ["invocationCpuMs"], whereMeasured: true },
  { phase: "warm", metrics: ["invocationCpuMs"], whereMeasured: true },
];

/** One quantity of one cell, as statistics take it. */
type SeriesSource = (
  cell: Cell,
  what: Pick<Comparison, "phase" | "operation" | "quantity">,
) => Series;

/** One quantity of two cells, before the verdict. */
interface RatioOfPair extends Pair, RatioOfSeries {
  readonly phase: Phase;
  readonly operation: string;
  readonly quantity: MetricName;
}

/** Every variant against the baseline, and the A/A pair against itself. */
export interface Comparisons {
  readonly variants: readonly Comparison[];
  /** The same code deployed twice; no difference is true here. Empty without a pair. */
  readonly replicas: readonly Comparison[];
}

export function compareVariants(
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
  const replicas = listRatios(plan, replicaPairs(plan), source, wanted);
  const variants = listRatios(plan, variantPairs(plan, baselineVariant), source, wanted);
  return {
    replicas: replicas.map((pair) => ({ ...withVerdict(pair), ...noiseFloorField(pair.ratio) })),
    variants: afterCorrection(variants.map((pair) => withVerdict(pair, floorFor(pair, replicas)))),
  };
}

function noiseFloorField(ratio: Ratio): { readonly noiseFloor?: number } {
  const log = noiseFloorLog(ratio);
  return log === undefined ? {} : { noiseFloor: Math.expm1(log) };
}

/**
 * The A/A pair's ratio of the same quantity, operation and phase, at the same memory size: what
 * 128 MB cannot tell apart, for want of CPU, says nothing of what 1,769 MB can.
 */
function floorFor(pair: RatioOfPair, replicas: readonly RatioOfPair[]): Ratio | undefined {
  return replicas.find(
    (replica) =>
      replica.phase === pair.phase &&
      replica.operation === pair.operation &&
      replica.quantity === pair.quantity &&
      replica.cell.memoryMb === pair.cell.memoryMb &&
      replica.cell.architecture === pair.cell.architecture,
  )?.ratio;
}

function listRatios(
  plan: Plan,
  pairs: readonly Pair[],
  source: SeriesSource,
  wanted: readonly Wanted[],
): readonly RatioOfPair[] {
  return wanted.flatMap(({ phase, metrics, whereMeasured = false }) =>
    (phase === "warm" && plan.sizes.warmEnvironments === 0
      ? []
      : listOperations(plan, phase)
    ).flatMap((operation) =>
      metrics.flatMap((quantity) =>
        pairs
          .filter((pair) => isMade(plan, pair, phase, operation))
          .map((pair) => ratioOfPair(plan, pair, { phase, operation, quantity }, source))
          .filter((pair) => !whereMeasured || isMeasured(pair)),
      ),
    ),
  );
}

/** True where either side has an environment, though they may share no block. */
function isMeasured({ environments, baselineEnvironments, leftOut }: RatioOfPair): boolean {
  return environments + baselineEnvironments > 0 || leftOut !== undefined;
}

/** False where one of the two never makes the operation. */
function isMade(plan: Plan, pair: Pair, phase: Phase, operation: string): boolean {
  const made = new Set(listCells(plan, phase, operation).map(({ id }) => id));
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
  return { ...what, ...pair, ...ratioOfSeries(above, below, plan) };
}

/** What came of holding one series against another: the ratio of their medians, and a verdict. */
export interface Compared {
  /** Environments that were compared: of cells of one run those in the blocks that both have. */
  readonly environments: number;
  readonly baselineEnvironments: number;
  readonly leftOut?: LeftOut;
  /** Above 1 it is more than the baseline. Absent without an interval. */
  readonly ratio?: number;
  readonly low?: number;
  readonly high?: number;
  readonly environmentsNeeded?: number;
  readonly verdict: VerdictKind;
  /**
   * `one-of-many`: the interval has a verdict that chance, in so many comparisons, may have made.
   * `differs`: the test tells the two apart, and the interval does not say on which side of the margin.
   */
  readonly undecidedReason?: UndecidedReason | "one-of-many" | "differs";
  /** Two-sided Mann-Whitney; absent where a side has no environment. */
  readonly pValue?: number;
  /** Holm's, over the comparisons that it was corrected with; absent where it was not. */
  readonly adjustedPValue?: number;
}

/** Environments in whose block the other side has none. Absent where every one was compared. */
type LeftOut = Pick<Compared, "environments" | "baselineEnvironments">;

/** Two series' ratio before the verdict. */
interface RatioOfSeries
  extends Pick<Compared, "environments" | "baselineEnvironments" | "leftOut" | "pValue"> {
  readonly ratio: Ratio;
}

/** An import has no blocks: its block numbers are none (decision 0020). */
export function pairingOf({ target }: Pick<Plan, "target">): Pairing {
  return target === "imported" ? "independent" : "shared-blocks";
}

/**
 * Two series of one run, by the blocks that both have (decision 0030); of an import all that it has
 * is compared.
 */
export function ratioOfSeries(
  above: Series,
  below: Series,
  { seed, target }: Pick<Plan, "seed" | "target">,
  draws?: number,
): RatioOfSeries {
  const pairing = pairingOf({ target });
  const [all, baselineAll] = [environmentMedians(above), environmentMedians(below)];
  const [compared, baseline] =
    pairing === "independent" ? [all, baselineAll] : inSharedBlocks(all, baselineAll);
  const leftOut = {
    environments: all.length - compared.length,
    baselineEnvironments: baselineAll.length - baseline.length,
  };
  const test = mannWhitney(
    compared.map(({ median }) => median),
    baseline.map(({ median }) => median),
  );
  return {
    ratio: ratioOfMedians(above, below, { seed, pairing, ...(draws !== undefined && { draws }) }),
    environments: compared.length,
    baselineEnvironments: baseline.length,
    ...(leftOut.environments + leftOut.baselineEnvironments > 0 && { leftOut }),
    ...(test.kind === "mann-whitney" && { pValue: test.pValue }),
  };
}

/** The ratio with its verdict; without a noise floor it rests on the interval and the margin. */
export function withVerdict<Pair extends RatioOfSeries>(
  pair: Pair,
  noiseFloor?: Ratio,
): Omit<Pair, "ratio" | "pValue" | "leftOut"> & Compared {
  const { ratio, pValue, leftOut, ...rest } = pair;
  const verdict = judge(ratio, noiseFloor === undefined ? {} : { noiseFloor });
  return {
    ...rest,
    ...(ratio.kind === "ratio" && { ratio: ratio.ratio, low: ratio.low, high: ratio.high }),
    ...(ratio.kind === "insufficient" && { environmentsNeeded: ratio.needed }),
    verdict: verdict.kind,
    ...(verdict.kind === "undecided" && { undecidedReason: verdict.reason }),
    ...(leftOut !== undefined && { leftOut }),
    ...(pValue !== undefined && { pValue }),
  };
}

/** The share of families in which one false difference is accepted. */
const familyErrorRate = 0.05;

/**
 * The comparisons with their adjusted p-values; one that is called faster or slower, and may be chance
 * in so many, is undecided. Holm's correction is a test beside the interval's verdict: both must hold.
 * What only the test sees, because the interval reaches to both sides of the margin, `differs`: the
 * ranks of two modes, or of a heavy tail, tell apart what their medians cannot (decision 0022).
 */
export function afterCorrection<Each extends Compared>(family: readonly Each[]): readonly Each[] {
  const tested = family.filter(({ pValue }) => pValue !== undefined);
  const adjusted = holmAdjusted(tested.map(({ pValue = 1 }) => pValue));
  const adjustedOf = new Map(tested.map((compared, index) => [compared, adjusted[index] ?? 1]));
  return family.map((compared) => corrected(compared, adjustedOf.get(compared)));
}

function corrected<Each extends Compared>(
  compared: Each,
  adjustedPValue: number | undefined,
): Each {
  if (adjustedPValue === undefined) return compared;
  const isCalled = compared.verdict === "faster" || compared.verdict === "slower";
  const isToldApart = adjustedPValue < familyErrorRate;
  if (isCalled && !isToldApart) {
    return { ...compared, adjustedPValue, verdict: "undecided", undecidedReason: "one-of-many" };
  }
  if (isToldApart && compared.undecidedReason === "interval-crosses-margin") {
    return { ...compared, adjustedPValue, undecidedReason: "differs" };
  }
  return { ...compared, adjustedPValue };
}

/**
 * Environments a side below which no difference, however large, passes the correction over as many
 * comparisons: the exact test's smallest p-value is 2 / C(2n, n).
 */
export function environmentsForFamily(comparisons: number): number {
  let environments = 1;
  let arrangements = 2;
  while ((2 / arrangements) * comparisons >= familyErrorRate) {
    environments += 1;
    arrangements = (arrangements * (2 * environments) * (2 * environments - 1)) / environments ** 2;
  }
  return environments;
}
