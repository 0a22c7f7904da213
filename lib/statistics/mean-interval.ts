import { type Insufficient, insufficient, mean, quantileBySelection } from "./order-statistics.ts";
import type { Ratio } from "./ratio.ts";
import { type DrawnStatistic, drawnColumn, type TimesDrawn } from "./resampling.ts";
import { inSharedBlocks, type Pairing, type Series } from "./series.ts";
import { normalTail } from "./shift.ts";

/** A figure that is worked out of means: a bill is, of what its cold and its warm calls take. */
export interface FigureOfMeans {
  readonly series: readonly Series[];
  /** Of the means of the series, in their order and unit. */
  of(means: readonly number[]): number;
}

interface MeanInterval {
  readonly kind: "mean-interval";
  readonly value: number;
  readonly low: number;
  readonly high: number;
  /** Nominal: see expandedTail. */
  readonly confidence: number;
  readonly draws: number;
  /** Environments of the series that has the fewest. */
  readonly n: number;
}

interface MeanOptions {
  readonly seed: number;
  /** Bootstrap draws. @default 10000 */
  readonly draws?: number;
}

interface RatioOfMeansOptions extends MeanOptions {
  /** As of ratioOfMedians. @default "shared-blocks" */
  readonly pairing?: Pairing;
}

const confidence = 0.95;
const usualDraws = 10_000;
const neededEnvironments = 6;

/**
 * The figure at the means over environments; undefined where a series has no value. An environment
 * counts once, by the mean of its calls, however many of them were kept: a bill is the sum over all
 * calls, the plan makes as many in every environment, and where some were lost, the environments that
 * lost none do not stand for more of the traffic. Of an import nothing was planned: how many calls an
 * environment answered is the traffic, and each call counts.
 */
export function figureAtMeans(figure: FigureOfMeans): number | undefined {
  const means = figure.series.map((series) => {
    const totals = environmentTotals(series);
    const sum = mean(totals.map((environment) => environment.sum));
    const calls = mean(totals.map((environment) => environment.count));
    return sum === undefined || calls === undefined ? undefined : sum / calls;
  });
  return means.every((value) => value !== undefined) ? figure.of(means) : undefined;
}

/** Environments with a value, of the series that has the fewest. */
export function fewestEnvironments({ series }: FigureOfMeans): number {
  return Math.min(...series.map((each) => environmentTotals(each).length));
}

/**
 * The figure with its 95 % interval by the cluster bootstrap: blocks are drawn with replacement, and
 * with a block all that every series has in it, so that what an environment's cold and warm calls have
 * in common stays together. Deterministic for the samples and the seed, and for the order of neither.
 */
export function intervalOfMeans(
  figure: FigureOfMeans,
  { seed, draws = usualDraws }: MeanOptions,
): MeanInterval | Insufficient {
  const n = fewestEnvironments(figure);
  const value = figureAtMeans(figure);
  if (n < neededEnvironments || value === undefined) return insufficient(neededEnvironments, n);
  const drawn = drawnFigures(figure, draws, seed);
  const tail = expandedTail(n);
  return {
    kind: "mean-interval",
    value,
    low: quantileBySelection(drawn, tail),
    high: quantileBySelection(drawn, 1 - tail),
    confidence,
    draws,
    n,
  };
}

/**
 * The ratio of one figure of means to another, with its 95 % interval: as ratioOfMedians, but `ratio` is
 * that of the figures. Of series that both figures have in their places only the blocks that both have
 * are compared, where they have any in common: where one side ended early, the other's later blocks are
 * another time of day. Sides whose pairing is independent are compared whole and drawn apart. Percentiles are of the logarithm: swapping the sides inverts the interval exactly.
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
  const meansAbove = new Array<number>(above.series.length).fill(0);
  const meansBelow = new Array<number>(below.series.length).fill(0);
  const logRatio: FigureOfMeans = {
    series: [...above.series, ...below.series],
    of: (means) => {
      for (let index = 0; index < means.length; index++) {
        const isAbove = index < meansAbove.length;
        const side = isAbove ? meansAbove : meansBelow;
        side[isAbove ? index : index - meansAbove.length] = means[index] as number;
      }
      return Math.log(above.of(meansAbove) / below.of(meansBelow));
    },
  };
  const drawn = drawnFigures(logRatio, draws, seed);
  const tail = expandedTail(fewest);
  return {
    kind: "ratio",
    ratio: own / other,
    low: Math.exp(quantileBySelection(drawn, tail)),
    high: Math.exp(quantileBySelection(drawn, 1 - tail)),
    confidence,
    draws,
    numeratorN,
    denominatorN,
    pairedBlocks: countShared(blocksOf(above), blocksOf(below)),
  };
}

/**
 * The tail at each end of the percentile interval of a mean of n environments: Student's t with n - 1
 * degrees of freedom, and n / (n - 1) for the spread that a bootstrap draw lacks (Hesterberg, "What
 * Teachers Should Know About the Bootstrap", The American Statistician 69, 2015: the expanded
 * percentile interval). 0.0057 for 8 environments, 0.0218 for 60. How often it holds the truth is
 * measured in docs/coverage.md: where few environments bear most of the bill, less often than 95 times.
 */
export function expandedTail(environments: number): number {
  return normalTail(Math.sqrt(environments / (environments - 1)) * studentT(environments - 1));
}

/**
 * The 97.5 % point of Student's t, to 0.0003 from 5 degrees of freedom on, by its expansion at the
 * normal distribution's (Abramowitz and Stegun 26.7.5).
 */
function studentT(degrees: number): number {
  const z = 1.959963984540054;
  const terms = [
    (z ** 3 + z) / 4,
    (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96,
    (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384,
    (79 * z ** 9 + 776 * z ** 7 + 1482 * z ** 5 - 1920 * z ** 3 - 945 * z) / 92_160,
  ];
  return terms.reduce((sum, term, index) => sum + term / degrees ** (index + 1), z);
}

/** What an environment adds to a mean: its own mean once, or each of its calls. */
interface EnvironmentTotal {
  readonly block: number;
  readonly sum: number;
  readonly count: number;
}

/** A report asks for the same series' means again and again. */
const known = new WeakMap<Series, readonly EnvironmentTotal[]>();

/** In a fixed order; an environment without values is left out. */
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

/** The figure of what its series have in the blocks of the other's, wherever they share any. */
function sharedWith(figure: FigureOfMeans, other: FigureOfMeans): FigureOfMeans {
  if (figure.series.length !== other.series.length) return figure;
  const series = figure.series.map((own, index) => {
    const [units] = inSharedBlocks(own.units, environmentTotals(other.series[index] as Series));
    return units.length === 0 || units.length === own.units.length ? own : { ...own, units };
  });
  return { series, of: figure.of };
}

/** The figure of the same means in blocks that no other series has: block numbers are 0 and more. */
function inOtherBlocks(figure: FigureOfMeans): FigureOfMeans {
  const series = figure.series.map((own) => ({
    ...own,
    units: own.units.map(({ block, values }) => ({ block: -1 - block, values })),
  }));
  return { series, of: figure.of };
}

/**
 * Of an imported log a block may be an invocation, and there may be a million: beyond this many they are
 * drawn in batches of neighbours, which tell the spread of their mean as well, and more of it where
 * blocks drift. What is drawn of so many is still kept for the next figure (drawnColumn).
 */
const mostDrawn = 400;

/** The figure in every draw; draws that left out all environments of a series are not among them. */
function drawnFigures(figure: FigureOfMeans, draws: number, seed: number): Float64Array {
  const environments = figure.series.map(environmentTotals);
  const { strata, placeOf } = placesToDraw(environments);
  const columns = environments.map((ofSeries) =>
    drawnColumn(new DrawnMean(ofSeries, placeOf), { strata, draws, seed }),
  );
  const means = new Array<number>(columns.length).fill(0);
  const drawn = new Float64Array(draws);
  let found = 0;
  for (let draw = 0; draw < draws; draw++) {
    let isWhole = true;
    for (let index = 0; index < columns.length; index++) {
      const mean = (columns[index] as Float64Array)[draw] as number;
      // Of no environment there is no mean.
      if (Number.isNaN(mean)) isWhole = false;
      means[index] = mean;
    }
    const value = isWhole ? figure.of(means) : Number.NaN;
    if (Number.isFinite(value)) drawn[found++] = value;
  }
  return drawn.subarray(0, found);
}

/** A series' mean over environments in a draw. */
class DrawnMean implements DrawnStatistic {
  readonly #places: Int32Array;
  readonly #sums: Float64Array;
  readonly #counts: Int32Array;

  constructor(environments: readonly EnvironmentTotal[], placeOf: ReadonlyMap<number, number>) {
    const byPlace = new Map<number, { sum: number; count: number }>();
    for (const { block, ...own } of environments) {
      const place = placeOf.get(block) as number;
      const { sum, count } = byPlace.get(place) ?? { sum: 0, count: 0 };
      byPlace.set(place, { sum: sum + own.sum, count: count + own.count });
    }
    this.#places = Int32Array.from(byPlace.keys());
    this.#sums = Float64Array.from(byPlace.values(), ({ sum }) => sum);
    this.#counts = Int32Array.from(byPlace.values(), ({ count }) => count);
  }

  get identity(): string {
    return `mean ${this.#places} ${this.#sums} ${this.#counts}`;
  }

  /** NaN where none of its environments was drawn. */
  fill(column: Float64Array, timesDrawn: TimesDrawn, blocks: number): void {
    const [places, sums, counts] = [this.#places, this.#sums, this.#counts];
    const always = this.#countInAnyDraw(blocks);
    for (let draw = 0, first = 0; draw < column.length; draw++, first += blocks) {
      let sum = 0;
      for (let index = 0; index < places.length; index++) {
        sum += (timesDrawn[first + (places[index] as number)] as number) * (sums[index] as number);
      }
      let count = always ?? 0;
      for (let index = 0; always === undefined && index < places.length; index++) {
        count +=
          (timesDrawn[first + (places[index] as number)] as number) * (counts[index] as number);
      }
      column[draw] = sum / count;
    }
  }

  /** As many blocks are drawn as there are: where each has as many calls, every draw has all of them. */
  #countInAnyDraw(blocks: number): number | undefined {
    const [count = 0] = this.#counts;
    const isInEvery = this.#places.length === blocks;
    return isInEvery && this.#counts.every((each) => each === count) ? count * blocks : undefined;
  }
}

/**
 * Which blocks are drawn among each other: those in which the same series have an environment, so that
 * every draw has as many of each as there were. Kinds of block that are too few to be drawn among
 * themselves join the most frequent kind.
 */
function placesToDraw(environments: readonly (readonly EnvironmentTotal[])[]) {
  const seriesIn = new Map<number, string>();
  for (const [index, ofSeries] of environments.entries()) {
    for (const block of new Set(ofSeries.map((environment) => environment.block))) {
      seriesIn.set(block, `${seriesIn.get(block) ?? ""} ${index}`);
    }
  }
  const kinds = new Map<string, number[]>();
  for (const [block, kind] of [...seriesIn].sort(([a], [b]) => a - b)) {
    const known = kinds.get(kind);
    if (known === undefined) kinds.set(kind, [block]);
    else known.push(block);
  }
  const [most = [], ...others] = [...kinds.values()].sort((a, b) => b.length - a.length);
  const few = others.filter(({ length }) => length < neededEnvironments).flat();
  const groups = [
    [...most, ...few].sort((a, b) => a - b),
    ...others.filter(({ length }) => length >= neededEnvironments),
  ];
  const placeOf = new Map<number, number>();
  const strata: number[] = [];
  for (const blocks of groups) {
    const first = strata.reduce((sum, length) => sum + length, 0);
    const places = Math.min(blocks.length, mostDrawn);
    for (const [index, block] of blocks.entries()) {
      placeOf.set(block, first + Math.floor((index * places) / blocks.length));
    }
    strata.push(places);
  }
  return { strata, placeOf };
}
