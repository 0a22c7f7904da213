import kept from "../contract/prediction.json" with { type: "json" };

/** What a published figure is one of: claims of different kinds are predicted differently well. */
export type PredictionKind = "memory" | "variants" | "instructions" | "milliseconds" | "init";

/** 95 % confidence, in the unit of what it is of. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** A published figure beside what a local run said of it. */
export interface Prediction {
  readonly kind: PredictionKind;
  readonly what: string;
  readonly observed: number;
  readonly predicted: number;
  /** Of the prediction, where it is a mean of a run. */
  readonly interval?: Interval;
}

/** What the study keeps of one machine, so that the document can be held to it. */
export interface PredictionStudy {
  readonly machine: string;
  readonly versions: string;
  readonly network: string;
  readonly environments: string;
  /** A million chained SHA-256 in Python on one core, ms. */
  readonly calibrationMs: number;
  readonly predictions: readonly Prediction[];
  /** Every series of the runs: what the model of lib/prediction is fitted to. */
  readonly series?: readonly object[];
}

/** By how much a prediction is off, 1 where it is not: the larger over the smaller. */
export function errorFactor({ observed, predicted }: Prediction): number {
  return Math.max(observed / predicted, predicted / observed);
}

/** How the predictions of one kind did. */
export interface Score {
  readonly n: number;
  /** Geometric mean of the error factors. */
  readonly meanFactor: number;
  readonly worst: Prediction;
  /** Ratios that are predicted on their side of 1. */
  readonly rightSide: number;
}

/** Throws RangeError on none. */
export function score(predictions: readonly Prediction[]): Score {
  const [worst] = [...predictions].sort((a, b) => errorFactor(b) - errorFactor(a));
  if (worst === undefined) throw new RangeError("predictions: none to score");
  const logs = predictions.map((each) => Math.log(errorFactor(each)));
  return {
    n: predictions.length,
    meanFactor: Math.exp(logs.reduce((sum, log) => sum + log, 0) / logs.length),
    worst,
    rightSide: predictions.filter(({ observed, predicted }) => observed > 1 === predicted > 1)
      .length,
  };
}

/** One per machine: lib/contract/prediction.json. */
export interface PredictionStudies {
  readonly studies: readonly PredictionStudy[];
}

const { studies } = kept as PredictionStudies;

/** The machines whose local runs were held against Lambda. */
export const predictionMachines: readonly string[] = studies.map(({ machine }) => machine);

const ofAllMachines = studies.flatMap(({ predictions }) => predictions);

/** How the predictions of a kind did, those of all machines together. Throws RangeError where there are none. */
export function scoreOfKind(kind: PredictionKind): Score {
  return score(ofAllMachines.filter((each) => each.kind === kind));
}

/** Which ratios between variants: those of a first request's or a warm call's Duration, or of calls to S3. */
export type RatioPart = "first" | "warming" | "warm" | "parallel";

const ratioParts: Readonly<Record<RatioPart, RegExp>> = {
  first: /first `.*python over rust/,
  warming: /unwarmed over warmed/,
  warm: /warm `.*python over rust/,
  parallel: /over python-serial/,
};

export function isOfPart({ kind, what }: Prediction, part: RatioPart): boolean {
  return kind === "variants" && ratioParts[part].test(what);
}
