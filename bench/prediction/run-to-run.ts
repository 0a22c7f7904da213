import type { PredictionStudies } from "../../lib/analysis/prediction.ts";
import { groupBy } from "../../lib/contract/group-by.ts";
import type { LocalSeries, MeasureName, Place } from "./local-runs.ts";
import { figure, row } from "./page-table.ts";

type StudySeries = LocalSeries & Place;

/** A time of a call. */
interface Time {
  readonly name: string;
  readonly phase: StudySeries["phase"];
  readonly measure: MeasureName;
}

const times: readonly Time[] = [
  { name: "Init", phase: "cold", measure: "initDurationMs" },
  { name: "first Duration", phase: "cold", measure: "durationMs" },
  { name: "warm Duration", phase: "warm", measure: "durationMs" },
];

/**
 * Returns a table of how far runs that differ only in their seed are apart, and of how far their intervals say that
 * they are.
 */
export function runToRunTable({ studies }: PredictionStudies): readonly string[] {
  const all = studies.flatMap(({ series = [] }) => series as readonly StudySeries[]);
  const rows = [...groupBy(all, ({ experiment }) => experiment)].flatMap(([experiment, own]) => {
    const cells = times.map((time) => cellOf(own.flatMap((series) => repeatedMean(series, time))));
    return cells.every((cell) => cell === "–") ? [] : [row([experiment, ...cells])];
  });
  return [
    row(["experiment", ...times.map(({ name }) => name)]),
    row(["---", ...times.map(() => "---:")]),
    ...rows,
  ];
}

/** Variances of the logarithm of a mean from run to run: that of the runs' means, and that of their 95% intervals. */
interface RepeatedMean {
  readonly observed: number;
  /** Absent if the runs had too few environments for intervals. */
  readonly implied?: number;
}

function cellOf(means: readonly RepeatedMean[]): string {
  if (means.length === 0) return "–";
  const [observed, implied] = (["observed", "implied"] as const).map((part) => {
    const variances = means.flatMap((mean) => mean[part] ?? []);
    if (variances.length < means.length) return "–";
    return figure(
      Math.exp(Math.sqrt(variances.reduce((sum, each) => sum + each, 0) / means.length)),
    );
  });
  return `${observed} (${implied}), ${means.length} means`;
}

/** Standard deviations from a normal distribution's mean to either end of its 95% interval. */
const deviationsOf95Percent = 1.96;

/** Returns nothing for a time that only one run measured. */
function repeatedMean(series: StudySeries, { phase, measure }: Time): readonly RepeatedMean[] {
  const { mean = 0, low, high, ofRuns } = series.means[measure] ?? {};
  if (series.phase !== phase || ofRuns === undefined) return [];
  const logs = ofRuns.map(Math.log);
  const centre = logs.reduce((sum, log) => sum + log, 0) / logs.length;
  const squares = logs.reduce((sum, log) => sum + (log - centre) ** 2, 0);
  const observed = squares / (logs.length - 1);
  if (low === undefined || high === undefined) return [{ observed }];
  const deviationOfMean = (high - low) / 2 / deviationsOf95Percent / mean;
  return [{ observed, implied: deviationOfMean ** 2 * logs.length }];
}
