import { cpuCredit } from "../contract/cpu-credit.ts";
import type { Family, FunctionKind, Work } from "./function-kind.ts";
import type { LambdaTimes, LocalCall } from "./local-times.ts";

/**
 * Constants of the model. Each is fitted to published figures (`fit.ts`) and absent if no source has a figure of its
 * kind.
 */
export interface Constants {
  /** Sandbox and runtime before a native function's own start, ms. */
  readonly sandboxMs: number;
  /** The same for Node.js. */
  readonly nodeSandboxMs: number;
  /** Lambda's Init of a Python function over the one here. */
  readonly pythonStartFactor: number;
  /** Time to read a binary for the first time, ms per megabyte. */
  readonly readMsPerMb: number;
  /** Wait of a first request to a service on Lambda, ms; more memory does not shorten it. */
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

/** Least memory with a whole CPU: https://docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html */
export const wholeCpuMb = 1769;

/** Factor where no source has figures: the call takes as long on Lambda as here. */
const unknownFactor = 1;

/** predictTimes returns the predicted times on Lambda of a call that was measured here. */
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

/** Duration of a first request: its wait, and the time of code that runs for the first time. */
function predictFirst(call: LocalCall, constants: Constants): number {
  const { kind, durationMs, warmupMs } = call;
  if (kind.work === "compute") return durationMs * constants.computeFactor;
  // Init has made the first request: this one is the second.
  if (warmupMs !== undefined) return durationMs * warmFactor(kind, constants);
  return firstRequest(durationMs, call, constants);
}

/**
 * Gathering jitter is the same work in every function, and its time depends on the processor: the model uses
 * Lambda's time, scaled by the CPU share, not the local one. The rest of such a request is short beside it.
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

/**
 * Init: the sandbox and runtime, the function's own start, and reading its binary for the first time. Python's start
 * consists of reading files for the first time, so that one factor covers all of it.
 */
function predictInit(call: LocalCall & { initMs: number }, constants: Constants): number {
  const { kind, initMs, warmupMs = 0, artefactMb = 0 } = call;
  const { sandboxMs, nodeSandboxMs, pythonStartFactor, readMsPerMb, firstCodeFactor } = constants;
  // Init has a whole CPU: the function's share does not slow its work.
  const warmup =
    warmupMs === 0 ? 0 : firstRequest(warmupMs, { ...call, memoryMb: wholeCpuMb }, constants);
  const ownStart = Math.max(0, initMs - warmupMs);
  if (kind.family === "python") return pythonStartFactor * ownStart + warmup;
  if (kind.family === "node") return nodeSandboxMs + firstCodeFactor * ownStart + warmup;
  return sandboxMs + firstCodeFactor * ownStart + artefactMb * readMsPerMb + warmup;
}
