import type { Sample } from "../../contract/types/contract.ts";
import { fieldOf } from "../collect/result-fields.ts";
import { type CsvValue, csvLine } from "./csv.ts";

type SampleColumn = readonly [name: string, of: (sample: Sample) => CsvValue];

/** In the order of the file; docs/data.md says what each is, and a test holds the two together. */
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
  ["twinOf", ({ cell }) => cell.twinOf],
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
  ["throttledCalls", ({ forcedCold }) => forcedCold?.throttledCalls],
  ["throttledWaitMs", ({ forcedCold }) => forcedCold?.waitedMs],
  ["runtimeVersionArn", ({ forcedCold }) => forcedCold?.runtimeVersionArn],
  ["cpuModel", ({ cpuModel }) => cpuModel],
  ["sdkCallMs", ({ result }) => amountOf(result, "sdkCallMs")],
  ["flags", ({ flags }) => flags?.join(";")],
  ["rejectedReason", ({ rejected }) => rejected?.reason],
  ["rejectedDetail", ({ rejected }) => rejected?.detail],
  ["errorType", ({ error }) => error?.type],
  ["errorMessage", ({ error }) => error?.message],
  ["result", ({ result }) => (result === undefined ? undefined : JSON.stringify(result))],
];

/** Every sample as a line, a header first, unrounded; none is held. */
export async function* samplesCsv(samples: AsyncIterable<Sample>): AsyncGenerator<string> {
  yield csvLine(columns.map(([name]) => name));
  for await (const sample of samples) yield csvLine(columns.map(([, of]) => of(sample)));
}

function amountOf(result: unknown, name: string): number | undefined {
  const value = fieldOf(result, name);
  return typeof value === "number" ? value : undefined;
}
