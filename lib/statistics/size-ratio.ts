import { studentTQuantile } from "./student-t.ts";

/** A size's measurements by block: one number above 0 for each quantity of the race. */
export interface Racer {
  readonly id: string;
  readonly memoryMb: number;
  readonly byBlock: ReadonlyMap<number, readonly number[]>;
}

/** One size's figure relative to another's, in their shared blocks. */
export interface SizeRatio {
  /** Id of the other size. */
  readonly id: string;
  readonly blocks: number;
  readonly ratio: number;
  /** Absent with fewer than three blocks. */
  readonly low?: number;
  readonly high?: number;
}

const neededBlocks = 3;

/** Compares two sizes in their shared blocks; each bound of the interval is wrong with probability `tail`. */
export function compareRacers(
  one: Racer,
  other: Racer,
  { tail }: { readonly tail: number },
): SizeRatio {
  const shared = [...one.byBlock.keys()]
    .filter((block) => other.byBlock.has(block))
    .sort((a, b) => a - b);
  const [above, below] = [one, other].map((racer) =>
    logFigure(shared.map((block) => racer.byBlock.get(block) ?? [])),
  );
  const log = (above?.log ?? 0) - (below?.log ?? 0);
  const n = shared.length;
  const estimate = { id: other.id, blocks: n, ratio: Math.exp(log) };
  if (n < neededBlocks) return estimate;
  const added = shared.map((_, index) => (above?.added[index] ?? 0) - (below?.added[index] ?? 0));
  const batches = isCorrelated(added) ? inBatches(added) : added;
  const halfWidth = studentTQuantile(tail, batches.length - 1) * errorOfMean(batches);
  return { ...estimate, low: Math.exp(log - halfWidth), high: Math.exp(log + halfWidth) };
}

/** Returns the standard error of the mean of values whose mean is 0. */
function errorOfMean(values: readonly number[]): number {
  const squares = values.reduce((sum, value) => sum + value ** 2, 0);
  return Math.sqrt(squares / (values.length - 1) / values.length);
}

/** Fewest blocks at which the correlation of neighbours can be distinguished from chance. */
const neededForCorrelation = 16;
/** One-sided normal quantile, exceeded with probability 5% if blocks are independent. */
const correlationQuantile = 1.645;

/** True if neighbouring blocks are correlated, which happens if one size drifts and the other does not. */
function isCorrelated(added: readonly number[]): boolean {
  const n = added.length;
  if (n < neededForCorrelation) return false;
  const products = added.reduce((sum, value, index) => sum + value * (added[index + 1] ?? 0), 0);
  const squares = added.reduce((sum, value) => sum + value ** 2, 0);
  return products > squares * (correlationQuantile / Math.sqrt(n));
}

const batchesOfBlocks = 8;

/**
 * Returns the means of eight batches of neighbouring blocks, whose spread estimates that of the mean even if
 * neighbouring blocks are correlated (the method of batch means; Schmeiser, Operations Research 30, 1982).
 */
function inBatches(added: readonly number[]): readonly number[] {
  return Array.from({ length: batchesOfBlocks }, (_, batch) => {
    const [from, to] = [batch, batch + 1].map((each) =>
      Math.round((each * added.length) / batchesOfBlocks),
    );
    const those = added.slice(from, to);
    return those.reduce((sum, value) => sum + value, 0) / those.length;
  });
}

/**
 * Returns the figure's logarithm and each block's term in it: its value relative to the mean, to first order (the
 * delta method), so that the spread of the terms is that of the figure.
 */
function logFigure(values: readonly (readonly number[])[]) {
  const quantities = values[0]?.length ?? 0;
  const n = values.length;
  const added = new Float64Array(n);
  let log = 0;
  for (let quantity = 0; quantity < quantities; quantity += 1) {
    const own = values.map((each) => each[quantity] ?? Number.NaN);
    const mean = own.reduce((sum, value) => sum + value, 0) / n;
    log += Math.log(mean) / quantities;
    for (const [index, value] of own.entries()) {
      added[index] = (added[index] ?? 0) + (value / mean - 1) / quantities;
    }
  }
  return { log, added };
}
