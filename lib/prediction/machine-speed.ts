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

/** The studied machines. The model's constants refer to the times of the first one. */
const studied = study.studies as unknown as readonly StudiedMachine[];

const parts = ["handshakeMs", "hashMs", "interpreterMs", "allocationMs"] as const;

/**
 * Returns the usual speed of a run's machine: the median of each part over the probes at the start of the run and
 * after its blocks. A run that stored no speed of the current schema gets that of a studied machine with the same
 * processor; undefined if there is none.
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
 * Returns the ratio of the slowest probe to the fastest, each by the geometric mean of the parts that all probes
 * have. Undefined with fewer than two probes.
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

/** Returns the median of each part that the first probe has. */
export function usualSpeed(first: SpeedProbe, later: readonly SpeedProbe[]): SpeedProbe {
  const usual = parts.flatMap((part) => {
    const own = first[part];
    if (own === undefined) return [];
    return [[part, median([own, ...later.flatMap((probe) => probe[part] ?? [])])]];
  });
  return { ...first, ...Object.fromEntries(usual) };
}

/** The part that stands for a function's work if a probe lacks the part of its kind. */
const defaultParts = ["handshakeMs"] as const;

/**
 * Returns the parts of a probe that resemble a function's work: the interpreter and its objects for Python, hashing
 * for native computation, and otherwise the compiled code of a TLS handshake.
 */
export function partsOfWork({
  family,
  work,
}: Pick<FunctionKind, "family" | "work">): readonly (typeof parts)[number][] {
  if (family === "python") return ["interpreterMs", "allocationMs"];
  return family === "native" && work === "compute" ? ["hashMs"] : defaultParts;
}

/** Returns how many times as long a machine takes for a function's work as the studied one. */
export function slownessOf(
  machine: SpeedProbe,
  kind: Pick<FunctionKind, "family" | "work">,
  reference: SpeedProbe | undefined = studied[0]?.speed,
): number {
  const ratio = (part: (typeof parts)[number]) =>
    (machine[part] ?? Number.NaN) / (reference?.[part] ?? Number.NaN);
  const geometricMean = (own: readonly (typeof parts)[number][]) =>
    own.map(ratio).reduce((product, each) => product * each) ** (1 / own.length);
  const own = geometricMean(partsOfWork(kind));
  return Number.isNaN(own) ? geometricMean(defaultParts) : own;
}

/** Machines whose speeds differ by at most this factor take about equally long for calls that mostly wait. */
const sameSpeedFactor = 1.25;

/**
 * Returns whether the study's times for this kind of work are comparable with the machine's. A call with about a
 * hundred requests waits for an unknown part of its time, so only a machine about as fast as the study's is.
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
 * Returns the call as the study's machine would have measured it. Simulated network delays do not change, and neither
 * do calls with about a hundred requests, which mostly wait.
 */
export function atStudySpeed<Call extends LocalCall>(call: Call, slowness: number): Call {
  if (slowness === 1 || call.kind.work === "fan-out") return call;
  const { durationMs, initMs, warmupMs } = call;
  const withoutWait = (ms: number, waitMs: number) =>
    Math.min(ms, waitMs) + Math.max(0, ms - waitMs) / slowness;
  const warmup = withoutWait(warmupMs ?? 0, call.networkMs);
  // Init has made the first request of a warmed call.
  const isFirst = call.call === "first" && warmupMs === undefined;
  return {
    ...call,
    durationMs: withoutWait(durationMs, isFirst ? call.networkMs : (call.answerMs ?? 0)),
    ...(initMs !== undefined && { initMs: (initMs - (warmupMs ?? 0)) / slowness + warmup }),
    ...(warmupMs !== undefined && { warmupMs: warmup }),
  };
}
