import { groupBy } from "../contract/group-by.ts";
import { SeededRandom } from "../contract/seeded-order.ts";
import { ascending, median } from "./order-statistics.ts";
import { type EnvironmentValue, inSharedBlocks } from "./series.ts";

/** The environments of the two sides of one comparison. */
export interface ComparedSides {
  readonly above: readonly EnvironmentValue[];
  readonly below: readonly EnvironmentValue[];
}

/** Fewest blocks for a test: below this, no p-value is under 5%, since a labelling and its opposite are 2 of 2^n. */
export const neededBlocks = 6;

/**
 * Returns the p-value of each comparison, adjusted over the whole family of one run: each can be compared with the
 * family's error rate directly. Undefined for a comparison with fewer than neededBlocks, or with a time of 0.
 *
 * If nothing differs, the two sides of a block are exchangeable, and so are those of every other comparison, since
 * they share the block. A difference is significant if its statistic exceeds the largest one of all comparisons in 95
 * of 100 such swaps: that maximum reflects the dependence between comparisons, which a correction by their number
 * ignores. The procedure is step-down: it leaves out comparisons already found significant (Westfall and Young,
 * Resampling-Based Multiple Testing, 1993, algorithm 2.8; decision 0032). Up to 12 blocks it takes all swaps; above,
 * it draws them by the seed.
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

/** Returns each block's logarithm, averaged if the block has several environments. */
function logOfBlocks(environments: readonly EnvironmentValue[]): ReadonlyMap<number, number> {
  const blocks = groupBy(environments, ({ block }) => block);
  const logOf = (own: readonly EnvironmentValue[]) =>
    own.reduce((sum, { value }) => sum + Math.log(value), 0) / own.length;
  return new Map([...blocks].map(([block, own]) => [block, logOf(own)]));
}

/**
 * Distances beyond which Tukey's biweight gives a value no weight, in units of the comparison's scale. The near one
 * detects a shift within a mode or below a tail that other values hide; the far one, a shift of all values.
 */
const reaches = [3.5, 10] as const;

/**
 * Weight of a comparison's own spread in its scale and error, against the spread of the family: nine pairs estimate
 * their own spread poorly, and a comparison with two modes differs from the others.
 */
const ownShareOfScale = 0.25;
const blocksOfFamily = 32;

/**
 * Returns each block's term of each comparison's statistic, by reach. The terms are signed, so that swapping a
 * block's sides flips the sign. Their divisor is the same for every swap, or nearly so.
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

/** True if at least half of the values are duplicates, as with bills of a few whole milliseconds. */
function isMostlyTied(logs: LogsByBlock): boolean {
  const all = [...logs.values()].flat();
  return 2 * new Set(all).size <= all.length;
}

/**
 * Returns each block's term of the difference of the sides' rank sums, as in Mann-Whitney. It serves values that are
 * mostly equal: their median deviation is 0 or one clock step, so that a biweight scaled by it would give all other
 * values no weight. The error is shrunk towards that of the pooled ranks, as the others' are towards the family's.
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

/** Returns the rank of each value, from 1; equal values share their midrank. */
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

/** Returns the scale of each comparison, from the spread of its pooled values and the family's spread within a side. */
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

/** Standard deviation of a normal distribution over its median absolute deviation, for eight values per side. */
const perMad = 1.7;

function distances(values: readonly number[]): readonly number[] {
  const middle = median(values);
  return values.map((value) => Math.abs(value - middle));
}

/** Returns the difference of the two sides' scores, by block; 0 if the comparison lacks the block. */
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

/** Tukey's biweight (Beaton and Tukey, Technometrics 16, 1974); it is 0 from 1 on. */
function biweight(value: number): number {
  return Math.abs(value) >= 1 ? 0 : value * (1 - value ** 2) ** 2;
}

/** Most blocks of which all swaps are taken: 2^12 labellings, half of them opposites of the others. */
const mostBlocksInFull = 12;
/** Number of random swaps: they estimate a share of 5 of 100 to within half a percentage point. */
const drawnSwaps = 1_999;

/** Returns the signs by block for each swap; the first is the labelling as measured. */
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

/** Tolerance for rounding when sums are compared. */
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

/** Returns the largest statistic by absolute value. */
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
