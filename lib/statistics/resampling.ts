import type { SeededRandom } from "../contract/seeded-order.ts";
import type { EnvironmentMedian } from "./series.ts";

/** Two series prepared for many draws; `resample` sets both of them to a new one. */
export interface ResamplingPlan {
  readonly numerator: CountedMedian;
  readonly denominator: CountedMedian;
  readonly pairedBlocks: number;
  resample(random: SeededRandom): void;
}

/**
 * The median of a multiset over known values, by counting how often each was taken: no sorting
 * in the draw. Starts with every value once.
 */
export class CountedMedian {
  readonly #values: Float64Array;
  readonly #counts: Uint32Array;
  #taken: number;

  /** @param values ascending */
  constructor(values: Float64Array) {
    this.#values = values;
    this.#counts = new Uint32Array(values.length).fill(1);
    this.#taken = values.length;
  }

  clear(): void {
    this.#counts.fill(0);
    this.#taken = 0;
  }

  take(index: number): void {
    this.#counts[index] = (this.#counts[index] as number) + 1;
    this.#taken++;
  }

  /** Of what was taken; NaN when that is nothing. */
  median(): number {
    const upperRank = (this.#taken >> 1) + 1;
    const lowerRank = (this.#taken + 1) >> 1;
    let passed = 0;
    let lower = Number.NaN;
    for (let index = 0; index < this.#counts.length; index++) {
      const before = passed;
      passed += this.#counts[index] as number;
      if (before < lowerRank && passed >= lowerRank) lower = this.#values[index] as number;
      if (passed >= upperRank) return (lower + (this.#values[index] as number)) / 2;
    }
    return Number.NaN;
  }
}

/** A block's environments: their places among the ascending values of either series. */
interface Cluster {
  readonly numerator: readonly number[];
  readonly denominator: readonly number[];
}

/** See ratioOfMedians for what is resampled with what. */
export function resamplingPlan(
  numerator: readonly EnvironmentMedian[],
  denominator: readonly EnvironmentMedian[],
  pairing: "shared-blocks" | "independent",
): ResamplingPlan {
  const above = placesByBlock(numerator);
  const below = placesByBlock(denominator);
  const shared = pairing === "shared-blocks" ? above.blocks.filter((b) => below.places.has(b)) : [];
  const isShared = new Set(shared);
  const cluster = (block: number, ofAbove: boolean, ofBelow: boolean): Cluster => ({
    numerator: ofAbove ? (above.places.get(block) ?? []) : [],
    denominator: ofBelow ? (below.places.get(block) ?? []) : [],
  });
  const strata: readonly (readonly Cluster[])[] = [
    shared.map((block) => cluster(block, true, true)),
    above.blocks.filter((b) => !isShared.has(b)).map((block) => cluster(block, true, false)),
    below.blocks.filter((b) => !isShared.has(b)).map((block) => cluster(block, false, true)),
  ];
  const plan = {
    numerator: new CountedMedian(above.ascending),
    denominator: new CountedMedian(below.ascending),
    pairedBlocks: shared.length,
    resample(random: SeededRandom) {
      plan.numerator.clear();
      plan.denominator.clear();
      for (const clusters of strata) resampleStratum(clusters, plan, random);
    },
  };
  return plan;
}

function resampleStratum(
  clusters: readonly Cluster[],
  into: Pick<ResamplingPlan, "numerator" | "denominator">,
  random: SeededRandom,
): void {
  const { length } = clusters;
  for (let drawn = 0; drawn < length; drawn++) {
    const { numerator, denominator } = clusters[random.below(length)] as Cluster;
    for (let i = 0; i < numerator.length; i++) into.numerator.take(numerator[i] as number);
    for (let i = 0; i < denominator.length; i++) into.denominator.take(denominator[i] as number);
  }
}

function placesByBlock(environments: readonly EnvironmentMedian[]) {
  const order = environments.map((_, index) => index);
  order.sort((a, b) => medianAt(environments, a) - medianAt(environments, b));
  const places = new Map<number, number[]>();
  order.forEach((index, place) => {
    const block = (environments[index] as EnvironmentMedian).block;
    places.set(block, [...(places.get(block) ?? []), place]);
  });
  const ascending = Float64Array.from(order, (index) => medianAt(environments, index));
  return { places, ascending, blocks: [...places.keys()].sort((a, b) => a - b) };
}

function medianAt(environments: readonly EnvironmentMedian[], index: number): number {
  return (environments[index] as EnvironmentMedian).median;
}
