import { type Claim, heldOutClaims, leaveOut, listClaims } from "./claims.ts";
import { fitConstants, type Observation } from "./fit.ts";
import { type LambdaRange, measureSpread, rangeAround } from "./spread.ts";

/** A claim with its range, both predicted from sources other than its own. */
interface RangedClaim extends Claim {
  readonly range: LambdaRange;
  /** False for work that no other source covers: its constant is then fitted to its own source. */
  readonly isHeldOut: boolean;
}

/**
 * Returns every claim as if its source were unknown: constants and spread come from the other sources, whose errors
 * are held out in turn. The spread of the study's own runs is taken to be 0.
 */
export function rangeHeldOut(observations: readonly Observation[]): readonly RangedClaim[] {
  const asFitted = fitConstants(observations);
  return leaveOut(observations).flatMap(({ own, others }) => {
    const spread = measureSpread(heldOutClaims(others));
    const works = new Set(others.map(({ local }) => local.kind.work));
    const ranged = (claim: Claim) => ({
      ...claim,
      range: rangeAround(claim.predicted, spread.of(claim.kind), 0),
      isHeldOut: works.has(claim.kind.work),
    });
    const isAlone = ({ local }: Observation) => !works.has(local.kind.work);
    const [alone, shared] = [own.filter(isAlone), own.filter((each) => !isAlone(each))];
    return [
      ...listClaims(shared, fitConstants(others)).map(ranged),
      ...listClaims(alone, asFitted).map(ranged),
    ];
  });
}

interface ClaimScore {
  readonly n: number;
  readonly sources: number;
  /** Geometric mean of the larger of predicted and published, divided by the smaller. */
  readonly meanFactor: number;
  /** The same for the local measurement, without the model. */
  readonly measuredFactor: number;
  readonly largest: RangedClaim;
  /** Number of claims whose range contains the published figure. */
  readonly held: number;
  /** Median of the ratio of the upper bound to the lower. */
  readonly medianWidth: number;
  /** Geometric mean of that ratio. */
  readonly meanWidth: number;
}

/** Scores claims. Throws RangeError if there are none. */
export function scoreClaims(claims: readonly RangedClaim[]): ClaimScore {
  const [largest] = claims.toSorted((a, b) => errorFactor(b) - errorFactor(a));
  if (largest === undefined) throw new RangeError("claims: none to score");
  const widths = claims.map(({ range }) => range.high / range.low).toSorted((a, b) => a - b);
  return {
    n: claims.length,
    sources: new Set(claims.map(({ source }) => source)).size,
    meanFactor: geometricMean(claims.map(errorFactor)),
    measuredFactor: geometricMean(
      claims.map(({ observed, measured }) => Math.max(observed / measured, measured / observed)),
    ),
    largest,
    held: claims.filter(isHeld).length,
    medianWidth: widths[Math.floor(widths.length / 2)] ?? Number.NaN,
    meanWidth: geometricMean(widths),
  };
}

/** Returns the factor by which a prediction is off: the larger of predicted and published, divided by the smaller. */
export function errorFactor({
  observed,
  predicted,
}: Pick<Claim, "observed" | "predicted">): number {
  return Math.max(observed / predicted, predicted / observed);
}

export function isHeld({ observed, range }: RangedClaim): boolean {
  return observed >= range.low && observed <= range.high;
}

export function geometricMean(factors: readonly number[]): number {
  const logs = factors.map(Math.log);
  return Math.exp(logs.reduce((sum, log) => sum + log, 0) / logs.length);
}

/** Accuracy of the direction of ratios that differ from 1 by more than a factor. */
interface DirectionScore {
  readonly n: number;
  /** Number of ratios whose range lies on one side of 1. */
  readonly claimed: number;
  /** Number of claimed ratios whose prediction lies on the wrong side of 1. */
  readonly wrong: number;
  /** Number of all ratios whose prediction lies on the same side of 1 as the published one. */
  readonly rightSide: number;
}

export function scoreDirections(
  claims: readonly RangedClaim[],
  leastFactor: number,
): DirectionScore {
  const separate = claims.filter(
    ({ kind, observed }) =>
      kind.form === "ratio" && Math.abs(Math.log(observed)) > Math.log(leastFactor),
  );
  const claimed = separate.filter(({ range }) => range.low > 1 || range.high < 1);
  const isRight = ({ observed, predicted }: Claim) => observed > 1 === predicted > 1;
  return {
    n: separate.length,
    claimed: claimed.length,
    wrong: claimed.filter((claim) => !isRight(claim)).length,
    rightSide: separate.filter(isRight).length,
  };
}
