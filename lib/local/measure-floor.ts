import type { Cell, FunctionResult, InstrumentFloor } from "../contract/types/contract.ts";
import type { Target } from "../protocol/target.ts";

const environments = 6;
const warmCalls = 50;
const discardedCalls = 5;

/** The cell of the function that does nothing: one vCPU, so that no quota is felt. */
export const floorCell: Cell = {
  id: "noop",
  variant: "noop",
  runtime: "provided.al2023",
  architecture: process.arch === "arm64" ? "arm64" : "x86_64",
  memoryMb: 1769,
};

/**
 * What the local host itself costs: Duration and Init of a function that returns at once. Throws
 * when a call fails, since an instrument that cannot measure nothing measures nothing.
 */
export async function measureFloor(target: Target): Promise<InstrumentFloor> {
  const durations: number[] = [];
  const inits: number[] = [];
  for (let environment = 0; environment < environments; environment += 1) {
    await target.forceCold(floorCell);
    for (let call = 0; call <= warmCalls; call += 1) {
      const { telemetry, payload, error } = await target.invoke(floorCell, { operation: "noop" });
      if (
        telemetry === undefined ||
        error !== undefined ||
        (payload as FunctionResult).invocation !== call
      ) {
        throw new Error(`the noop function failed: ${error?.message ?? JSON.stringify(payload)}`);
      }
      if (telemetry.initDurationMs !== undefined) inits.push(telemetry.initDurationMs);
      if (call > discardedCalls) durations.push(telemetry.durationMs);
    }
  }
  await target.forceCold(floorCell);
  return {
    n: durations.length,
    environments,
    durationMs: at(durations, 0.5),
    durationLowMs: at(durations, 0.05),
    durationHighMs: at(durations, 0.95),
    initDurationMs: at(inits, 0.5),
  };
}

/** The value below which that share of the values lies. */
function at(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN;
}
