import { cpuCredit } from "../contract/cpu-credit.ts";
import type { Family, FunctionKind, Work } from "./function-kind.ts";
import type { LambdaTimes, LocalCall } from "./local-times.ts";

/**
 * Constants of the model. Each is fitted to published figures (`fit.ts`); where no source has a figure of a kind, the
 * constant is absent.
 */
export interface Constants {
  /** Sandbox and runtime before a native function's own start, ms. */
  readonly sandboxMs: number;
  /** Lambda's Init of an interpreted function over the one here. */
  readonly startFactor: Readonly<Partial<Record<Family, number>>>;
  /** Reading a binary for the first time, ms a megabyte. */
  readonly readMsPerMb: number;
  /** What a first request to a service waits for on Lambda, which memory does not shorten, ms. */
  readonly firstWaitMs: number;
  /** Lambda's CPU time of code that runs for the first time, over the time here. */
  readonly firstCodeFactor: number;
  /** CPU time on Lambda of a first request that gathers the processor's jitter, ms. */
  readonly jitterMs: number;
  /** Lambda's Duration of a warm call over the one here, by work and family. */
  readonly warmFactor: Readonly<Partial<Record<`${Work}/${Family}`, number>>>;
  /** Lambda's time of computing, over the time here. */
  readonly computeFactor: number;
}

/** From here on a function has a whole CPU: https://docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html */
export const wholeCpuMb = 1769;

/** What is taken for a constant that no source tells: as long on Lambda as here. */
const unknownFactor = 1;

/** predictTimes returns what Lambda would show of a call that was measured here. */
export function predictTimes(local: LocalCall, constants: Constants): LambdaTimes {
  const { initMs } = local;
  if (local.call === "warm") {
    return { durationMs: local.durationMs * warmFactor(local.kind, constants) };
  }
  return {
    durationMs: predictFirst(local, constants),
    ...(initMs !== undefined && { initMs: predictInit({ ...local, initMs }, constants) }),
  };
}

function warmFactor({ family, work }: FunctionKind, constants: Constants): number {
  if (work === "compute") return constants.computeFactor;
  return constants.warmFactor[`${work}/${family}`] ?? unknownFactor;
}

/** A first request: the wait, and the time of code that runs for the first time. */
function predictFirst(call: LocalCall, constants: Constants): number {
  const { kind, durationMs, warmupMs } = call;
  if (kind.work === "compute") return durationMs * constants.computeFactor;
  // Init has made the first request: this one is the second.
  if (warmupMs !== undefined) return durationMs * warmFactor(kind, constants);
  return firstRequest(durationMs, call, constants);
}

/**
 * Gathering jitter is the same work in every function, and its time is the processor's: Lambda's own is taken, at the
 * share of a CPU, and not what it takes here. The rest of such a request is short beside it.
 */
function firstRequest(
  durationMs: number,
  { kind, memoryMb, networkMs }: LocalCall,
  { firstWaitMs, jitterMs, firstCodeFactor }: Constants,
): number {
  const share = Math.min(1, cpuCredit(memoryMb));
  if (kind.gathersJitter) return firstWaitMs + jitterMs / share;
  return firstWaitMs + firstCodeFactor * Math.max(0, durationMs - networkMs);
}

/** Sandbox and runtime, the process's own start, and the binary read for the first time. */
function predictInit(call: LocalCall & { initMs: number }, constants: Constants): number {
  const { kind, initMs, warmupMs = 0, artefactMb = 0 } = call;
  const { sandboxMs, startFactor, readMsPerMb, firstCodeFactor } = constants;
  // Init has a whole CPU: what it does once is not slowed by the function's share.
  const warmup =
    warmupMs === 0 ? 0 : firstRequest(warmupMs, { ...call, memoryMb: wholeCpuMb }, constants);
  const ownStart = Math.max(0, initMs - warmupMs);
  if (kind.family !== "native") {
    return (startFactor[kind.family] ?? firstCodeFactor) * ownStart + warmup;
  }
  return sandboxMs + firstCodeFactor * ownStart + artefactMb * readMsPerMb + warmup;
}
