import { type Insufficient, insufficient, mean, quantileBySelection } from "./order-statistics.ts";
import type { Ratio } from "./ratio.ts";
import { inSharedBlocks, type Pairing, type Series } from "./series.ts";
import { countSubsets, type PlaceTotals, subsetMeans } from "./subsets.ts";

/** A figure that is computed from means: a bill, for example, from the means of the cold and the warm calls. */
export interface FigureOfMeans {
  readonly series: readonly Series[];
  /** Computes the figure from the means of the series, in their order and unit. */
  compute(means: readonly number[]): number;
  /** True if the figure is defined even if some of the means are missing, which are then NaN. @default false */
  readonly mayLackMeans?: true;
}

interface MeanInterval {
  readonly kind: "mean-interval";
  readonly value: number;
  readonly low: number;
  readonly high: number;
  readonly confidence: number;
  readonly draws: number;
  /** Number of environments in the series that has the fewest. */
  readonly n: number;
}

interface MeanOptions {
  readonly seed: number;
  /** Number of subsets for more than 12 blocks; for fewer, all are taken. @default 10000 */
  readonly draws?: number;
}

interface RatioOfMeansOptions extends MeanOptions {
  /** @default "shared-blocks" */
  readonly pairing?: Pairing;
}

const confidence = 0.95;
const usualDraws = 10_000;
/** Seed for a series' own mean: every report draws it alike, whatever the seed of its plan. */
export const subsetsSeed = 1;
const neededEnvironments = 6;

/**
 * Returns the figure at the means over environments; undefined if a series has no value. Each environment counts
 * once, by the mean of its calls, even if some of its calls were lost: a bill is the sum over all calls, and the plan
 * makes the same number in every environment, so that environments with all their calls do not represent more of the
 * traffic. In an import each call counts: nobody planned it, and the number of calls that an environment answered is
 * the traffic.
 */
export function figureAtMeans(figure: FigureOfMeans): number | undefined {
  const means = figure.series.map((series) => {
    const totals = environmentTotals(series);
    const sum = mean(totals.map((environment) => environment.sum));
    const calls = mean(totals.map((environment) => environment.count));
    return sum === undefined || calls === undefined ? undefined : sum / calls;
  });
  return means.every((value) => value !== undefined) ? figure.compute(means) : undefined;
}

/** Returns the number of environments with a value in the series that has the fewest. */
export function fewestEnvironments({ series }: FigureOfMeans): number {
  return Math.min(...series.map((each) => environmentTotals(each).length));
}

/**
 * intervalOfMeans returns the figure with its 95% CI by Hartigan's typical values: the figure of each subset of the
 * blocks. A block is taken with all environments that any series has in it, which keeps the dependence between an
 * environment's cold and warm calls. The true figure lies between the (N + 1) x 2.5% smallest and as many largest of
 * N such figures in 95 of 100 runs. This is exact if the blocks' values are symmetric, whatever their distribution
 * (Hartigan, "Using subsample values as typical values", JASA 64, 1969). Coverage is lower if a few environments take
 * most of the time (docs/coverage.md). Deterministic for the samples and the seed, in any order of the samples.
 */
export function intervalOfMeans(
  figure: FigureOfMeans,
  { seed, draws = usualDraws }: MeanOptions,
): MeanInterval | Insufficient {
  const n = fewestEnvironments(figure);
  if (n < neededEnvironments || figureAtMeans(figure) === undefined) {
    return insufficient(neededEnvironments, n);
  }
  const { drawn, ...interval } = typicalInterval(figure, { seed, draws });
  return { kind: "mean-interval", ...interval, confidence, draws: drawn, n };
}

/**
 * Returns the ratio of one figure of means to another, with its 95% CI. Series at the same place in both figures are
 * compared only in their shared blocks, if they have any: if one side ended early, the other's later blocks are from
 * another time of day. Independent sides are compared whole and drawn separately. The typical values are of the
 * logarithm, so that swapping the sides inverts the interval exactly.
 */
export function ratioOfMeans(
  numerator: FigureOfMeans,
  denominator: FigureOfMeans,
  { seed, draws = usualDraws, pairing = "shared-blocks" }: RatioOfMeansOptions,
): Ratio {
  const [above, below] =
    pairing === "independent"
      ? [numerator, inOtherBlocks(denominator)]
      : [sharedWith(numerator, denominator), sharedWith(denominator, numerator)];
  const [numeratorN, denominatorN] = [fewestEnvironments(above), fewestEnvironments(below)];
  const fewest = Math.min(numeratorN, denominatorN);
  const [own, other] = [figureAtMeans(above), figureAtMeans(below)];
  if (fewest < neededEnvironments || own === undefined || other === undefined) {
    return insufficient(neededEnvironments, fewest);
  }
  if (Math.min(own, other) <= 0) return { kind: "not-positive", found: Math.min(own, other) };
  const drawn = drawnFigures(logRatio(above, below), draws, seed);
  return {
    kind: "ratio",
    ratio: own / other,
    low: Math.exp(typicalValue(drawn, tail)),
    high: Math.exp(typicalValue(drawn, 1 - tail)),
    confidence,
    draws: drawn.length,
    numeratorN,
    denominatorN,
    pairedBlocks: countShared(blocksOf(above), blocksOf(below)),
  };
}

/** Returns the logarithm of the ratio of two figures, as one figure of the series of both. */
function logRatio(above: FigureOfMeans, below: FigureOfMeans): FigureOfMeans {
  const meansAbove = new Array<number>(above.series.length).fill(0);
  const meansBelow = new Array<number>(below.series.length).fill(0);
  return {
    series: [...above.series, ...below.series],
    compute: (means) => {
      for (let index = 0; index < means.length; index++) {
        const isAbove = index < meansAbove.length;
        const side = isAbove ? meansAbove : meansBelow;
        side[isAbove ? index : index - meansAbove.length] = means[index] as number;
      }
      return Math.log(above.compute(meansAbove) / below.compute(meansBelow));
    },
  };
}

/** Returns a figure at its means, with its 95% CI; the caller has checked that there are enough environments. */
export function typicalInterval(
  figure: FigureOfMeans,
  { seed, draws = usualDraws }: MeanOptions,
): { readonly value: number; readonly low: number; readonly high: number; readonly drawn: number } {
  const drawn = drawnFigures(figure, draws, seed);
  return {
    value: figureAtMeans(figure) ?? Number.NaN,
    low: typicalValue(drawn, tail),
    high: typicalValue(drawn, 1 - tail),
    drawn: drawn.length,
  };
}

/** Share of the typical values beyond each end of an interval. */
const tail = (1 - confidence) / 2;

/** typicalValue returns the (N + 1) p-th smallest of N typical values, interpolated linearly. */
function typicalValue(drawn: Float64Array, probability: number): number {
  const rank = (drawn.length + 1) * probability - 1;
  return quantileBySelection(drawn, Math.min(1, Math.max(0, rank / (drawn.length - 1))));
}

/** Contribution of an environment to a mean: its own mean once, or each of its calls. */
interface EnvironmentTotal {
  readonly block: number;
  readonly sum: number;
  readonly count: number;
}

/** Cached: a report needs the means of the same series many times. */
const known = new WeakMap<Series, readonly EnvironmentTotal[]>();

/** Returns the environments' totals in a fixed order; an environment without values is left out. */
function environmentTotals(series: Series): readonly EnvironmentTotal[] {
  const found =
    known.get(series) ??
    series.units
      .flatMap(({ block, values }) => {
        const ofUnit = mean(values);
        if (ofUnit === undefined) return [];
        const count = series.isUnplanned ? values.length : 1;
        return [{ block, sum: ofUnit * count, count }];
      })
      .sort((a, b) => a.block - b.block || a.sum - b.sum);
  known.set(series, found);
  return found;
}

function blocksOf({ series }: FigureOfMeans): ReadonlySet<number> {
  return new Set(series.flatMap((each) => environmentTotals(each).map(({ block }) => block)));
}

function countShared(one: ReadonlySet<number>, other: ReadonlySet<number>): number {
  return [...one].filter((block) => other.has(block)).length;
}

/** Returns the figure with each series cut to the blocks that the other's series has, if they share any. */
function sharedWith(figure: FigureOfMeans, other: FigureOfMeans): FigureOfMeans {
  if (figure.series.length !== other.series.length) return figure;
  const series = figure.series.map((own, index) => {
    const [units] = inSharedBlocks(own.units, environmentTotals(other.series[index] as Series));
    return units.length === 0 || units.length === own.units.length ? own : { ...own, units };
  });
  return { series, compute: figure.compute };
}

/** Moves the series to blocks that no other series has: negative ones, as block numbers start at 0. */
export function inOtherBlocks(figure: FigureOfMeans): FigureOfMeans {
  const series = figure.series.map((own) => ({
    ...own,
    units: own.units.map(({ block, values }) => ({ block: -1 - block, values })),
  }));
  return { series, compute: figure.compute };
}

/**
 * Most blocks that are drawn one by one. An imported log may have a million, one per invocation: above this, batches
 * of neighbouring blocks are drawn, which estimate the spread of the mean as well, and better if blocks drift.
 */
const mostDrawn = 400;

/** Returns the figure of every subset, except subsets without an environment of some series. */
function drawnFigures(figure: FigureOfMeans, draws: number, seed: number): Float64Array {
  const environments = figure.series.map(environmentTotals);
  const { blocks, placeOf } = placesToDraw(environments);
  const options = { blocks, draws, seed };
  const columns = environments.map((ofSeries) =>
    subsetMeans(totalsByPlace(ofSeries, placeOf, blocks), options),
  );
  const subsets = countSubsets(options);
  const means = new Array<number>(columns.length).fill(0);
  const drawn = new Float64Array(subsets);
  let found = 0;
  for (let subset = 0; subset < subsets; subset++) {
    let isWhole = true;
    for (let index = 0; index < columns.length; index++) {
      const mean = (columns[index] as Float64Array)[subset] as number;
      // NaN: the subset has no environment of this series.
      if (Number.isNaN(mean) && figure.mayLackMeans !== true) isWhole = false;
      means[index] = mean;
    }
    const value = isWhole ? figure.compute(means) : Number.NaN;
    if (Number.isFinite(value)) drawn[found++] = value;
  }
  return drawn.subarray(0, found);
}

function totalsByPlace(
  environments: readonly EnvironmentTotal[],
  placeOf: ReadonlyMap<number, number>,
  blocks: number,
): PlaceTotals {
  const totals = { sums: new Float64Array(blocks), counts: new Float64Array(blocks) };
  for (const { block, sum, count } of environments) {
    const place = placeOf.get(block) as number;
    totals.sums[place] = (totals.sums[place] as number) + sum;
    totals.counts[place] = (totals.counts[place] as number) + count;
  }
  return totals;
}

/** Returns the place of each block among those drawn; neighbours share one if there are more than mostDrawn blocks. */
function placesToDraw(environments: readonly (readonly EnvironmentTotal[])[]) {
  const all = new Set(environments.flatMap((ofSeries) => ofSeries.map(({ block }) => block)));
  const sorted = [...all].sort((a, b) => a - b);
  const blocks = Math.min(sorted.length, mostDrawn);
  const placeOf = new Map(
    sorted.map((block, index) => [block, Math.floor((index * blocks) / sorted.length)]),
  );
  return { blocks, placeOf };
}
