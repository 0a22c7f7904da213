import kept from "../contract/prediction.json" with { type: "json" };
import type { SpeedProbe } from "../contract/types/contract.ts";
import { errorFactor, geometricMean } from "../prediction/held-out.ts";

/** Kinds of published figures: the accuracy of predictions differs between them. */
export type PredictionKind = "memory" | "variants" | "instructions" | "milliseconds" | "init";

/** Bounds of a 95% confidence interval, in the unit of the estimate. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** A published figure beside the one of a local run. */
export interface Prediction {
  readonly kind: PredictionKind;
  readonly what: string;
  readonly observed: number;
  readonly predicted: number;
  /** Interval of the prediction, if that is a mean of a run. */
  readonly interval?: Interval;
}

/** The study's data for one machine. The document is checked against it. */
export interface PredictionStudy {
  readonly machine: string;
  readonly versions: string;
  readonly network: string;
  readonly environments: string;
  /** Seeds of the runs whose means are pooled, by experiment. */
  readonly seeds: string;
  readonly speed: SpeedProbe;
  /** True if the runs stored no speed, and it was derived from calls that another machine also made. */
  readonly isSpeedDerived?: true;
  /** A million chained SHA-256 in Python on one core, ms. */
  readonly calibrationMs: number;
  readonly predictions: readonly Prediction[];
  /** Every series of the runs, to which the model of lib/prediction is fitted. */
  readonly series?: readonly object[];
}

/** Accuracy of the predictions of one kind. */
export interface Score {
  readonly n: number;
  /** Geometric mean of the error factors. */
  readonly meanFactor: number;
  readonly worst: Prediction;
  /** Number of ratios predicted on the correct side of 1. */
  readonly rightSide: number;
}

/** Throws RangeError if there are no predictions. */
export function score(predictions: readonly Prediction[]): Score {
  const [worst] = [...predictions].sort((a, b) => errorFactor(b) - errorFactor(a));
  if (worst === undefined) throw new RangeError("predictions: none to score");
  return {
    n: predictions.length,
    meanFactor: geometricMean(predictions.map(errorFactor)),
    worst,
    rightSide: predictions.filter(({ observed, predicted }) => observed > 1 === predicted > 1)
      .length,
  };
}

/** Studies, one per machine: lib/contract/prediction.json. */
export interface PredictionStudies {
  readonly studies: readonly PredictionStudy[];
}

const { studies } = kept as PredictionStudies;

/** Machines whose local runs were compared with Lambda. */
export const predictionMachines: readonly string[] = studies.map(({ machine }) => machine);

const ofAllMachines = studies.flatMap(({ predictions }) => predictions);

/** Returns the accuracy of a kind's predictions on all machines together. Throws RangeError if there are none. */
export function scoreOfKind(kind: PredictionKind): Score {
  return score(ofAllMachines.filter((each) => each.kind === kind));
}
