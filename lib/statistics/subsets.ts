import { SeededRandom } from "../contract/seeded-order.ts";

/** The subsets of a run's blocks, and how many to draw if there are too many to take all. */
interface Subsets {
  readonly blocks: number;
  readonly draws: number;
  readonly seed: number;
}

/** A series' totals by block: the sum and the number of its values, 0 without any. */
export interface PlaceTotals {
  readonly sums: Float64Array;
  readonly counts: Float64Array;
}

/** Most blocks of which all subsets are taken (2^12 - 1); above, they are drawn at random. */
const mostBlocksInFull = 12;

/** Returns the number of subsets: all but the empty one, or as many as are drawn. */
export function countSubsets({ blocks, draws }: Pick<Subsets, "blocks" | "draws">): number {
  return blocks <= mostBlocksInFull ? 2 ** blocks - 1 : draws;
}

/**
 * subsetMeans returns the mean over each subset of the blocks, NaN if the subset has no value; callers must not
 * change it. Each block is in a random subset with probability 1/2. Cached: a baseline occurs in every comparison
 * with it, and a cell's cold mean in the costs of all its operations.
 */
export function subsetMeans({ sums, counts }: PlaceTotals, wanted: Subsets): Float64Array {
  return remembered(means, `${subsetsKey(wanted)} ${sums} ${counts}`, () => {
    const countOf = remembered(countsOfSubsets, `${subsetsKey(wanted)} ${counts}`, () =>
      sumsOfSubsets(counts, wanted),
    );
    const found = sumsOfSubsets(sums, wanted);
    for (let subset = 0; subset < found.length; subset++) {
      found[subset] = (found[subset] as number) / (countOf[subset] as number);
    }
    return found;
  });
}

interface Remembered<Kept> {
  readonly most: number;
  readonly kept: Map<string, Kept>;
}

/** About 20 MB, enough for the means of all series of a usual report; those of a large one would take hundreds of MB. */
const means: Remembered<Float64Array> = { most: 256, kept: new Map() };
/** Few are needed: most series of a report have the same number of values in the same blocks. */
const countsOfSubsets: Remembered<Float64Array> = { most: 8, kept: new Map() };

function remembered<Kept>({ most, kept }: Remembered<Kept>, key: string, make: () => Kept): Kept {
  const found = kept.get(key) ?? make();
  kept.set(key, found);
  const [oldest = key] = kept.keys();
  if (kept.size > most) kept.delete(oldest);
  return found;
}

function subsetsKey({ blocks, draws, seed }: Subsets): string {
  return `${blocks} ${draws} ${seed}`;
}

/** Sums of all subsets of eight blocks are computed once: a subset of sixty blocks is the sum of eight of them. */
const blocksOfByte = 8;
const byteValues = 2 ** blocksOfByte;

/** Returns the sum of the block values in each subset. */
function sumsOfSubsets(values: Float64Array, wanted: Subsets): Float64Array {
  const [byByte, bytes] = [sumsByByte(values), listSubsets(wanted)];
  const sums = new Float64Array(countSubsets(wanted));
  const end = (bytes.length / sums.length) * byteValues;
  for (let subset = 0, at = 0; subset < sums.length; subset++) {
    let sum = 0;
    for (let group = 0; group < end; group += byteValues, at++) {
      sum += byByte[group + (bytes[at] as number)] as number;
    }
    sums[subset] = sum;
  }
  return sums;
}

/** Returns the sum of each subset of every eight blocks, by the bits of a byte; the last group may be smaller. */
function sumsByByte(values: Float64Array): Float64Array {
  const sums = new Float64Array(Math.ceil(values.length / blocksOfByte) * byteValues);
  for (let first = 0, block = 0; first < sums.length; first += byteValues) {
    for (let bit = 1; bit < byteValues; bit *= 2, block++) {
      const value = values[block] ?? 0;
      for (let byte = 0; byte < bit; byte++) {
        sums[first + bit + byte] = (sums[first + byte] as number) + value;
      }
    }
  }
  return sums;
}

/** A report has one seed and hundreds of ratios over the same blocks; reports of several runs alternate. */
const sets: Remembered<Uint8Array> = { most: 8, kept: new Map() };

/** Returns the blocks in each subset, eight to a byte, one subset after another. */
function listSubsets(wanted: Subsets): Uint8Array {
  return remembered(sets, subsetsKey(wanted), () =>
    wanted.blocks <= mostBlocksInFull ? allSubsets(wanted) : drawSubsets(wanted),
  );
}

function allSubsets(wanted: Subsets): Uint8Array {
  const perSubset = Math.ceil(wanted.blocks / blocksOfByte);
  const bytes = new Uint8Array(perSubset * countSubsets(wanted));
  for (let at = 0; at < bytes.length; at++) {
    const subset = Math.floor(at / perSubset) + 1;
    bytes[at] = subset >> (blocksOfByte * (at % perSubset));
  }
  return bytes;
}

function drawSubsets({ blocks, draws, seed }: Subsets): Uint8Array {
  const random = new SeededRandom(seed);
  const bytes = new Uint8Array(Math.ceil(blocks / blocksOfByte) * draws);
  let word = 0;
  for (let at = 0; at < bytes.length; at++) {
    word = at % 4 === 0 ? random.nextUint32() : word >>> blocksOfByte;
    bytes[at] = word;
  }
  return bytes;
}
