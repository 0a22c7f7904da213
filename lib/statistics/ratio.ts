import { type Insufficient, insufficient } from "./insufficient.ts";
import { calibratedTail } from "./percentile-level.ts";
import { median, quantileBySelection } from "./quantile.ts";
import { type ResamplingPlan, resamplingPlan } from "./resampling.ts";
import { type EnvironmentMedian, environmentMedians, mediansOf, type Series } from "./series.ts";
import { sharedDrift } from "./shared-drift.ts";

export interface RatioInterval {
  readonly kind: "ratio";
  /** Median of the numerator's environments over the median of the denominator's. */
  readonly ratio: number;
  readonly low: number;
  readonly high: number;
  readonly confidence: number;
  readonly draws: number;
  readonly numeratorN: number;
  readonly denominatorN: number;
  /** Blocks in which both have an environment, resampled together. */
  readonly pairedBlocks: number;
}

/** A ratio needs medians above zero; `found` is the smallest environment median. */
export interface NotPositive {
  readonly kind: "not-positive";
  readonly found: number;
}

export type Ratio = RatioInterval | NotPositive | Insufficient;

export interface RatioOptions {
  readonly seed: number;
  /** Bootstrap draws. @default 10000, and fewer of more than 10,000 blocks: see drawsOf */
  readonly draws?: number;
  /**
   * `shared-blocks`: equal block numbers are the same stretch of time (one run). `independent`:
   * they are not (two runs). @default "shared-blocks"
   */
  readonly pairing?: "shared-blocks" | "independent";
}

const confidence = 0.95;
const neededEnvironments = 6;

/**
 * The ratio of two series' medians over environments, with a 95 % interval by the cluster bootstrap:
 * its percentiles, at the level that holds the truth as often as that (calibratedTail). Deterministic
 * for the samples and the seed, and for the order of neither.
 *
 * What is resampled, with replacement, is the block, once for both series, so that drift which
 * both shared cancels as it does in the ratio. What lies below, the environments of a block and
 * the calls of an environment, is kept whole: the spread of environment medians already holds the
 * calls' noise, and drawing the calls again would count that noise twice (Davison and Hinkley,
 * Bootstrap Methods and their Application, 1997, section 3.8; Field and Welsh, "Bootstrapping
 * clustered data", JRSS B 69, 2007, where of the schemes compared the cluster bootstrap is
 * consistent under both models of the clusters). Blocks that one series alone has are resampled
 * apart, so that every draw has as many environments as there were.
 *
 * The percentiles are taken of the logarithm: swapping the series inverts the interval exactly.
 */
export function ratioOfMedians(
  numerator: Series,
  denominator: Series,
  options: RatioOptions,
): Ratio {
  const above = environmentMedians(numerator);
  const below = environmentMedians(denominator);
  const fewest = Math.min(above.length, below.length);
  if (fewest < neededEnvironments) return insufficient(neededEnvironments, fewest);
  const smallest = smallestOf([...above, ...below]);
  if (smallest <= 0) return { kind: "not-positive", found: smallest };

  const plan = resamplingPlan(above, below, options.pairing ?? "shared-blocks");
  const logs = plan.drawnLogRatios(options.draws ?? drawsOf(plan), options.seed);
  const tail =
    plan.pairedBlocks > 0
      ? calibratedTail(fewest, "together", sharedDrift(above, below))
      : calibratedTail(fewest, "apart");
  return {
    kind: "ratio",
    ratio: median(mediansOf(numerator)) / median(mediansOf(denominator)),
    low: Math.exp(quantileBySelection(logs, tail)),
    high: Math.exp(quantileBySelection(logs, 1 - tail)),
    confidence,
    draws: logs.length,
    numeratorN: above.length,
    denominatorN: below.length,
    pairedBlocks: plan.pairedBlocks,
  };
}

/** The same comparison the other way round: no draw is made again. */
export function inverted(ratio: RatioInterval): RatioInterval {
  return {
    ...ratio,
    ratio: 1 / ratio.ratio,
    low: 1 / ratio.high,
    high: 1 / ratio.low,
    numeratorN: ratio.denominatorN,
    denominatorN: ratio.numeratorN,
  };
}

const usualDraws = 10_000;
const fewestDraws = 1000;
/** More than a run of our own ever has; a log that is imported may have a million. */
const mostDrawnBlocks = 100_000_000;

/** As many as usual up to 10,000 blocks; above, as many as take as long, and never under 1,000. */
function drawsOf({ blocks }: ResamplingPlan): number {
  return Math.min(usualDraws, Math.max(fewestDraws, Math.floor(mostDrawnBlocks / blocks)));
}

function smallestOf(environments: readonly EnvironmentMedian[]): number {
  return environments.reduce(
    (least, { median }) => Math.min(least, median),
    Number.POSITIVE_INFINITY,
  );
}
