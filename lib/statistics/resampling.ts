import { SeededRandom } from "../contract/seeded-order.ts";
import type { EnvironmentValue, Pairing } from "./series.ts";

/** Two series prepared for many draws. */
export interface ResamplingPlan {
  /** Number of blocks in each draw. */
  readonly blocks: number;
  readonly pairedBlocks: number;
  /** Logarithm of the first series' median over the second's, for each draw of the blocks. */
  drawnLogRatios(draws: number, seed: number): Float64Array;
}

/**
 * Prepares the resampling that ratioOfMedians describes.
 *
 * @param pairing if `shared-blocks`, both series must have the same blocks.
 */
export function resamplingPlan(
  numerator: readonly EnvironmentValue[],
  denominator: readonly EnvironmentValue[],
  pairing: Pairing,
): ResamplingPlan {
  const above = distinctBlocks(numerator);
  const below = distinctBlocks(denominator);
  const areShared = pairing === "shared-blocks";
  const strata = areShared ? [above.length] : [above.length, below.length];
  const ofNumerator = new DrawnMedian(numerator, above);
  const others = areShared ? [] : above.map(() => undefined);
  const ofDenominator = new DrawnMedian(denominator, [...others, ...below]);
  return {
    blocks: areShared ? above.length : above.length + below.length,
    pairedBlocks: areShared ? above.length : 0,
    drawnLogRatios(draws, seed) {
      const options = { strata, draws, seed };
      const [over, under] = [
        drawnColumn(ofNumerator, options),
        drawnColumn(ofDenominator, options),
      ];
      const logs = new Float64Array(draws);
      for (let draw = 0; draw < draws; draw++) {
        logs[draw] = Math.log((over[draw] as number) / (under[draw] as number));
      }
      return logs;
    },
  };
}

/** The parameters that determine which blocks are drawn. */
interface Draws {
  /** Number of blocks in each group that is resampled on its own. */
  readonly strata: readonly number[];
  readonly draws: number;
  readonly seed: number;
}

/** Number of times that each block was drawn, one draw after another. */
type TimesDrawn = Uint16Array | Int32Array;

/** A number computed for each draw of the blocks. */
interface DrawnStatistic {
  /** Key that is equal for two statistics that are the same in every draw. Absent if it would be too long to keep. */
  readonly identity?: string | undefined;
  /** @param blocks number of counts per draw. */
  fill(column: Float64Array, timesDrawn: TimesDrawn, blocks: number): void;
}

/** About 20 MB, enough for all columns of a usual report; those of a large one would take hundreds of MB. */
const mostColumns = 256;
/** Most values in an identity. An imported log may have a million. */
const mostIdentified = 1000;
const columnsDrawn = new Map<string, Float64Array>();

/**
 * Returns the statistic in every draw, cached; callers must not change it. A baseline occurs in every comparison with
 * it, and a cell's cold mean in the costs of all its operations.
 */
function drawnColumn(statistic: DrawnStatistic, wanted: Draws): Float64Array {
  const { identity } = statistic;
  if (identity === undefined) return newColumn(statistic, wanted);
  const key = `${drawsKey(wanted)} ${identity}`;
  const column = columnsDrawn.get(key) ?? newColumn(statistic, wanted);
  columnsDrawn.set(key, column);
  const [oldest = key] = columnsDrawn.keys();
  if (columnsDrawn.size > mostColumns) columnsDrawn.delete(oldest);
  return column;
}

/** Most counts kept in memory; above it, blocks are drawn again for every column. */
const mostKept = 4_000_000;
const mostCounted = 2 ** 16 - 1;
/** Most sets of draws kept: requests alternate between several runs, and between paired and independent series. */
const mostSets = 4;
let kept: readonly { readonly key: string; readonly timesDrawn: Uint16Array }[] = [];

/**
 * Computes a column. A report has one seed and hundreds of ratios over the same blocks, so that the last draws are
 * kept for the next column; drawing them again would give the same.
 */
function newColumn(statistic: DrawnStatistic, wanted: Draws): Float64Array {
  const { strata, draws, seed } = wanted;
  const column = new Float64Array(draws);
  const blocks = strata.reduce((sum, length) => sum + length, 0);
  if (draws * blocks <= mostKept && blocks <= mostCounted) {
    statistic.fill(column, keptDraws(wanted, blocks), blocks);
    return column;
  }
  const [timesDrawn, random] = [new Int32Array(blocks), new SeededRandom(seed)];
  for (let draw = 0; draw < draws; draw++) {
    timesDrawn.fill(0);
    drawBlocks(strata, timesDrawn, 0, random);
    statistic.fill(column.subarray(draw, draw + 1), timesDrawn, blocks);
  }
  return column;
}

function keptDraws(wanted: Draws, blocks: number): Uint16Array {
  const key = drawsKey(wanted);
  const known = kept.find((each) => each.key === key);
  if (known !== undefined) return known.timesDrawn;
  const timesDrawn = allDrawn(wanted, blocks);
  let room = mostKept - timesDrawn.length;
  const others = kept.slice(0, mostSets - 1).filter((each) => {
    room -= each.timesDrawn.length;
    return room >= 0;
  });
  kept = [{ key, timesDrawn }, ...others];
  return timesDrawn;
}

function drawsKey({ strata, draws, seed }: Draws): string {
  return `${seed} ${draws} ${strata}`;
}

function allDrawn({ strata, draws, seed }: Draws, blocks: number): Uint16Array {
  const [timesDrawn, random] = [new Uint16Array(draws * blocks), new SeededRandom(seed)];
  for (let draw = 0; draw < draws; draw++) drawBlocks(strata, timesDrawn, draw * blocks, random);
  return timesDrawn;
}

/** Draws as many blocks of each stratum as it has, with replacement, and counts them from place `first` on. */
function drawBlocks(
  strata: readonly number[],
  timesDrawn: TimesDrawn,
  first: number,
  random: SeededRandom,
): void {
  let ofStratum = first;
  for (const length of strata) {
    for (let drawn = 0; drawn < length; drawn++) {
      const place = ofStratum + random.below(length);
      timesDrawn[place] = (timesDrawn[place] as number) + 1;
    }
    ofStratum += length;
  }
}

/** The median of given values, each counted as often as its block was drawn, without sorting in each draw. */
class DrawnMedian implements DrawnStatistic {
  /** The values, ascending. */
  readonly #values: Float64Array;
  /** The place of each value's block in a draw. */
  readonly #places: Int32Array;
  /** True if all blocks have the same size, so that every draw has the same number of values. */
  readonly #isEven: boolean;

  /** @param blocks in the order of their places; undefined for a block of the other series. */
  constructor(environments: readonly EnvironmentValue[], blocks: readonly (number | undefined)[]) {
    const ascending = [...environments].sort((a, b) => a.value - b.value);
    this.#values = Float64Array.from(ascending, ({ value }) => value);
    const placeOf = new Map(blocks.map((block, place) => [block, place]));
    this.#places = Int32Array.from(ascending, ({ block }) => placeOf.get(block) ?? -1);
    const sizes = new Map<number, number>();
    for (const place of this.#places) sizes.set(place, (sizes.get(place) ?? 0) + 1);
    this.#isEven = new Set(sizes.values()).size === 1;
  }

  get identity(): string | undefined {
    if (this.#values.length > mostIdentified) return undefined;
    return `median ${this.#places} ${this.#values}`;
  }

  fill(column: Float64Array, timesDrawn: TimesDrawn, blocks: number): void {
    const [values, places, isEven] = [this.#values, this.#places, this.#isEven];
    for (let draw = 0, first = 0; draw < column.length; draw++, first += blocks) {
      let taken = values.length;
      if (!isEven) {
        taken = 0;
        for (let each = 0; each < places.length; each++) {
          taken += timesDrawn[first + (places[each] as number)] as number;
        }
      }
      const lowerRank = (taken + 1) >> 1;
      const upperRank = (taken >> 1) + 1;
      let passed = 0;
      let index = -1;
      while (passed < lowerRank)
        passed += timesDrawn[first + (places[++index] as number)] as number;
      const lower = values[index] as number;
      while (passed < upperRank)
        passed += timesDrawn[first + (places[++index] as number)] as number;
      column[draw] = (lower + (values[index] as number)) / 2;
    }
  }
}

/** Returns the distinct block numbers, ascending. */
function distinctBlocks(environments: readonly EnvironmentValue[]): readonly number[] {
  return [...new Set(environments.map(({ block }) => block))].sort((a, b) => a - b);
}
