import { cpuCredit } from "../contract/cpu-credit.ts";
import { defined } from "../contract/defined.ts";
import type { Cell, Plan } from "../contract/types/contract.ts";
import { isWithinCpuPeriod, waitingShare } from "../statistics/cpu-period.ts";
import type { Ratio } from "../statistics/ratio.ts";
import type { Series } from "../statistics/series.ts";
import { noiseFloorLog } from "../statistics/verdict.ts";
import {
  hasDeployments,
  type Pair,
  replicaPairAt,
  replicaPairs,
  sizePairs,
  variantPairs,
} from "./cell-pairs.ts";
import type { CollectedSamples } from "./collect-samples.ts";
import type { MetricName } from "./collected-series.ts";
import { factorPairsBeside, isSameArchitecture } from "./factor-pairs.ts";
import { adjustedInRun, withAdjusted } from "./family.ts";
import { type Compared, type RatioOfSeries, ratioOfSeries, withVerdict } from "./series-ratio.ts";
import { listCells, listOperations, type Phase } from "./series-view.ts";
import { type Unsound, unsoundSide } from "./standing.ts";

/** The mean of a cell over that of another, which differs in one thing: the variant, the size or a declared factor. */
export interface Comparison extends Compared {
  readonly phase: Phase;
  readonly operation: string;
  readonly quantity: MetricName;
  readonly cell: Cell;
  readonly baselineCell: Cell;
  /**
   * True if the quantity is part of another comparison's, or the same time by another clock. It is corrected among
   * all comparisons, the primary ones only among themselves.
   */
  readonly descriptive?: true;
  /**
   * Relative difference between two deployments of the same code that chance does not explain; 0.05 is 5%. Absent
   * without an A/A pair of deployments.
   */
  readonly noiseFloor?: number;
  /** The side with more calls that wait for the next period of the CPU quota; absent if neither has more. */
  readonly moreWaits?: "cell" | "baseline";
  /** The side whose calls may not be compared. Absent if those of both may. */
  readonly unsound?: Unsound;
}

/** Quantities that are compared in a phase. */
interface Wanted {
  readonly phase: Phase;
  readonly metrics: readonly MetricName[];
  /** The main quantity. The others are its parts, or derived from it. @default all */
  readonly primary?: MetricName;
  /** True to leave out pairs in which neither cell has values: not every target measures them. */
  readonly whereMeasured?: true;
}

const wantedOfVariants: readonly Wanted[] = [
  {
    phase: "cold",
    metrics: ["initDurationMs", "durationMs", "initAndDurationMs", "billedDurationMs"],
    primary: "initAndDurationMs",
  },
  { phase: "second", metrics: ["durationMs"] },
  { phase: "warm", metrics: ["durationMs"] },
  { phase: "second", metrics: ["sdkCallMs"], primary: "durationMs", whereMeasured: true },
  { phase: "warm", metrics: ["sdkCallMs"], primary: "durationMs", whereMeasured: true },
  { phase: "second", metrics: ["firstByteMs"], primary: "durationMs", whereMeasured: true },
  { phase: "warm", metrics: ["firstByteMs"], primary: "durationMs", whereMeasured: true },
  {
    phase: "cold",
    metrics: ["initCpuMs", "invocationCpuMs"],
    primary: "initAndDurationMs",
    whereMeasured: true,
  },
  { phase: "second", metrics: ["invocationCpuMs"], primary: "durationMs", whereMeasured: true },
  { phase: "warm", metrics: ["invocationCpuMs"], primary: "durationMs", whereMeasured: true },
];

/** Returns one quantity's series of one cell. */
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
  readonly moreWaits?: "cell" | "baseline";
}

/** Every variant against the baseline, and the A/A pair against itself. */
export interface Comparisons {
  readonly variants: readonly Comparison[];
  /** The same code deployed twice: any difference is a false alarm. Empty without an A/A pair. */
  readonly replicas: readonly Comparison[];
  /** Cells that differ in only one factor and are not among `variants`. Absent if there are none. */
  readonly factors?: readonly Comparison[];
}

export function compareVariants(
  plan: Plan,
  baselineVariant: string,
  samples: CollectedSamples,
): Comparisons {
  const factorPairs = factorPairsBeside(plan, variantPairs(plan, baselineVariant));
  const source = sourceOf(samples);
  const all = comparisonsFrom(plan, baselineVariant, source, wantedOfVariants, factorPairs);
  const run = { plan, samples };
  const standing = (each: Comparison): Comparison => {
    const sides = [each.cell, each.baselineCell].map((cell) => ({ run, cell }));
    return { ...each, ...defined({ unsound: unsoundSide(sides, each.phase) }) };
  };
  const factors = all.factors?.map(standing);
  return { ...all, variants: all.variants.map(standing), ...defined({ factors }) };
}

function sourceOf(samples: CollectedSamples): SeriesSource {
  return (cell, { operation, phase, quantity }) =>
    samples.series(cell.id, operation, phase).series(quantity);
}

/** Times that a caller waits for, without their parts. */
const wantedOfFactors: readonly Wanted[] = [
  { phase: "cold", metrics: ["initAndDurationMs"] },
  { phase: "second", metrics: ["durationMs"] },
  { phase: "warm", metrics: ["durationMs"] },
];

const wantedOfSizes: readonly Wanted[] = [
  { phase: "cold", metrics: ["initAndDurationMs"] },
  { phase: "warm", metrics: ["durationMs"] },
];

/** Compares each size with the next smaller one: Init plus first Duration, and warm Duration. */
export function compareSizes(plan: Plan, samples: CollectedSamples): readonly Comparison[] {
  return listRatios(plan, sizePairs(plan), sourceOf(samples), wantedOfSizes).map((pair) =>
    withVerdict(pair),
  );
}

/**
 * Compares quantities from any source by the usual pairs, noise floor and margin, corrected for their number. The A/A
 * pair's are not corrected: they are there to show false differences.
 *
 * @param factorPairs pairs besides those with the baseline, in one family with them
 */
export function comparisonsFrom(
  plan: Plan,
  baselineVariant: string,
  source: SeriesSource,
  wanted: readonly Wanted[],
  factorPairs: readonly Pair[] = [],
): Comparisons {
  const replicas = listRatios(plan, replicaPairs(plan), source, wanted);
  const variants = listRatios(plan, variantPairs(plan, baselineVariant), source, wanted);
  const family = [...variants, ...listRatios(plan, factorPairs, source, wantedOfFactors)];
  const floors = hasDeployments(plan) ? replicas : [];
  const judged = withAdjusted(
    family.map((pair) => withVerdict(pair, floorFor(pair, floors), plan.verdicts)),
    adjustedInRun(plan, family),
    plan.verdicts?.errorRate,
  );
  return {
    replicas: replicas.map((pair) => ({
      ...withVerdict(pair),
      ...(hasDeployments(plan) && noiseFloorField(pair.ratio)),
    })),
    variants: judged.slice(0, variants.length),
    ...(factorPairs.length > 0 && { factors: judged.slice(variants.length) }),
  };
}

function noiseFloorField(ratio: Ratio): { readonly noiseFloor?: number } {
  const log = noiseFloorLog(ratio);
  return log === undefined ? {} : { noiseFloor: Math.expm1(log) };
}

/**
 * Returns the A/A pair's ratio of the same quantity, operation and phase, at the same memory size: the noise at 128
 * MB, where CPU is scarce, says nothing about that at 1,769 MB.
 */
function floorFor(pair: RatioOfPair, replicas: readonly RatioOfPair[]): Ratio | undefined {
  return replicas.find(
    (replica) =>
      replica.phase === pair.phase &&
      replica.operation === pair.operation &&
      replica.quantity === pair.quantity &&
      replica.cell.memoryMb === pair.cell.memoryMb &&
      [pair.cell, pair.baselineCell].some((cell) => isSameArchitecture(cell, replica.cell)),
  )?.ratio;
}

function listRatios(
  plan: Plan,
  pairs: readonly Pair[],
  source: SeriesSource,
  wanted: readonly Wanted[],
): readonly RatioOfPair[] {
  return wanted.flatMap(({ phase, metrics, primary, whereMeasured = false }) =>
    listOperations(plan, phase).flatMap((operation) =>
      metrics.flatMap((quantity) =>
        pairs
          .filter((pair) => bothRun(plan, pair, phase, operation))
          .map((pair) => ratioOfPair(plan, pair, { phase, operation, quantity }, source))
          .map((pair) => ({ ...pair, ...(quantity !== (primary ?? quantity) && descriptive) }))
          .filter((pair) => !whereMeasured || isMeasured(pair)),
      ),
    ),
  );
}

const descriptive = { descriptive: true } as const;

/** Returns whether either side has an environment, even if they share no block. */
function isMeasured({ environments, baselineEnvironments, leftOut }: RatioOfPair): boolean {
  return environments + baselineEnvironments > 0 || leftOut !== undefined;
}

/** Returns whether both cells run the operation. */
function bothRun(plan: Plan, pair: Pair, phase: Phase, operation: string): boolean {
  const callers = new Set(listCells(plan, phase, operation).map(({ id }) => id));
  return callers.has(pair.cell.id) && callers.has(pair.baselineCell.id);
}

function ratioOfPair(
  plan: Plan,
  pair: Pair,
  what: Pick<Comparison, "phase" | "operation" | "quantity">,
  source: SeriesSource,
): RatioOfPair {
  const [above, below] = sidesOfPair(pair, (cell) => source(cell, what));
  const compared = ratioOfSeries(above, below, plan);
  const [own = [], other = []] = [compared.sides?.above, compared.sides?.below].map((side) =>
    side?.map(({ value }) => value),
  );
  const moreWaits =
    what.phase === "warm" && what.quantity === "durationMs"
      ? sideOfMoreWaits(above, below, pair.cell)
      : undefined;
  return {
    ...what,
    ...pair,
    ...compared,
    isWithinPeriod: isTimeWithinPeriod(what.quantity, own, other),
    ...(moreWaits !== undefined && { moreWaits }),
  };
}

/** Returns the series of both cells, without CPU models if the architectures differ: these never share a model. */
function sidesOfPair(
  { cell, baselineCell }: Pair,
  seriesOf: (cell: Cell) => Series,
): readonly [above: Series, below: Series] {
  const [above, below] = [seriesOf(cell), seriesOf(baselineCell)];
  return isSameArchitecture(cell, baselineCell)
    ? [above, below]
    : [withoutCpuModels(above), withoutCpuModels(below)];
}

/** Removes the CPU models from a series: cells of two architectures have none in common. */
function withoutCpuModels(series: Series): Series {
  const units = series.units.map(({ block, values }) => ({ block, values }));
  return { ...series, units };
}

/** Shares of calls that differ by less than this may differ by chance. */
const leastMoreWaits = 0.1;

function sideOfMoreWaits(
  above: Series,
  below: Series,
  { memoryMb }: Cell,
): Comparison["moreWaits"] {
  const cpuShare = cpuCredit(memoryMb);
  const [own, baseline] = [above, below].map((series) => waitingShare(series, cpuShare));
  if (own === undefined || baseline === undefined) return undefined;
  if (Math.abs(own - baseline) < leastMoreWaits) return undefined;
  return own > baseline ? "cell" : "baseline";
}

/** True only for times: megabytes and instructions may lie near multiples of 20 by chance. */
export function isTimeWithinPeriod(
  quantity: MetricName,
  above: readonly number[],
  below: readonly number[],
): boolean {
  return quantity.endsWith("Ms") && isWithinCpuPeriod(above, below);
}

/**
 * Returns a function that finds the noise floor at the size of one of the given cells, by the caller's own ratio,
 * which is computed once per A/A pair. It returns undefined if there is none.
 */
export function noiseFloors(
  plan: Plan,
  ratioOf: (pair: Pair) => Ratio | undefined,
): (cells: readonly Cell[]) => Ratio | undefined {
  const known = new Map<string, Ratio | undefined>();
  return (cells) => {
    const pair = replicaPairAt(plan, cells);
    if (pair === undefined || !hasDeployments(plan)) return undefined;
    const { id } = pair.cell;
    if (!known.has(id)) known.set(id, ratioOf(pair));
    return known.get(id);
  };
}
