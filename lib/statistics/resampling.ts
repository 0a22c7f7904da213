import { SeededRandom } from "../contract/seeded-order.ts";
import type { EnvironmentMedian, Pairing } from "./series.ts";

/** Two series prepared for many draws. */
export interface ResamplingPlan {
  /** Drawn in each draw. */
  readonly blocks: number;
  readonly pairedBlocks: number;
  /** Of each draw of the blocks, the logarithm of the first series' median over the second's. */
  drawnLogRatios(draws: number, seed: number): Float64Array;
}

/**
 * See ratioOfMedians for what is resampled with what.
 *
 * @param pairing with `shared-blocks` both have the same blocks.
 */
export function resamplingPlan(
  numerator: readonly EnvironmentMedian[],
  denominator: readonly EnvironmentMedian[],
  pairing: Pairing,
): ResamplingPlan {
  const above = distinctBlocks(numerator);
  const below = distinctBlocks(denominator);
  const areShared = pairing === "shared-blocks";
  const strata = areShared ? [above.length, 0] : [above.length, below.length];
  const ofNumerator = new DrawnMedian(numerator, above);
  const others = areShared ? [] : above.map(() => undefined);
  const ofDenominator = new DrawnMedian(denominator, [...others, ...below]);
  return {
    blocks: areShared ? above.length : above.length + below.length,
    pairedBlocks: areShared ? above.length : 0,
    drawnLogRatios(draws, seed) {
      const logs = new Float64Array(draws);
      eachDraw({ strata, draws, seed }, (timesDrawn, first, draw) => {
        const above = ofNumerator.median(timesDrawn, first);
        logs[draw] = Math.log(above / ofDenominator.median(timesDrawn, first));
      });
      return logs;
    },
  };
}

/** Which blocks are drawn depends on nothing else. */
interface Draws {
  /** Blocks that are drawn among each other. */
  readonly strata: readonly number[];
  readonly draws: number;
  readonly seed: number;
}

/** How often each block was drawn: the draw's own begin at `first`. */
type SeeDraw = (timesDrawn: Int32Array, first: number, draw: number) => void;

/** More are drawn anew for every ratio, for the sake of memory. */
const mostKept = 4_000_000;
let kept: (Draws & { readonly timesDrawn: Int32Array }) | undefined;

/**
 * A report has one seed, and hundreds of ratios over the same blocks: what was drawn for the last one is
 * kept for the next, which is half of its time, and the same as if it were drawn again.
 */
export function eachDraw(wanted: Draws, see: SeeDraw): void {
  const { strata, draws, seed } = wanted;
  const blocks = strata.reduce((sum, length) => sum + length, 0);
  if (draws * blocks <= mostKept) {
    if (kept === undefined || !isSame(kept, wanted)) {
      kept = { ...wanted, timesDrawn: allDrawn(wanted, blocks) };
    }
    for (let draw = 0; draw < draws; draw++) see(kept.timesDrawn, draw * blocks, draw);
    return;
  }
  const [timesDrawn, random] = [new Int32Array(blocks), new SeededRandom(seed)];
  for (let draw = 0; draw < draws; draw++) {
    timesDrawn.fill(0);
    drawBlocks(strata, timesDrawn, 0, random);
    see(timesDrawn, 0, draw);
  }
}

function isSame(one: Draws, other: Draws): boolean {
  const isAlike = one.strata.every((length, stratum) => length === other.strata[stratum]);
  const isAsMany = one.strata.length === other.strata.length;
  return isAlike && isAsMany && one.draws === other.draws && one.seed === other.seed;
}

function allDrawn({ strata, draws, seed }: Draws, blocks: number): Int32Array {
  const [timesDrawn, random] = [new Int32Array(draws * blocks), new SeededRandom(seed)];
  for (let draw = 0; draw < draws; draw++) drawBlocks(strata, timesDrawn, draw * blocks, random);
  return timesDrawn;
}

/** As many blocks of each stratum as it has, with replacement, counted from `first` on. */
function drawBlocks(
  strata: readonly number[],
  timesDrawn: Int32Array,
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

/** The median of known values, each as often as its block was drawn: nothing is sorted in a draw. */
class DrawnMedian {
  /** Ascending. */
  readonly #values: Float64Array;
  /** Of each value, the place of its block among the drawn. */
  readonly #places: Int32Array;
  /** Blocks of one size: whichever are drawn, they hold as many values. */
  readonly #isEven: boolean;

  /** @param blocks in the order of their places; undefined is a block of the other series. */
  constructor(environments: readonly EnvironmentMedian[], blocks: readonly (number | undefined)[]) {
    const ascending = [...environments].sort((a, b) => a.median - b.median);
    this.#values = Float64Array.from(ascending, ({ median }) => median);
    const placeOf = new Map(blocks.map((block, place) => [block, place]));
    this.#places = Int32Array.from(ascending, ({ block }) => placeOf.get(block) ?? -1);
    const sizes = new Map<number, number>();
    for (const place of this.#places) sizes.set(place, (sizes.get(place) ?? 0) + 1);
    this.#isEven = new Set(sizes.values()).size === 1;
  }

  /** @param first where the draw's counts begin. */
  median(timesDrawn: Int32Array, first: number): number {
    const places = this.#places;
    let taken = this.#values.length;
    if (!this.#isEven) {
      taken = 0;
      for (const place of places) taken += timesDrawn[first + place] as number;
    }
    const lowerRank = (taken + 1) >> 1;
    const upperRank = (taken >> 1) + 1;
    let passed = 0;
    let index = -1;
    while (passed < lowerRank) passed += timesDrawn[first + (places[++index] as number)] as number;
    const lower = this.#values[index] as number;
    while (passed < upperRank) passed += timesDrawn[first + (places[++index] as number)] as number;
    return (lower + (this.#values[index] as number)) / 2;
  }
}

/** Ascending. */
function distinctBlocks(environments: readonly EnvironmentMedian[]): readonly number[] {
  return [...new Set(environments.map(({ block }) => block))].sort((a, b) => a - b);
}
