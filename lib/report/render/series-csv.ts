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
  ["warmupMs", "warmup", "Ms"],
  ["initCpuMs", "initCpu", "Ms"],
  ["invocationCpuMs", "invocationCpu", "Ms"],
] as const;

const instructions = ["instructionsN", "initInstructionsMedian", "instructionsMedian"] as const;

/** One line a series: each quantity's median and interval over environments, unrounded. */
export function seriesCsv(series: readonly SeriesView[]): string {
  const own = [...new Set(series.flatMap((one) => Object.keys(one.own ?? {})))];
  const header = [
    ...identity,
    ...measures.flatMap(([, name, unit]) => measureNames(name, unit)),
    "durationP95Ms",
    "durationP99Ms",
    ...instructions,
    ...own.flatMap((name) => measureNames(name.replace(/Ms$/, ""), /Ms$/.exec(name)?.[0] ?? "")),
  ];
  return renderCsv(
    header,
    series.map((one) => seriesRow(one, own)),
  );
}

function measureNames(name: string, unit: string): readonly string[] {
  return [`${name}Median${unit}`, `${name}Low${unit}`, `${name}High${unit}`];
}

function seriesRow(series: SeriesView, own: readonly string[]): readonly CsvValue[] {
  const { cell, phase, operation, n, environments } = series;
  const { id, variant, architecture, memoryMb, workers, twinOf } = cell;
  return [
    ...[id, variant, architecture, memoryMb, workers, twinOf, phase, operation, n, environments],
    ...measures.flatMap(([key]) => measureFields(series[key])),
    tailField(series.durationP95Ms),
    tailField(series.durationP99Ms),
    series.instructions?.n,
    series.instructions?.initMedian,
    series.instructions?.invocationMedian,
    ...own.flatMap((name) => measureFields(series.own?.[name])),
  ];
}

function measureFields(measure: Measure | undefined): readonly CsvValue[] {
  return [measure?.median, measure?.low, measure?.high];
}

function tailField(tail: Tail): CsvValue {
  return tail.value;
}
