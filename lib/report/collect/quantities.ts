import type { Sample } from "../../contract/types/contract.ts";
import { fieldOf } from "./result-fields.ts";

/** What every report takes of a sample, units in the names. */
export type Quantity =
  | "durationMs"
  | "sdkCallMs"
  | "billedDurationMs"
  | "initDurationMs"
  | "initAndDurationMs"
  | "maxMemoryUsedMb"
  | "clientLatencyMs"
  | "warmupMs"
  | "initCpuMs"
  | "invocationCpuMs"
  | "initInstructions"
  | "invocationInstructions";

/** What one experiment's report takes besides, units in the names: `own.tlsMs`. */
export type OwnQuantity = `own.${string}`;

export type QuantityName = Quantity | OwnQuantity;

/** Quantities by name. What the sample does not say is absent. */
export type Measured = { readonly [Name in QuantityName]?: number };

/** What a kept sample says. */
export function quantitiesOf({ telemetry, clientLatencyMs, cpu, result }: Sample): Measured {
  const { durationMs, billedDurationMs, initDurationMs, maxMemoryUsedMb } = telemetry ?? {};
  const initAndDurationMs =
    isMeasured(initDurationMs) && isMeasured(durationMs) ? initDurationMs + durationMs : undefined;
  return measured({
    durationMs,
    sdkCallMs: fieldOf(result, "sdkCallMs"),
    billedDurationMs,
    initDurationMs,
    initAndDurationMs,
    maxMemoryUsedMb,
    clientLatencyMs,
    warmupMs: fieldOf(result, "warmupMs"),
    initCpuMs: cpu?.initCpuMs,
    invocationCpuMs: cpu?.invocationCpuMs,
  });
}

/** What a sample made under valgrind says: its counts. Its times are valgrind's. */
export function instructionsOf({ instructions }: Sample): Measured {
  return measured({
    initInstructions: instructions?.init,
    invocationInstructions: instructions?.invocation,
  });
}

/** Results and telemetry come from outside: a number that no clock can give is not a measurement. */
export function isMeasured(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}

/** The named values that are measurements. */
export function measured(values: { readonly [Name in QuantityName]?: unknown }): Measured {
  const entries = Object.entries(values).flatMap(([name, value]) =>
    isMeasured(value) ? [[name, value] as const] : [],
  );
  return Object.fromEntries(entries);
}
