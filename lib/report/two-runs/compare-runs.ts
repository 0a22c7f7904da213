import type { Cell, Manifest, Plan, Sample } from "../../contract/types/contract.ts";
import { type Ratio, ratioOfMedians } from "../../statistics/ratio.ts";
import { mediansOf, type Series } from "../../statistics/series.ts";
import { cliffsDelta, hodgesLehmannShift, mannWhitney } from "../../statistics/shift.ts";
import { noiseFloorLog, verdictOf } from "../../statistics/verdict.ts";
import type { CollectedSamples } from "../collect/collect-samples.ts";
import type { Quantity } from "../collect/quantities.ts";
import { afterCorrection } from "../view/after-correction.ts";
import { twinPairs } from "../view/cell-pairs.ts";
import type { Compared } from "../view/compared.ts";
import { type Measure, measureOfSeries } from "../view/measure.ts";
import { cellsOf, operationsOf } from "../view/series-view.ts";

/** One of the two runs of one experiment, once its samples have been read. */
export interface OneRun {
  readonly plan: Plan;
  readonly manifest: Omit<Manifest, "counts">;
  readonly samples: CollectedSamples;
}

/** A series that both runs have. Ratios and shifts are the later over, or less, the earlier run. */
export interface SeriesChange extends Compared {
  readonly experiment: string;
  readonly cell: Cell;
  readonly phase: Sample["phase"];
  readonly operation: string;
  readonly quantity: Quantity;
  readonly before: Measure;
  readonly after: Measure;
  /** Hodges-Lehmann. */
  readonly shiftMs?: number;
  /** -1 to 1; above 0 the later run takes longer. */
  readonly cliffsDelta?: number;
}

export interface ChangeOptions {
  /** A relative difference that matters; 0.05 is 5 %. */
  readonly margin: number;
}

interface Wanted {
  readonly phase: Sample["phase"];
  readonly quantities: readonly Quantity[];
}

/** What a caller waits for. A verdict on a sum and on its parts would count one change twice. */
const wanted: readonly Wanted[] = [
  { phase: "cold", quantities: ["initDurationMs", "durationMs"] },
  { phase: "second", quantities: ["durationMs"] },
  { phase: "warm", quantities: ["durationMs"] },
];

/**
 * Every series that both runs of an experiment have, the later against the earlier. The runs share
 * no stretch of time, so their blocks are drawn apart; the noise floor is the larger of both runs' A/A
 * pairs of the same size. What is called different must be so after Holm's correction over all pairs
 * of runs given: one comparison of many experiments is one family.
 */
export function compareRuns(
  pairs: readonly { readonly before: OneRun; readonly after: OneRun }[],
  { margin }: ChangeOptions,
): readonly SeriesChange[] {
  const changes = pairs.flatMap(({ before, after }) =>
    sharedSeries(before.plan, after.plan).map((key) => changeOf(before, after, key, margin)),
  );
  return afterCorrection(changes);
}

type SeriesKey = Pick<SeriesChange, "cell" | "phase" | "operation" | "quantity">;

/** In the order of the earlier plan; the second deployment of the A/A pair is no series of its own. */
function sharedSeries(before: Plan, after: Plan): readonly SeriesKey[] {
  return wanted.flatMap(({ phase, quantities }) =>
    operationsOf(before, phase).flatMap((operation) =>
      cellsOf(before, phase, operation)
        .filter(({ twinOf }) => twinOf === undefined)
        .filter((cell) => hasSeries(after, cell, phase, operation))
        .flatMap((cell) => quantities.map((quantity) => ({ cell, phase, operation, quantity }))),
    ),
  );
}

function hasSeries(plan: Plan, { id }: Cell, phase: Sample["phase"], operation: string): boolean {
  return (
    operationsOf(plan, phase).includes(operation) &&
    cellsOf(plan, phase, operation).some((cell) => cell.id === id)
  );
}

function changeOf(before: OneRun, after: OneRun, key: SeriesKey, margin: number): SeriesChange {
  const [earlier, later] = [seriesIn(before, key), seriesIn(after, key)];
  const measured = { before: measureOfSeries(earlier), after: measureOfSeries(later) };
  const ratio = independentRatio(later, earlier, after.plan.seed);
  const noiseFloor = largerFloor([before, after].map((run) => floorOf(run, key)));
  const verdict = verdictOf(ratio, { margin, ...(noiseFloor !== undefined && { noiseFloor }) });
  return {
    experiment: after.plan.experiment,
    ...key,
    ...measured,
    environments: measured.after.environments,
    baselineEnvironments: measured.before.environments,
    ...(ratio.kind === "ratio" && { ratio: ratio.ratio, low: ratio.low, high: ratio.high }),
    ...(ratio.kind === "insufficient" && { environmentsNeeded: ratio.needed }),
    verdict: verdict.kind,
    ...(verdict.kind === "undecided" && { undecidedReason: verdict.reason }),
    ...distance(mediansOf(later), mediansOf(earlier)),
  };
}

function distance(
  later: readonly number[],
  earlier: readonly number[],
): Pick<SeriesChange, "pValue" | "shiftMs" | "cliffsDelta"> {
  const test = mannWhitney(later, earlier);
  if (test.kind === "insufficient") return {};
  return {
    pValue: test.pValue,
    shiftMs: hodgesLehmannShift(later, earlier),
    cliffsDelta: cliffsDelta(later, earlier),
  };
}

function seriesIn({ samples }: OneRun, key: SeriesKey): Series {
  const { cell, operation, phase, quantity } = key;
  return samples.series(cell.id, operation, phase).series(quantity);
}

function independentRatio(later: Series, earlier: Series, seed: number): Ratio {
  return ratioOfMedians(later, earlier, { seed, pairing: "independent" });
}

/** The run's own A/A pair of the series' size. */
function floorOf(run: OneRun, key: SeriesKey): Ratio | undefined {
  const twins = twinPairs(run.plan).find(
    ({ cell }) =>
      cell.memoryMb === key.cell.memoryMb && cell.architecture === key.cell.architecture,
  );
  if (twins === undefined) return undefined;
  const [twin, original] = [twins.cell, twins.baselineCell].map((cell) =>
    seriesIn(run, { ...key, cell }),
  );
  if (twin === undefined || original === undefined) return undefined;
  return ratioOfMedians(twin, original, { seed: run.plan.seed });
}

function largerFloor(floors: readonly (Ratio | undefined)[]): Ratio | undefined {
  const size = (ratio: Ratio) => noiseFloorLog(ratio) ?? -1;
  return floors
    .filter((floor) => floor !== undefined)
    .sort((one, other) => size(other) - size(one))[0];
}
