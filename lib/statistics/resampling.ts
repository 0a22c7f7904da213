import type { SeededRandom } from "../contract/seeded-order.ts";
import type { EnvironmentMedian } from "./series.ts";

/** Two series prepared for many draws. */
export interface ResamplingPlan {
  /** Drawn in each draw. */
  readonly blocks: number;
  readonly pairedBlocks: number;
  /** Draws the blocks anew, and gives the first series' median of them over the second's. */
  drawnRatio(random: SeededRandom): number;
}

/** See ratioOfMedians for what is resampled with what. */
export function resamplingPlan(
  numerator: readonly EnvironmentMedian[],
  denominator: readonly EnvironmentMedian[],
  pairing: "shared-blocks" | "independent",
): ResamplingPlan {
  const above = blocksOf(numerator);
  const below = blocksOf(denominator);
  const inBelow = new Set(below);
  const shared = pairing === "shared-blocks" ? above.filter((block) => inBelow.has(block)) : [];
  const inShared = new Set(shared);
  const aboveAlone = above.filter((block) => !inShared.has(block));
  const belowAlone = below.filter((block) => !inShared.has(block));
  const strata = [shared.length, aboveAlone.length, belowAlone.length];
  const timesDrawn = new Int32Array(shared.length + aboveAlone.length + belowAlone.length);
  const ofNumerator = new DrawnMedian(numerator, [...shared, ...aboveAlone]);
  const othersAlone = aboveAlone.map(() => undefined);
  const ofDenominator = new DrawnMedian(denominator, [...shared, ...othersAlone, ...belowAlone]);
  return {
    blocks: timesDrawn.length,
    pairedBlocks: shared.length,
    drawnRatio(random) {
      drawBlocks(strata, timesDrawn, random);
      return ofNumerator.median(timesDrawn) / ofDenominator.median(timesDrawn);
    },
  };
}

/** As many blocks of each stratum as it has, with replacement. */
function drawBlocks(strata: readonly number[], timesDrawn: Int32Array, random: SeededRandom): void {
  // No fill: a call costs more than the few blocks of a run.
  for (let place = 0; place < timesDrawn.length; place++) timesDrawn[place] = 0;
  let first = 0;
  for (const length of strata) {
    for (let drawn = 0; drawn < length; drawn++) {
      const place = first + random.below(length);
      timesDrawn[place] = (timesDrawn[place] as number) + 1;
    }
    first += length;
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

  median(timesDrawn: Int32Array): number {
    const places = this.#places;
    let taken = this.#values.length;
    if (!this.#isEven) {
      taken = 0;
      for (const place of places) taken += timesDrawn[place] as number;
    }
    const lowerRank = (taken + 1) >> 1;
    const upperRank = (taken >> 1) + 1;
    let passed = 0;
    let index = -1;
    while (passed < lowerRank) passed += timesDrawn[places[++index] as number] as number;
    const lower = this.#values[index] as number;
    while (passed < upperRank) passed += timesDrawn[places[++index] as number] as number;
    return (lower + (this.#values[index] as number)) / 2;
  }
}

/** Ascending. */
function blocksOf(environments: readonly EnvironmentMedian[]): readonly number[] {
  return [...new Set(environments.map(({ block }) => block))].sort((a, b) => a - b);
}
