import type { Telemetry } from "../../lib/contract/types/contract.ts";

/** Formats a REPORT line as Lambda prints it. */
export function formatReport(requestId: string, telemetry: Telemetry): string {
  const parts = [
    `REPORT RequestId: ${requestId}`,
    `Duration: ${telemetry.durationMs.toFixed(2)} ms`,
    numbered("Billed Duration", telemetry.billedDurationMs, "ms"),
    numbered("Memory Size", telemetry.memorySizeMb, "MB"),
    numbered("Max Memory Used", telemetry.maxMemoryUsedMb, "MB"),
    telemetry.initDurationMs === undefined
      ? undefined
      : `Init Duration: ${telemetry.initDurationMs.toFixed(2)} ms`,
    telemetry.status === undefined ? undefined : `Status: ${telemetry.status}`,
    telemetry.errorType === undefined ? undefined : `Error Type: ${telemetry.errorType}`,
  ];
  return `${parts.filter((part) => part !== undefined).join("\t")}\t`;
}

function numbered(key: string, value: number | undefined, unit: string): string | undefined {
  return value === undefined ? undefined : `${key}: ${value} ${unit}`;
}
