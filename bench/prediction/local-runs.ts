import type { Interval, PredictionKind } from "../../lib/analysis/prediction.ts";
import type { SeriesView } from "../../lib/analysis/series-view.ts";

/** A figure that was measured on Lambda, and where a local run has the same. */
export interface PublishedFigure {
  readonly kind: PredictionKind;
  readonly what: string;
  readonly observed: number;
  /** The same of a local run; undefined where it has none. */
  readonly predict: (runs: LocalRuns) => number | undefined;
  /** The prediction's 95 % confidence interval, where it is a median of the run. */
  readonly interval?: (runs: LocalRuns) => Interval | undefined;
}

/** The series of the runs' summaries, by experiment. */
export type LocalRuns = ReadonlyMap<string, readonly SeriesView[]>;

export type MeasureName =
  | "durationMs"
  | "initDurationMs"
  | "initAndDurationMs"
  | "billedDurationMs";

/** Where a series stands. */
export interface Place {
  readonly experiment: string;
  readonly variant: string;
  readonly memoryMb: number;
  readonly phase: SeriesView["phase"];
  readonly operation: string;
}

/** A median of a run, with its interval, as a figure's prediction. */
export function medianOf(
  place: Place,
  measure: MeasureName,
): Pick<Required<PublishedFigure>, "predict" | "interval"> {
  return {
    predict: (runs) => read(runs, place, measure),
    interval: (runs) => {
      const { low, high } = find(runs, place)?.[measure] ?? {};
      return low === undefined || high === undefined ? undefined : { low, high };
    },
  };
}

/** Undefined where the runs do not have it. */
export function read(runs: LocalRuns, place: Place, measure: MeasureName): number | undefined {
  return find(runs, place)?.[measure]?.median;
}

function find(runs: LocalRuns, place: Place): SeriesView | undefined {
  return runs
    .get(place.experiment)
    ?.find(
      ({ cell, phase, operation }) =>
        cell.twinOf === undefined &&
        cell.variant === place.variant &&
        cell.memoryMb === place.memoryMb &&
        phase === place.phase &&
        operation === place.operation,
    );
}

export function ratio(above: number | undefined, below: number | undefined): number | undefined {
  return above === undefined || below === undefined ? undefined : above / below;
}
