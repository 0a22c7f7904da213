import { readField } from "../../analysis/collected-series.ts";
import type { Measure, SeriesView } from "../../analysis/series-view.ts";
import type { Sample } from "../../contract/types/contract.ts";
import { singleLine } from "../document/document.ts";

export type CsvValue = string | number | undefined;

/** Renders CSV as in RFC 4180, with a header. An absent value is an empty field. */
export function renderCsv(header: readonly string[], rows: Iterable<readonly CsvValue[]>): string {
  let text = csvLine(header);
  for (const row of rows) text += csvLine(row);
  return text;
}

function csvLine(row: readonly CsvValue[]): string {
  return `${row.map(field).join(",")}\n`;
}

function field(value: CsvValue): string {
  if (value === undefined) return "";
  if (typeof value === "number") return Number.isFinite(value) ? String(value) : "";
  const text = inert(singleLine(value));
  return /[",;]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * Escapes text that a spreadsheet would evaluate as a formula: at the start, after leading whitespace (singleLine
 * makes spaces of tabs and line breaks), and after each semicolon, where some spreadsheets split fields.
 */
function inert(text: string): string {
  return text.replace(/(^|;)(\s*)(?=[=+\-@])/g, "$1$2'");
}

type SampleColumn = readonly [name: string, of: (sample: Sample) => CsvValue];

/** The columns in file order; docs/data.md describes each, and a test keeps the two in sync. */
const columns: readonly SampleColumn[] = [
  ["runId", ({ runId }) => runId],
  ["experiment", ({ experiment }) => experiment],
  ["target", ({ target }) => target],
  ["cell", ({ cell }) => cell.id],
  ["variant", ({ cell }) => cell.variant],
  ["runtime", ({ cell }) => cell.runtime],
  ["architecture", ({ cell }) => cell.architecture],
  ["memoryMb", ({ cell }) => cell.memoryMb],
  ["workers", ({ cell }) => cell.workers],
  ["replicaOf", ({ cell }) => cell.replicaOf],
  ["operation", ({ operation }) => operation],
  ["phase", ({ phase }) => phase],
  ["block", ({ block }) => block],
  ["attempt", ({ attempt }) => attempt],
  ["sequence", ({ sequence }) => sequence],
  ["requestId", ({ requestId }) => requestId],
  ["startedAt", ({ startedAt }) => startedAt],
  ["reportedAt", ({ reportedAt }) => reportedAt],
  ["clientLatencyMs", ({ clientLatencyMs }) => clientLatencyMs],
  ["durationMs", ({ telemetry }) => telemetry?.durationMs],
  ["billedDurationMs", ({ telemetry }) => telemetry?.billedDurationMs],
  ["initDurationMs", ({ telemetry }) => telemetry?.initDurationMs],
  ["restoreDurationMs", ({ telemetry }) => telemetry?.restoreDurationMs],
  ["billedRestoreDurationMs", ({ telemetry }) => telemetry?.billedRestoreDurationMs],
  ["memorySizeMb", ({ telemetry }) => telemetry?.memorySizeMb],
  ["maxMemoryUsedMb", ({ telemetry }) => telemetry?.maxMemoryUsedMb],
  ["status", ({ telemetry }) => telemetry?.status],
  ["initCpuMs", ({ cpu }) => cpu?.initCpuMs],
  ["invocationCpuMs", ({ cpu }) => cpu?.invocationCpuMs],
  ["initInstructions", ({ instructions }) => instructions?.init],
  ["invocationInstructions", ({ instructions }) => instructions?.invocation],
  ["failedInits", ({ failedInits }) => failedInits && JSON.stringify(failedInits)],
  ["throttledCalls", ({ forcedCold }) => forcedCold?.throttledCalls],
  ["throttledWaitMs", ({ forcedCold }) => forcedCold?.waitedMs],
  ["runtimeVersionArn", ({ forcedCold }) => forcedCold?.runtimeVersionArn],
  ["cpuModel", ({ cpuModel }) => cpuModel],
  ["sdkCallMs", ({ result }) => readAmount(result, "sdkCallMs")],
  ["flags", ({ flags }) => flags?.join(";")],
  ["rejectedReason", ({ rejected }) => rejected?.reason],
  ["rejectedDetail", ({ rejected }) => rejected?.detail],
  ["errorType", ({ error }) => error?.type],
  ["errorMessage", ({ error }) => error?.message],
  ["result", ({ result }) => (result === undefined ? undefined : JSON.stringify(result))],
];

/** Yields a header, then each sample as an unrounded line. Holds no sample in memory. */
export async function* samplesCsv(samples: AsyncIterable<Sample>): AsyncGenerator<string> {
  yield csvLine(columns.map(([name]) => name));
  for await (const sample of samples) yield csvLine(columns.map(([, of]) => of(sample)));
}

function readAmount(result: unknown, name: string): number | undefined {
  const value = readField(result, name);
  return typeof value === "number" ? value : undefined;
}

const identity = [
  "cell",
  "variant",
  "architecture",
  "memoryMb",
  "workers",
  "replicaOf",
  "phase",
  "operation",
  "n",
  "environments",
] as const;

/** Quantities in column order. Their column names contain the unit. */
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

const tails = ["initAndDurationP95Ms", "durationP95Ms", "durationP99Ms"] as const;

const instructions = ["instructionsN", "initInstructionsMedian", "instructionsMedian"] as const;

/** Returns one line per series: each quantity's mean, interval and median over environments, unrounded. */
export function seriesCsv(series: readonly SeriesView[]): string {
  const own = [...new Set(series.flatMap((one) => Object.keys(one.own ?? {})))];
  const header = [
    ...identity,
    ...measures.flatMap(([, name, unit]) => measureNames(name, unit)),
    ...tails,
    ...instructions,
    ...own.flatMap((name) => measureNames(name.replace(/Ms$/, ""), /Ms$/.exec(name)?.[0] ?? "")),
  ];
  return renderCsv(
    header,
    series.map((one) => seriesRow(one, own)),
  );
}

function measureNames(name: string, unit: string): readonly string[] {
  return ["Mean", "Low", "High", "Median"].map((what) => `${name}${what}${unit}`);
}

function seriesRow(series: SeriesView, own: readonly string[]): readonly CsvValue[] {
  const { cell, phase, operation, n, environments } = series;
  const { id, variant, architecture, memoryMb, workers, replicaOf } = cell;
  return [
    ...[id, variant, architecture, memoryMb, workers, replicaOf, phase, operation, n, environments],
    ...measures.flatMap(([key]) => measureFields(series[key])),
    ...tails.map((key) => series[key]?.value),
    series.instructions?.n,
    series.instructions?.initMedian,
    series.instructions?.invocationMedian,
    ...own.flatMap((name) => measureFields(series.own?.[name])),
  ];
}

function measureFields(measure: Measure | undefined): readonly CsvValue[] {
  return [measure?.mean, measure?.low, measure?.high, measure?.median];
}
