import { SeededRandom } from "../contract/seeded-order.ts";
import {
  type Insufficient,
  insufficient,
  median,
  quantileBySelection,
} from "./order-statistics.ts";
import { type ResamplingPlan, resamplingPlan } from "./resampling.ts";
import {
  type EnvironmentValue,
  environmentMedians,
  inSharedBlocks,
  type Pairing,
  type Series,
} from "./series.ts";

export interface RatioInterval {
  readonly kind: "ratio";
  /**
   * Median over the numerator's environments divided by that of the denominator's. If a coarse clock rounds them so
   * that this lies outside the interval, it is the nearer end of the interval.
   */
  readonly ratio: number;
  readonly low: number;
  readonly high: number;
  readonly confidence: number;
  readonly draws: number;
  /** Number of environments on each side. */
  readonly numeratorN: number;
  readonly denominatorN: number;
  /** Blocks in which both sides have an environment, resampled together; 0 if the pairing is independent. */
  readonly pairedBlocks: number;
}

/** No ratio, because a median is not above 0; `found` is the smallest environment median. */
interface NotPositive {
  readonly kind: "not-positive";
  readonly found: number;
}

export type Ratio = RatioInterval | NotPositive | Insufficient;

interface RatioOptions {
  readonly seed: number;
  /** Bootstrap draws. @default 10000, fewer above 10,000 blocks: see countDraws */
  readonly draws?: number;
  /** @default "shared-blocks" */
  readonly pairing?: Pairing;
}

const confidence = 0.95;
const neededEnvironments = 6;

/**
 * Returns the ratio of two series' medians over environments, with a 95% CI from the percentiles of a cluster
 * bootstrap, at the level that calibratedTail gives. Deterministic for the samples and the seed, in any order of the
 * samples.
 *
 * Blocks are resampled, with replacement, once for both series, so that drift which both share cancels as it does in
 * the ratio. The environments of a block and the calls of an environment are kept whole: the spread of environment
 * medians already includes the calls' noise, and drawing the calls again would count it twice (Davison and Hinkley,
 * Bootstrap Methods and their Application, 1997, section 3.8; Field and Welsh, "Bootstrapping clustered data", JRSS B
 * 69, 2007: of the schemes compared, the cluster bootstrap is consistent under both models of the clusters). Two runs
 * share no block, and each is resampled on its own.
 *
 * The percentiles are those of the logarithm, so that swapping the series inverts the interval exactly.
 */
export function ratioOfMedians(
  numerator: Series,
  denominator: Series,
  options: RatioOptions,
): Ratio {
  const pairing = options.pairing ?? "shared-blocks";
  const measured = [environmentMedians(numerator), environmentMedians(denominator)] as const;
  const [above, below] = pairing === "independent" ? measured : inSharedBlocks(...measured);
  const fewest = Math.min(above.length, below.length);
  if (fewest < neededEnvironments) return insufficient(neededEnvironments, fewest);
  const smallest = smallestValue([...above, ...below]);
  if (smallest <= 0) return { kind: "not-positive", found: smallest };

  const plan = resamplingPlan(...jitterTies([above, below], options.seed), pairing);
  const logs = plan.drawnLogRatios(options.draws ?? countDraws(plan), options.seed);
  const tail =
    pairing === "shared-blocks"
      ? calibratedTail(fewest, "together", sharedDrift(above, below))
      : calibratedTail(fewest, "apart");
  const low = Math.exp(quantileBySelection(logs, tail));
  const high = Math.exp(quantileBySelection(logs, 1 - tail));
  return {
    kind: "ratio",
    ratio: Math.min(high, Math.max(low, medianOf(above) / medianOf(below))),
    low,
    high,
    confidence,
    draws: logs.length,
    numeratorN: above.length,
    denominatorN: below.length,
    pairedBlocks: plan.pairedBlocks,
  };
}

function medianOf(environments: readonly EnvironmentValue[]): number {
  return median(environments.map(({ value }) => value));
}

const usualDraws = 10_000;
const fewestDraws = 1000;
/** Limit on draws x blocks. Our own runs stay below it; an imported log may have a million blocks. */
const mostDrawnBlocks = 100_000_000;

/** Returns the number of draws: 10,000 up to 10,000 blocks; above, as many as take the same time, but at least 1,000. */
export function countDraws({ blocks }: Pick<ResamplingPlan, "blocks">): number {
  return Math.min(usualDraws, Math.max(fewestDraws, Math.floor(mostDrawnBlocks / blocks)));
}

function smallestValue(environments: readonly EnvironmentValue[]): number {
  return environments.reduce(
    (least, { value }) => Math.min(least, value),
    Number.POSITIVE_INFINITY,
  );
}

/** Tail at each end of the percentile interval, by the number of environments on the smaller side. */
type Tails = readonly (readonly [environments: number, tail: number])[];

/** Whether the blocks of both sides are drawn together: with few blocks, that gives fewer distinct draws. */
type Drawn = "together" | "apart";

const measuredTails: Readonly<Record<Drawn, Tails>> = {
  together: [
    [6, 0.011],
    [7, 0.014],
    [8, 0.0195],
    [9, 0.028],
    [10, 0.0255],
    [15, 0.033],
    [30, 0.0315],
    [60, 0.031],
    [100, 0.0305],
  ],
  apart: [
    [6, 0.034],
    [8, 0.0325],
    [10, 0.0325],
    [30, 0.035],
    [100, 0.0325],
  ],
};

/**
 * Factor by which shared drift widens the tail. A drawn median is always one of the measured values. If both sides
 * move with the blocks, the medians of a draw move far and nearly together, and the step that remains between them
 * makes the interval wider than the ratio's spread; this factor corrects for it (decision 0022).
 */
const driftFactor = 1.6;

/**
 * Tail for many environments: the plain percentile is right in the limit, since the bootstrap of a quantile is
 * consistent (Bickel and Freedman, "Some asymptotic theory for the bootstrap", Annals of Statistics 9, 1981).
 */
const limitTail = 0.025;

/**
 * Returns the tail at which a percentile interval covers the true ratio of medians in 95 of 100 runs, for n >= 6
 * environments and the drift that both sides share, 0 to 1 (sharedDrift). It is linear in 1 / n between two measured
 * n.
 *
 * The bootstrap distribution of a median takes few values: with six environments its 2.5% point is too near, with
 * thirty too far. The error depends on n and on the drift, and hardly on other properties of the durations (decision
 * 0018), so that the level can be calibrated once (Loh, "Calibrating confidence coefficients", JASA 82, 1987). The
 * expansion by Student's t that is right for means (Hesterberg, The American Statistician 69, 2015) would widen the
 * interval at every n.
 */
export function calibratedTail(environments: number, drawn: Drawn, drift = 0): number {
  return uncorrelatedTail(environments, drawn) * (1 + driftFactor * drift);
}

function uncorrelatedTail(environments: number, drawn: Drawn): number {
  const tails = measuredTails[drawn];
  const after = tails.findIndex(([n]) => n >= environments);
  const [above, high] = tails[after] ?? [Number.POSITIVE_INFINITY, limitTail];
  if (after === 0) return high;
  const [below, low] = tails[after === -1 ? tails.length - 1 : after - 1] ?? [above, high];
  const share = (1 / below - 1 / environments) / (1 / below - 1 / above);
  return low + share * (high - low);
}

/**
 * Returns the strength of the drift that two series share by block, 0 to 1: 0 if a block of one side does not predict
 * the other, 1 if both lie above their medians in the same blocks. It is the squared quadrant correlation (Blomqvist,
 * Annals of Mathematical Statistics 21, 1950) less its expectation by chance for so many blocks; 0 if the two move in
 * opposite directions.
 */
export function sharedDrift(
  numerator: readonly EnvironmentValue[],
  denominator: readonly EnvironmentValue[],
): number {
  const [above, below] = [sidesByBlock(numerator), sidesByBlock(denominator)];
  let shared = 0;
  let agreement = 0;
  for (const [block, side] of above) {
    const other = below.get(block);
    if (other === undefined) continue;
    shared += 1;
    agreement += Math.sign(side) * Math.sign(other);
  }
  if (agreement <= 0) return 0;
  return Math.max(0, (agreement / shared) ** 2 - 1 / shared);
}

/** Returns a number above 0 for a block if most of its environments lie above the median of all, else 0 or below. */
function sidesByBlock(environments: readonly EnvironmentValue[]): ReadonlyMap<number, number> {
  const middle = medianOf(environments);
  const sides = new Map<number, number>();
  for (const { block, value } of environments) {
    sides.set(block, (sides.get(block) ?? 0) + Math.sign(value - middle));
  }
  return sides;
}

type Environments = readonly EnvironmentValue[];

/**
 * Moves the values of both sides at random within one clock step, if values of a side are equal: 20 ms on a clock of
 * whole milliseconds may be anything from 19.5 to 20.5 (Machado and Santos Silva, "Quantiles for Counts", JASA 100,
 * 2005). The median of equal values is the same in every bootstrap draw, so that the interval ignores what the clock
 * rounds off: it covered the true ratio in 85 of 100 runs with medians between two steps, and in all with medians on
 * a step (decision 41). Sides without ties, and values that fit no step, are returned unchanged.
 */
export function jitterTies(
  sides: readonly [Environments, Environments],
  seed: number,
): readonly [Environments, Environments] {
  const [one, other] = sides;
  if (!hasTies(one) && !hasTies(other)) return sides;
  const step = clockStep([...one, ...other].map(({ value }) => value));
  return step === undefined ? sides : [jittered(one, step, seed), jittered(other, step, seed)];
}

function hasTies(environments: Environments): boolean {
  return new Set(environments.map(({ value }) => value)).size < environments.length;
}

/** Finest clock step, in ms; Lambda reports whole milliseconds and hundredths. */
const finestStep = 1e-6;
/** Tolerance for floating-point rounding, as a share of a step. */
const rounding = 1e-6;

/**
 * Returns the largest of 1, 0.5, 0.1, 0.05 ... that divides all values. Halves are tried because a median of two
 * values may lie half-way between steps.
 */
function clockStep(values: readonly number[]): number | undefined {
  for (let step = 1; step >= finestStep; step /= 10) {
    for (const tried of [step, step / 2]) {
      const isMultiple = (value: number) =>
        Math.abs(value / tried - Math.round(value / tried)) < rounding;
      if (values.every(isMultiple)) return tried;
    }
  }
  return undefined;
}

/** Seeds the jitter by the values as well, so that it does not depend on which side they are. */
function jittered(environments: Environments, step: number, seed: number): Environments {
  const random = new SeededRandom((seed ^ fingerprint(environments)) >>> 0);
  return environments.map(({ block, value }) => {
    const share = (random.nextUint32() + 0.5) / 2 ** 32 - 0.5;
    return { block, value: value + share * step };
  });
}

/** FNV-1a hash over 32-bit words. */
function fingerprint(environments: Environments): number {
  const numbers = Float64Array.from(environments.flatMap(({ block, value }) => [block, value]));
  return new Uint32Array(numbers.buffer).reduce(
    (hash, word) => Math.imul(hash ^ word, 0x0100_0193) >>> 0,
    0x811c_9dc5,
  );
}
