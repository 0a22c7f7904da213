import type { Sample } from "../contract/types/contract.ts";
import type { ImportedCells } from "./imported-cells.ts";
import { importedExperiment } from "./imported-subject.ts";
import type { ReadSource } from "./source.ts";

export interface TakenSamples {
  readonly samples: readonly Sample[];
  /** By source: reports that were read before, as where two files overlap. */
  readonly repeated: ReadonlyMap<ReadSource, number>;
}

/** Each invocation as a sample, and which reports came twice. Throws InvalidInput as ImportedCells does. */
export function samplesOf(
  sources: readonly ReadSource[],
  cells: ImportedCells,
  runId: string,
  operation: string,
): TakenSamples {
  const seen = new Set<string>();
  const repeated = new Map<ReadSource, number>();
  const samples: Sample[] = [];
  for (const source of sources) {
    for (const invocation of source.invocations) {
      const { requestId, reportedAt, telemetry } = invocation;
      // A retried event keeps its request id: only the same figures again are the same report.
      const key = JSON.stringify([requestId, Object.entries(telemetry).sort()]);
      if (requestId !== undefined && seen.has(key)) {
        repeated.set(source, (repeated.get(source) ?? 0) + 1);
        continue;
      }
      seen.add(key);
      samples.push({
        runId,
        experiment: importedExperiment,
        target: "imported",
        cell: cells.of(source, invocation),
        operation,
        phase: isCold(telemetry) ? "cold" : "warm",
        block: samples.length,
        sequence: 0,
        ...(requestId !== undefined && { requestId }),
        ...(reportedAt !== undefined && { reportedAt }),
        telemetry,
        ...failureOf(telemetry),
      });
    }
  }
  return { samples, repeated };
}

function isCold({ initDurationMs, restoreDurationMs }: NonNullable<Sample["telemetry"]>): boolean {
  return initDurationMs !== undefined || restoreDurationMs !== undefined;
}

function failureOf({
  status,
  errorType,
}: NonNullable<Sample["telemetry"]>): Pick<Sample, "rejected" | "error"> {
  if (status === undefined && errorType === undefined) return {};
  const type = errorType ?? status ?? "error";
  return {
    rejected: { reason: "error", detail: type },
    error: { type, message: `Lambda reported: ${status ?? type}` },
  };
}
