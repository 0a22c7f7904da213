import type { Cell, Telemetry } from "../contract/types/contract.ts";
import type { Invocation } from "../protocol/target.ts";
import type { InitOutcome, InvokeOutcome } from "./execution-environment.ts";
import type { Usage } from "./usage-meter.ts";

/** What Lambda would say of the invocation. */
export function telemetryOf(
  cell: Cell,
  outcome: InvokeOutcome,
  init: InitOutcome | undefined,
): Telemetry {
  const initMs = init?.durationMs;
  return {
    durationMs: outcome.durationMs,
    // Init is billed since 2025-08-01: the ceiling of the sum of what the line prints.
    billedDurationMs: Math.ceil(printed(outcome.durationMs) + printed(initMs ?? 0) - 1e-9),
    memorySizeMb: cell.memoryMb,
    ...(outcome.peakMemoryMb !== undefined && { maxMemoryUsedMb: outcome.peakMemoryMb }),
    ...(initMs !== undefined && { initDurationMs: initMs }),
    ...(outcome.status !== undefined && { status: outcome.status }),
    ...(outcome.failure !== undefined && { errorType: outcome.failure.type }),
  };
}

/** What the invocation used, and on the first one Init. */
export function usageOf(
  { usage }: InvokeOutcome,
  init: InitOutcome | undefined,
): Pick<Invocation, "cpu" | "instructions"> {
  const { cpuMs, instructions } = usage ?? {};
  const ofInit: Usage = init?.kind === "ready" ? init.usage : {};
  return {
    ...(cpuMs !== undefined && {
      cpu: {
        ...(ofInit.cpuMs !== undefined && { initCpuMs: ofInit.cpuMs }),
        invocationCpuMs: cpuMs,
      },
    }),
    ...(instructions !== undefined && {
      instructions: {
        ...(ofInit.instructions !== undefined && { init: ofInit.instructions }),
        invocation: instructions,
      },
    }),
  };
}

function printed(durationMs: number): number {
  return Number(durationMs.toFixed(2));
}

/** The line that Lambda prints of an Init that failed. */
export function initReport(init: InitOutcome, phase: "init" | "invoke"): string {
  const status = init.kind === "failed" ? `\tStatus: ${init.status}` : "";
  return `INIT_REPORT Init Duration: ${init.durationMs.toFixed(2)} ms\tPhase: ${phase}${status}`;
}
