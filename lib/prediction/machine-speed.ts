import study from "../contract/prediction.json" with { type: "json" };
import type { Manifest, SpeedProbe } from "../contract/types/contract.ts";
import type { Family, FunctionKind } from "./function-kind.ts";
import type { LocalCall } from "./local-times.ts";

interface StudiedMachine {
  /** CPU model and number of CPUs. */
  readonly machine: string;
  readonly speed: SpeedProbe;
  readonly series: readonly { readonly experiment: string }[];
}

/** The first one's times are those that the model's constants belong to. */
const studied = study.studies as unknown as readonly StudiedMachine[];

/**
 * speedOf returns the speed of the machine that made a run. A run from before speeds were stored has that of a studied
 * machine with the same processor; undefined if there is none.
 */
export function speedOf({
  speed,
  machine,
}: Pick<Manifest, "speed" | "machine">): SpeedProbe | undefined {
  if (speed?.schemaVersion === studied[0]?.speed.schemaVersion) return speed;
  return studied.find((each) => each.machine.startsWith(`${machine?.cpuModel},`))?.speed;
}

/**
 * slownessOf returns how many times as long a machine takes for a family's work as the studied one: by the interpreter
 * and its objects for Python, by a TLS handshake's compiled code for all others.
 */
export function slownessOf(
  machine: SpeedProbe,
  family: Family,
  reference: SpeedProbe | undefined = studied[0]?.speed,
): number {
  const ratio = (part: "handshakeMs" | "interpreterMs" | "allocationMs") =>
    (machine[part] ?? Number.NaN) / (reference?.[part] ?? Number.NaN);
  const interpreted = Math.sqrt(ratio("interpreterMs") * ratio("allocationMs"));
  return family === "python" && !Number.isNaN(interpreted) ? interpreted : ratio("handshakeMs");
}

/** Machines whose speeds are within this factor of each other take about as long for calls that mostly wait. */
const sameSpeedFactor = 1.25;

/**
 * isComparable is true if the study's times of this kind of work can be compared with the machine's. Hundreds of requests
 * in one call wait for an unknown part of their time, so that only a machine as fast as one that made them will do.
 */
export function isComparable(machine: SpeedProbe, { family, work }: FunctionKind): boolean {
  if (work !== "fan-out") return true;
  return studied
    .filter(({ series }) => series.some(({ experiment }) => experiment === "s3-fanout"))
    .some(({ speed }) => {
      const factor = slownessOf(machine, family, speed);
      return Math.max(factor, 1 / factor) <= sameSpeedFactor;
    });
}

/**
 * atStudySpeed returns the call as the study's machine would have measured it. Simulated network delays stay as they
 * are, and so do calls of some hundred requests, most of which wait.
 */
export function atStudySpeed<Call extends LocalCall>(call: Call, slowness: number): Call {
  if (slowness === 1 || call.kind.work === "fan-out") return call;
  const { durationMs, initMs, warmupMs } = call;
  const withoutWait = (ms: number, waitMs: number) =>
    Math.min(ms, waitMs) + Math.max(0, ms - waitMs) / slowness;
  const warmup = withoutWait(warmupMs ?? 0, call.networkMs);
  // Init has made the first request of a call that was warmed.
  const isFirst = call.call === "first" && warmupMs === undefined;
  return {
    ...call,
    durationMs: withoutWait(durationMs, isFirst ? call.networkMs : (call.answerMs ?? 0)),
    ...(initMs !== undefined && { initMs: (initMs - (warmupMs ?? 0)) / slowness + warmup }),
    ...(warmupMs !== undefined && { warmupMs: warmup }),
  };
}
