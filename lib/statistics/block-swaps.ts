import { groupBy } from "../contract/group-by.ts";
import { SeededRandom } from "../contract/seeded-order.ts";
import { ascending, median } from "./order-statistics.ts";
import { type EnvironmentValue, inSharedBlocks } from "./series.ts";

/** Two sides of one comparison, by block. */
export interface ComparedSides {
  readonly above: readonly EnvironmentValue[];
  readonly below: readonly EnvironmentValue[];
}

/** Below this many blocks no outcome of the test is rarer than 5 of 100: a labelling and its opposite are 2 of 2^n. */
export const neededBlocks = 6;

/**
 * P-values adjusted over a family of comparisons of one run, in its order: each is comparable with the
 * family's error rate itself. Undefined for a comparison with fewer than neededBlocks, or with a time of 0.
 *
 * If nothing differs, the two sides of a block are exchangeable, and with them those of every other
 * comparison, since they share the block. A difference is significant if its statistic is larger than
 * the largest one of all comparisons in 95 of 100 such swaps: that maximum reflects the dependence
 * between comparisons, which a correction by their number ignores. Step-down: comparisons found
 * significant before are left out of it (Westfall and Young, Resampling-Based Multiple Testing, 1993,
 * algorithm 2.8; decision 0032). Up to 12 blocks all swaps are taken; above, random ones by the seed.
 */
export function adjustedBySwaps(
  family: readonly ComparedSides[],
  seed: number,
): readonly (number | undefined)[] {
  const sides = family.map(logsByBlock);
  const tested = sides.filter((side) => side !== undefined);
  if (tested.length === 0) return family.map(() => undefined);
  const blocks = [...new Set(tested.flatMap((side) => [...side.keys()]))].sort((a, b) => a - b);
  const swaps = listSwaps(blocks.length, seed);
  const adjusted = stepDown(standardised(tested, blocks), swaps);
  const adjustedOf = new Map(tested.map((side, index) => [side, adjusted[index]]));
  return sides.map((side) => side && adjustedOf.get(side));
}

/** The logarithms of both sides' values, by block. */
type LogsByBlock = ReadonlyMap<number, readonly [above: number, below: number]>;

function logsByBlock({ above, below }: ComparedSides): LogsByBlock | undefined {
  const [own, other] = inSharedBlocks(above, below).map(logOfBlocks);
  if (own === undefined || other === undefined || own.size < neededBlocks) return undefined;
  const logs = new Map(
    [...own].map(([block, log]) => [block, [log, other.get(block) ?? Number.NaN] as const]),
  );
  return [...logs.values()].flat().every(Number.isFinite) ? logs : undefined;
}

/** The logarithm of each block; the mean of them if it has several environments. */
function logOfBlocks(environments: readonly EnvironmentValue[]): ReadonlyMap<number, number> {
  const blocks = groupBy(environments, ({ block }) => block);
  const logOf = (own: readonly EnvironmentValue[]) =>
    own.reduce((sum, { value }) => sum + Math.log(value), 0) / own.length;
  return new Map([...blocks].map(([block, own]) => [block, logOf(own)]));
}

/**
 * Reaches of Tukey's biweight, beyond which a value counts for nothing, in units of the comparison's scale.
 * The near one sees a shift within a mode or below a tail, which other values hide; the far one, of everything.
 */
const reaches = [3.5, 10] as const;

/**
 * Weight of a comparison's own spread in its scale and in its error, against the spread of all: nine
 * pairs estimate their own poorly, and a comparison of two modes does not share the others'.
 */
const ownShareOfScale = 0.25;
const blocksOfFamily = 32;

/**
 * The blocks' terms of each comparison's statistic, by reach: signed, so that a swap of a block's sides
 * flips the sign. Their divisor is the same for every swap, or hardly changes.
 */
function standardised(
  family: readonly LogsByBlock[],
  blocks: readonly number[],
): readonly (readonly Float64Array[])[] {
  const scales = scalesOf(family);
  const byReach = reaches.map((reach) => {
    const differences = family.map((logs, index) =>
      scoreDifferences(logs, blocks, (scales[index] as number) * reach),
    );
    const squares = differences.map(
      (scores, index) =>
        scores.reduce((sum, score) => sum + score ** 2, 0) / (family[index] as LogsByBlock).size,
    );
    const ofFamily = median(squares);
    return differences.map((scores, index) => {
      const n = (family[index] as LogsByBlock).size;
      const variance =
        (n * (squares[index] as number) + blocksOfFamily * ofFamily) / (n + blocksOfFamily);
      const error = Math.sqrt(n * variance);
      return error > 0 ? scores.map((score) => score / error) : scores;
    });
  });
  return family.map((logs, index) => [
    ...byReach.map((ofReach) => ofReach[index] as Float64Array),
    ...(isMostlyTied(logs) ? [rankTerms(logs, blocks)] : []),
  ]);
}

/** Whether at least half of the values equal another one, as bills of a few whole milliseconds do. */
function isMostlyTied(logs: LogsByBlock): boolean {
  const all = [...logs.values()].flat();
  return 2 * new Set(all).size <= all.length;
}

/**
 * The blocks' terms of the difference of the sides' rank sums, as Mann and Whitney compare them. The median deviation
 * of mostly equal values is 0 or a step of the clock, and does not measure their spread: a biweight scaled by it counts
 * every other value for nothing. The error is shrunk towards that of the pooled ranks, as the others' are towards the
 * family's.
 */
function rankTerms(logs: LogsByBlock, blocks: readonly number[]): Float64Array {
  const rankOf = midranks([...logs.values()].flat());
  const middle = logs.size + 0.5;
  const terms = Float64Array.from(blocks, (block) => {
    const [above, below] = logs.get(block) ?? [];
    return above === undefined || below === undefined
      ? 0
      : (rankOf.get(above) ?? 0) - (rankOf.get(below) ?? 0);
  });
  const squares = terms.reduce((sum, term) => sum + term ** 2, 0) / logs.size;
  const spread = [...logs.values()]
    .flat()
    .reduce((sum, log) => sum + ((rankOf.get(log) ?? 0) - middle) ** 2, 0);
  const ofPooled = spread / logs.size;
  const variance = (logs.size * squares + blocksOfFamily * ofPooled) / (logs.size + blocksOfFamily);
  const error = Math.sqrt(logs.size * variance);
  return error > 0 ? terms.map((term) => term / error) : terms;
}

/** The rank of each value, from 1; equal values share their midrank. */
function midranks(values: readonly number[]): ReadonlyMap<number, number> {
  const sorted = ascending(values);
  const places = new Map<number, { first: number; count: number }>();
  for (const [index, value] of sorted.entries()) {
    const place = places.get(value) ?? { first: index, count: 0 };
    place.count += 1;
    places.set(value, place);
  }
  return new Map(
    [...places].map(([value, { first, count }]) => [value, first + (count + 1) / 2] as const),
  );
}

/** The scale of each comparison: the spread of its values, both sides pooled, and the family's spread within a side. */
function scalesOf(family: readonly LogsByBlock[]): readonly number[] {
  const within = family.map((logs) =>
    median([0, 1].flatMap((side) => distances([...logs.values()].map((pair) => pair[side] ?? 0)))),
  );
  const positive = within.filter((spread) => spread > 0);
  const ofFamily = positive.length === 0 ? 0 : median(positive);
  return family.map((logs) => {
    const own = median(distances([...logs.values()].flat()));
    return perMad * Math.sqrt(ownShareOfScale * own ** 2 + (1 - ownShareOfScale) * ofFamily ** 2);
  });
}

/** A normal distribution's standard deviation over its median absolute deviation, for eight values a side. */
const perMad = 1.7;

function distances(values: readonly number[]): readonly number[] {
  const middle = median(values);
  return values.map((value) => Math.abs(value - middle));
}

/** Difference of the two sides' scores, by block; 0 if the comparison does not have the block. */
function scoreDifferences(
  logs: LogsByBlock,
  blocks: readonly number[],
  reach: number,
): Float64Array {
  const middle = median([...logs.values()].flat());
  const score = (log: number) => biweight((log - middle) / reach);
  return Float64Array.from(blocks, (block) => {
    const pair = logs.get(block);
    return pair === undefined || reach === 0 ? 0 : score(pair[0]) - score(pair[1]);
  });
}

/** Tukey's biweight (Beaton and Tukey, Technometrics 16, 1974): 0 from 1 on. */
function biweight(value: number): number {
  return Math.abs(value) >= 1 ? 0 : value * (1 - value ** 2) ** 2;
}

/** 2^12 labellings, of which each counts as one with its opposite. */
const mostBlocksInFull = 12;
/** So many swaps place a share of 5 of 100 to within half a percentage point, and no factor multiplies it. */
const drawnSwaps = 1_999;

/** Signs by block, swap after swap; the first is the labelling that was measured. */
function listSwaps(blocks: number, seed: number): readonly Int8Array[] {
  return blocks <= mostBlocksInFull ? allSwaps(blocks) : drawSwaps(blocks, seed);
}

function allSwaps(blocks: number): readonly Int8Array[] {
  return Array.from({ length: 2 ** (blocks - 1) }, (_, swap) => {
    const signs = new Int8Array(blocks);
    for (let block = 0; block < blocks; block++) signs[block] = (swap >> block) & 1 ? -1 : 1;
    return signs;
  });
}

function drawSwaps(blocks: number, seed: number): readonly Int8Array[] {
  const random = new SeededRandom(seed);
  const drawn = Array.from({ length: drawnSwaps }, () => {
    const signs = new Int8Array(blocks);
    for (let block = 0; block < blocks; block++) signs[block] = random.below(2) === 1 ? -1 : 1;
    return signs;
  });
  return [new Int8Array(blocks).fill(1), ...drawn];
}

/** Sums that differ by rounding alone are equal. */
const rounding = 1e-9;

function stepDown(
  family: readonly (readonly Float64Array[])[],
  swaps: readonly Int8Array[],
): readonly number[] {
  const [measured] = swaps;
  const found = family.map((ofReaches) => statistic(ofReaches, measured as Int8Array));
  const order = found.map((_, index) => index);
  order.sort((a, b) => (found[b] as number) - (found[a] as number));
  const reached = new Int32Array(family.length);
  for (const signs of swaps) {
    let largest = 0;
    for (let rank = order.length - 1; rank >= 0; rank--) {
      const index = order[rank] as number;
      largest = Math.max(largest, statistic(family[index] as readonly Float64Array[], signs));
      if (largest >= (found[index] as number) - rounding)
        reached[index] = (reached[index] as number) + 1;
    }
  }
  const adjusted = new Array<number>(family.length);
  let most = 0;
  for (const index of order) {
    most = Math.max(most, (reached[index] as number) / swaps.length);
    adjusted[index] = most;
  }
  return adjusted;
}

/** The largest of the statistics by absolute value. */
function statistic(ofReaches: readonly Float64Array[], signs: Int8Array): number {
  let largest = 0;
  for (const terms of ofReaches) {
    let sum = 0;
    for (let block = 0; block < terms.length; block++) {
      sum += (signs[block] as number) * (terms[block] as number);
    }
    largest = Math.max(largest, Math.abs(sum));
  }
  return largest;
}
