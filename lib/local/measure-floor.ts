import type { Cell, FunctionResult, Telemetry } from "../contract/types/contract.ts";
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

/** What the local host itself costs, call by call, in milliseconds. */
export interface FloorMeasurements {
  readonly environments: number;
  readonly durationsMs: readonly number[];
  readonly initDurationsMs: readonly number[];
}

/**
 * Duration and Init of a function that returns at once. Throws when a call fails: an instrument that
 * cannot measure nothing measures nothing.
 */
export async function measureFloor(target: Target): Promise<FloorMeasurements> {
  const durationsMs: number[] = [];
  const initDurationsMs: number[] = [];
  for (let environment = 0; environment < environments; environment += 1) {
    await target.forceCold(floorCell);
    for (let call = 0; call <= warmCalls; call += 1) {
      const telemetry = await callNoop(target, call);
      if (telemetry.initDurationMs !== undefined) initDurationsMs.push(telemetry.initDurationMs);
      if (call > discardedCalls) durationsMs.push(telemetry.durationMs);
    }
  }
  await target.forceCold(floorCell);
  return { environments, durationsMs, initDurationsMs };
}

async function callNoop(target: Target, call: number): Promise<Telemetry> {
  const { telemetry, payload, error } = await target.invoke(floorCell, { operation: "noop" });
  const result = payload as Partial<FunctionResult> | undefined;
  if (telemetry !== undefined && error === undefined && result?.invocation === call)
    return telemetry;
  throw new Error(`the noop function failed: ${error?.message ?? JSON.stringify(payload)}`);
}
