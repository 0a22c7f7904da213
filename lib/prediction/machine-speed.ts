import study from "../contract/prediction.json" with { type: "json" };
import type { Manifest, SpeedProbe } from "../contract/types/contract.ts";
import { median } from "../statistics/order-statistics.ts";
import type { FunctionKind } from "./function-kind.ts";
import type { LocalCall } from "./local-times.ts";

interface StudiedMachine {
  /** CPU model and number of CPUs. */
  readonly machine: string;
  readonly speed: SpeedProbe;
  readonly series: readonly { readonly experiment: string }[];
}

/** The model's constants belong to the times of the first machine. */
const studied = study.studies as unknown as readonly StudiedMachine[];

const parts = ["handshakeMs", "hashMs", "interpreterMs", "allocationMs"] as const;

/**
 * speedOf returns the usual speed of the machine that made a run: each part's median over the probes at its start and
 * after its blocks. A run from before speeds were stored has that of a studied machine with the same processor;
 * undefined if there is none.
 */
export function speedOf({
  speed,
  noise,
  machine,
}: Pick<Manifest, "speed" | "noise" | "machine">): SpeedProbe | undefined {
  if (speed === undefined || speed.schemaVersion !== studied[0]?.speed.schemaVersion) {
    return studied.find((each) => each.machine.startsWith(`${machine?.cpuModel},`))?.speed;
  }
  return usualSpeed(speed, probesOf(noise));
}

function probesOf(noise: Manifest["noise"]): readonly SpeedProbe[] {
  return (noise?.intervals ?? []).flatMap((interval) => interval.speed ?? []);
}

/**
 * speedChangeOf returns how many times as long the machine took at its slowest as at its fastest, by the geometric mean of
 * each probe's parts; undefined with fewer than two probes.
 */
export function speedChangeOf({
  speed,
  noise,
}: Pick<Manifest, "speed" | "noise">): number | undefined {
  const later = probesOf(noise);
  if (speed === undefined || later.length === 0) return undefined;
  const probes = [speed, ...later];
  const common = parts.filter((part) => probes.every((probe) => probe[part] !== undefined));
  const meanLog = (probe: SpeedProbe) =>
    common.reduce((sum, part) => sum + Math.log(probe[part] ?? Number.NaN), 0) / common.length;
  const logs = probes.map(meanLog);
  return Math.exp(Math.max(...logs) - Math.min(...logs));
}

/** usualSpeed returns the median of each part that the first probe has. */
export function usualSpeed(first: SpeedProbe, later: readonly SpeedProbe[]): SpeedProbe {
  const usual = parts.flatMap((part) => {
    const own = first[part];
    if (own === undefined) return [];
    return [[part, median([own, ...later.flatMap((probe) => probe[part] ?? [])])]];
  });
  return { ...first, ...Object.fromEntries(usual) };
}

/**
 * slownessOf returns how many times as long a machine takes for a function's work as the studied one: by the interpreter
 * and its objects for Python, by hashing for native computing, by a TLS handshake's compiled code for all others and
 * where a probe lacks the part.
 */
export function slownessOf(
  machine: SpeedProbe,
  { family, work }: Pick<FunctionKind, "family" | "work">,
  reference: SpeedProbe | undefined = studied[0]?.speed,
): number {
  const ratio = (part: (typeof parts)[number]) =>
    (machine[part] ?? Number.NaN) / (reference?.[part] ?? Number.NaN);
  const interpreted = Math.sqrt(ratio("interpreterMs") * ratio("allocationMs"));
  const computed = family === "native" && work === "compute" ? ratio("hashMs") : Number.NaN;
  const own = family === "python" ? interpreted : computed;
  return Number.isNaN(own) ? ratio("handshakeMs") : own;
}

/** Machines whose speeds differ by less than this factor take about as long for calls that mostly wait. */
const sameSpeedFactor = 1.25;

/**
 * isComparable is true if the study's times of this kind of work can be compared with the machine's. A call with hundreds
 * of requests waits for an unknown part of its time, so only a machine about as fast as the study's is comparable.
 */
export function isComparable(machine: SpeedProbe, kind: FunctionKind): boolean {
  if (kind.work !== "fan-out") return true;
  return studied
    .filter(({ series }) => series.some(({ experiment }) => experiment === "s3-fanout"))
    .some(({ speed }) => {
      const factor = slownessOf(machine, kind, speed);
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
