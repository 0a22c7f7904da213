import { existsSync } from "node:fs";
import { cpus, release, totalmem, type } from "node:os";
import { cpuCredit, memoryMbPerVcpu } from "../contract/cpu-credit.ts";
import { InvalidInput } from "../contract/errors.ts";
import type { Cell, FunctionResult, Machine, Telemetry } from "../contract/types/contract.ts";
import type { Idle } from "../sampler/sample-trial.ts";
import type { Target } from "../sampler/target.ts";
import { describeSlice } from "./bandwidth-slice.ts";
import type { CgroupRoot } from "./cgroup.ts";

/** Describes this machine for the report. */
export function describeMachine(root: CgroupRoot | undefined): Machine {
  const processors = cpus();
  return {
    os: `${type()} ${release()}`,
    cpuModel: processors[0]?.model.trim() || "unknown",
    cpus: Math.max(1, processors.length),
    memoryMb: Math.round(totalmem() / 1024 / 1024),
    cpuQuota: root?.kind ?? "unthrottled",
    memoryLimit: root?.memory === undefined ? "unlimited" : root.kind,
  };
}

/** Returns the first line of a local run: whether functions get Lambda's share of a CPU here. */
export function describeQuota(machine: Machine): string {
  if (machine.cpuQuota === "unthrottled") {
    return "cpu: unthrottled, memory: unlimited (no writable cgroup here): memory sizes are not limited, and differ in name only";
  }
  const memory = machine.memoryLimit === "unlimited" ? "memory unlimited" : "memory limited";
  return `cpu: memoryMb/1769 of a core after Init (${machine.cpuQuota}); ${memory}`;
}

/** Returns the same line, followed by how the bandwidth slice is handled, or how to have functions throttled. */
export function describeCpuShare(root: CgroupRoot | undefined): string {
  const more = root === undefined ? `; to limit them, ${howToThrottle()}` : describeSlice();
  return `${describeQuota(describeMachine(root))}${more}`;
}

/**
 * Since version 252, systemd delegates the CPU controller to a user's own units:
 * https://github.com/systemd/systemd/commit/b8df7f8629cb310beac982a4779b27eabe5362c6
 */
export function howToThrottle(hasSystemd = existsSync("/run/systemd/system")): string {
  return hasSystemd
    ? "put `systemd-run --user --scope --property=Delegate=yes` before the command, or run it as root"
    : "run as root on Linux, where a cgroup can be written";
}

const environments = 6;
const warmCalls = 25;
const discardedCalls = 5;

/** Cell of the function that does nothing, with one vCPU, so that the quota has no effect. */
export const floorCell: Cell = {
  id: "noop",
  variant: "noop",
  runtime: "provided.al2023",
  architecture: process.arch === "arm64" ? "arm64" : "x86_64",
  memoryMb: memoryMbPerVcpu,
};

/** FloorMeasurements are the local host's own costs per call, in milliseconds. */
export interface FloorMeasurements {
  readonly environments: number;
  readonly durationsMs: readonly number[];
  readonly initDurationsMs: readonly number[];
}

/**
 * Measures Duration and Init of a function that returns at once. Its environments take turns, and are idle before
 * each call except their first. Throws if a call fails.
 */
export async function measureFloor(target: Target, idle?: Idle): Promise<FloorMeasurements> {
  const durationsMs: number[] = [];
  const initDurationsMs: number[] = [];
  const cells = Array.from({ length: environments }, (_, environment) => ({
    ...floorCell,
    id: `${floorCell.id}-${environment}`,
  }));
  for (const cell of cells) await target.forceCold(cell);
  for (let call = 0; call <= warmCalls; call += 1) {
    if (call > 0) await idle?.(undefined);
    for (const cell of cells) {
      const telemetry = await callNoop(target, cell, call);
      if (telemetry.initDurationMs !== undefined) initDurationsMs.push(telemetry.initDurationMs);
      if (call > discardedCalls) durationsMs.push(telemetry.durationMs);
    }
  }
  for (const cell of cells) await target.forceCold(cell);
  return { environments, durationsMs, initDurationsMs };
}

async function callNoop(target: Target, cell: Cell, call: number): Promise<Telemetry> {
  const { telemetry, payload, error } = await target.invoke(cell, { operation: "noop" });
  const result = payload as Partial<FunctionResult> | undefined;
  if (telemetry !== undefined && error === undefined && result?.invocation === call)
    return telemetry;
  throw new Error(`the noop function failed: ${error?.message ?? JSON.stringify(payload)}`);
}

export interface RepresentableCells {
  readonly cells: readonly Cell[];
  /** Lines that say what is left out and why, one per memory size. */
  readonly leftOut: readonly string[];
}

/**
 * Returns the cells whose worker pool fits this machine's CPUs: a larger one would get the machine's CPUs under the
 * cell's name. A function without a pool uses one CPU at any size. Throws InvalidInput if no cell is left.
 */
export function representableCells(cells: readonly Cell[], cpus: number): RepresentableCells {
  const fits = ({ workers, memoryMb }: Cell) =>
    workers === undefined || (workers <= cpus && cpuCredit(memoryMb) <= cpus);
  const tooLarge = cells.filter((cell) => !fits(cell));
  const sizes = new Map(tooLarge.map((cell) => [cell.memoryMb, cell]));
  if (tooLarge.length === cells.length) {
    throw new InvalidInput(
      "memory",
      [...sizes.keys()],
      `sizes of at most ${cpus} CPUs: this machine has no more`,
    );
  }
  return {
    cells: cells.filter(fits),
    leftOut: [...sizes.values()].map(
      ({ memoryMb, workers }) =>
        `${memoryMb} MB with ${workers} workers: ${cpuCredit(memoryMb).toFixed(2)} vCPUs, and this machine has ${cpus}`,
    ),
  };
}
