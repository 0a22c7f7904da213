import type { Sample } from "../../contract/types/contract.ts";

/** What a report takes of a sample, units in the names. */
export const quantities = [
  "durationMs",
  "sdkCallMs",
  "billedDurationMs",
  "initDurationMs",
  "initAndDurationMs",
  "maxMemoryUsedMb",
  "clientLatencyMs",
] as const;

export type Quantity = (typeof quantities)[number];

/** A sample's quantities. What the sample does not say is absent. */
export function quantitiesOf(sample: Sample): Partial<Record<Quantity, number>> {
  const { telemetry, clientLatencyMs } = sample;
  const sdkCallMs = sdkCallMsOf(sample.result);
  const { durationMs, billedDurationMs, initDurationMs, maxMemoryUsedMb } = telemetry ?? {};
  return {
    ...(isMeasured(durationMs) && { durationMs }),
    ...(isMeasured(sdkCallMs) && { sdkCallMs }),
    ...(isMeasured(billedDurationMs) && { billedDurationMs }),
    ...(isMeasured(initDurationMs) && { initDurationMs }),
    ...(isMeasured(initDurationMs) &&
      isMeasured(durationMs) && { initAndDurationMs: initDurationMs + durationMs }),
    ...(isMeasured(maxMemoryUsedMb) && { maxMemoryUsedMb }),
    ...(isMeasured(clientLatencyMs) && { clientLatencyMs }),
  };
}

function sdkCallMsOf(result: unknown): unknown {
  return typeof result === "object" && result !== null && "sdkCallMs" in result
    ? result.sdkCallMs
    : undefined;
}

/** Results and telemetry come from outside: a number that no clock can give is not a measurement. */
function isMeasured(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}
