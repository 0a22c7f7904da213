import type { Cell, Plan, VerdictRule } from "../contract/types/contract.ts";
import type { ComparedSides } from "../statistics/block-swaps.ts";
import { isWithinCpuPeriod } from "../statistics/cpu-period.ts";
import { type Ratio, ratioOfMedians } from "../statistics/ratio.ts";
import {
  environmentMedians,
  inSharedBlocks,
  type Pairing,
  type Series,
} from "../statistics/series.ts";
import { mannWhitney } from "../statistics/shift.ts";
import { judge, noiseFloorLog } from "../statistics/verdict.ts";
import type { CollectedSamples } from "./collect-samples.ts";
import { coldQuantity, type MetricName } from "./collected-series.ts";
import { adjustedInRun, type Tested, withAdjusted } from "./family.ts";
import {
  listCells,
  listOperations,
  type Pair,
  type Phase,
  replicaPairAt,
  replicaPairs,
  sizePairs,
  variantPairs,
} from "./series-view.ts";

/** Two cells that differ in the variant alone: the variant's median over the baseline's. */
export interface Comparison extends Compared {
  readonly phase: Phase;
  readonly operation: string;
  readonly quantity: MetricName;
  readonly cell: Cell;
  readonly baselineCell: Cell;
  /**
   * A part of what another comparison is of, or the same time by another clock: what it tells apart is
   * told apart among all comparisons, and not among the primary ones. Absent of those.
   */
  readonly descriptive?: true;
  /** Of the A/A pair: the relative difference that the same code may show; 0.05 is 5 %. */
  readonly noiseFloor?: number;
}

/** Which quantities are compared in a phase. */
interface Wanted {
  readonly phase: Phase;
  readonly metrics: readonly MetricName[];
  /** What the report is read for; the other quantities are its parts, or derived of it. @default all */
  readonly primary?: MetricName;
  /** Where neither cell has any, there is no comparison: not every target measures them. */
  readonly whereMeasured?: true;
}

function compared(plan: Plan): readonly Wanted[] {
  const cold = coldQuantity(plan);
  const parts: readonly MetricName[] = ["initDurationMs", "durationMs"];
  const sums = cold === "durationMs" ? [] : [cold];
  return [
    { phase: "cold", metrics: [...parts, ...sums, "billedDurationMs"], primary: cold },
    { phase: "second", metrics: ["durationMs"] },
    { phase: "warm", metrics: ["durationMs"] },
    { phase: "second", metrics: ["sdkCallMs"], primary: "durationMs", whereMeasured: true },
    { phase: "warm", metrics: ["sdkCallMs"], primary: "durationMs", whereMeasured: true },
    {
      phase: "cold",
      metrics: ["initCpuMs", "invocationCpuMs"],
      primary: cold,
      whereMeasured: true,
    },
    { phase: "second", metrics: ["invocationCpuMs"], primary: "durationMs", whereMeasured: true },
    { phase: "warm", metrics: ["invocationCpuMs"], primary: "durationMs", whereMeasured: true },
  ];
}

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
  readonly descriptive?: true;
}

/** Every variant against the baseline, and the A/A pair against itself. */
export interface Comparisons {
  readonly variants: readonly Comparison[];
  /** The same code deployed twice; no difference is true here. Empty without a pair. */
  readonly twins: readonly Comparison[];
}

export function compareVariants(
  plan: Plan,
  baselineVariant: string,
  samples: CollectedSamples,
): Comparisons {
  return comparisonsFrom(plan, baselineVariant, sourceOf(samples), compared(plan));
}

function sourceOf(samples: CollectedSamples): SeriesSource {
  return (cell, { operation, phase, quantity }) =>
    samples.series(cell.id, operation, phase).series(quantity);
}

/** What a size is chosen by: how long a first request and a warm call take, over the next smaller size. */
export function compareSizes(plan: Plan, samples: CollectedSamples): readonly Comparison[] {
  const wanted: readonly Wanted[] = [
    { phase: "cold", metrics: [coldQuantity(plan)] },
    { phase: "warm", metrics: ["durationMs"] },
  ];
  return listRatios(plan, sizePairs(plan), sourceOf(samples), wanted).map((pair) =>
    withVerdict(pair),
  );
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
    twins: replicas.map((pair) => ({ ...withVerdict(pair), ...noiseFloorField(pair.ratio) })),
    variants: withAdjusted(
      variants.map((pair) => withVerdict(pair, floorFor(pair, replicas), plan.verdicts)),
      adjustedInRun(plan, variants),
      plan.verdicts?.errorRate,
    ),
  };
}

/** What is called slower than the baseline among the primary comparisons, by verdict and correction. */
export function slowerComparisons({ variants }: Comparisons): readonly Comparison[] {
  return variants.filter(({ verdict, descriptive }) => verdict === "slower" && !descriptive);
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
  return wanted.flatMap(({ phase, metrics, primary, whereMeasured = false }) =>
    (phase === "warm" && plan.sizes.warmEnvironments === 0
      ? []
      : listOperations(plan, phase)
    ).flatMap((operation) =>
      metrics.flatMap((quantity) =>
        pairs
          .filter((pair) => isMade(plan, pair, phase, operation))
          .map((pair) => ratioOfPair(plan, pair, { phase, operation, quantity }, source))
          .map((pair) => ({ ...pair, ...(isDescriptive(quantity, primary) && descriptive) }))
          .filter((pair) => !whereMeasured || isMeasured(pair)),
      ),
    ),
  );
}

const descriptive = { descriptive: true } as const;

function isDescriptive(quantity: MetricName, primary = quantity): boolean {
  return quantity !== primary;
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
  const compared = ratioOfSeries(above, below, plan);
  const [own = [], other = []] = [compared.sides?.above, compared.sides?.below].map((side) =>
    side?.map(({ median }) => median),
  );
  return {
    ...what,
    ...pair,
    ...compared,
    isWithinPeriod: isTimeWithinPeriod(what.quantity, own, other),
  };
}

/** Only times count periods: megabytes and instructions may lie near multiples of 20 by chance. */
export function isTimeWithinPeriod(
  quantity: MetricName,
  above: readonly number[],
  below: readonly number[],
): boolean {
  return quantity.endsWith("Ms") && isWithinCpuPeriod(above, below);
}

/** What came of holding one series against another: the ratio of their medians, and a verdict. */
export interface Compared extends Tested {
  /** Environments that were compared: of cells of one run those in the blocks that both have. */
  readonly environments: number;
  readonly baselineEnvironments: number;
  readonly leftOut?: LeftOut;
  /** Above 1 it is more than the baseline. Absent without an interval. */
  readonly ratio?: number;
  readonly low?: number;
  readonly high?: number;
  readonly environmentsNeeded?: number;
}

/** Environments in whose block the other side has none. Absent where every one was compared. */
type LeftOut = Pick<Compared, "environments" | "baselineEnvironments">;

/** Two series' ratio before the verdict. */
interface RatioOfSeries
  extends Pick<Compared, "environments" | "baselineEnvironments" | "leftOut" | "pValue"> {
  readonly ratio: Ratio;
  /** The medians that were compared. */
  readonly sides?: ComparedSides;
  /** Of times that count the CPU quota's period. @default false */
  readonly isWithinPeriod?: boolean;
}

/** An import has no blocks: its block numbers name environments, and no stretch of time (decision 0037). */
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
  return {
    ratio: ratioOfMedians(above, below, { seed, pairing, ...(draws !== undefined && { draws }) }),
    ...ranksOfSeries(above, below, { target }),
  };
}

/** The same without the ratio: which environments are compared, and what the test of their ranks says. */
export function ranksOfSeries(
  above: Series,
  below: Series,
  plan: Pick<Plan, "target">,
): Omit<RatioOfSeries, "ratio"> {
  const pairing = pairingOf(plan);
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
    sides: { above: compared, below: baseline },
    environments: compared.length,
    baselineEnvironments: baseline.length,
    ...(leftOut.environments + leftOut.baselineEnvironments > 0 && { leftOut }),
    ...(test.kind === "mann-whitney" && { pValue: test.pValue }),
  };
}

/**
 * What the same code, deployed twice, differs by at the size of one of the cells, by a ratio of one's own: worked out
 * once for each pair of replicas. Undefined where there are none.
 */
export function noiseFloors(
  plan: Plan,
  ratioOf: (pair: Pair) => Ratio | undefined,
): (cells: readonly Cell[]) => Ratio | undefined {
  const known = new Map<string, Ratio | undefined>();
  return (cells) => {
    const pair = replicaPairAt(plan, cells);
    if (pair === undefined) return undefined;
    const { id } = pair.cell;
    if (!known.has(id)) known.set(id, ratioOf(pair));
    return known.get(id);
  };
}

/** The ratio with its verdict; without a noise floor it rests on the interval and the margin. */
export function withVerdict<Pair extends RatioOfSeries>(
  pair: Pair,
  noiseFloor?: Ratio,
  { margin }: Partial<Pick<VerdictRule, "margin">> = {},
): Omit<Pair, "ratio" | "sides" | "isWithinPeriod" | "pValue" | "leftOut"> & Compared {
  const { ratio, sides: _, isWithinPeriod = false, pValue, leftOut, ...rest } = pair;
  const verdict = judge(ratio, {
    isWithinCpuPeriod: isWithinPeriod,
    ...(noiseFloor !== undefined && { noiseFloor }),
    ...(margin !== undefined && { margin }),
  });
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
