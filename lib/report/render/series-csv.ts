import type { Measure, Tail } from "../view/measure.ts";
import type { SeriesView } from "../view/series-view.ts";
import { type CsvValue, renderCsv } from "./csv.ts";

const identity = [
  "cell",
  "variant",
  "architecture",
  "memoryMb",
  "workers",
  "twinOf",
  "phase",
  "operation",
  "n",
  "environments",
] as const;

/** Quantities in the order of their columns, with the unit that their columns carry. */
const measures = [
  ["initDurationMs", "initDuration", "Ms"],
  ["durationMs", "duration", "Ms"],
  ["initAndDurationMs", "initAndDuration", "Ms"],
  ["sdkCallMs", "sdkCall", "Ms"],
  ["billedDurationMs", "billedDuration", "Ms"],
  ["maxMemoryUsedMb", "maxMemoryUsed", "Mb"],
  ["clientLatencyMs", "clientLatency", "Ms"],
] as const;

/** One line a series: each quantity's median and interval over environments, unrounded. */
export function seriesCsv(series: readonly SeriesView[]): string {
  const header = [
    ...identity,
    ...measures.flatMap(([, name, unit]) => [
      `${name}Median${unit}`,
      `${name}Low${unit}`,
      `${name}High${unit}`,
    ]),
    "durationP95Ms",
    "durationP99Ms",
  ];
  return renderCsv(header, series.map(seriesRow));
}

function seriesRow(series: SeriesView): readonly CsvValue[] {
  const { cell, phase, operation, n, environments } = series;
  const { id, variant, architecture, memoryMb, workers, twinOf } = cell;
  return [
    ...[id, variant, architecture, memoryMb, workers, twinOf, phase, operation, n, environments],
    ...measures.flatMap(([key]) => measureFields(series[key])),
    tailField(series.durationP95Ms),
    tailField(series.durationP99Ms),
  ];
}

function measureFields(measure: Measure | undefined): readonly CsvValue[] {
  return [measure?.median, measure?.low, measure?.high];
}

function tailField(tail: Tail): CsvValue {
  return tail.value;
}
