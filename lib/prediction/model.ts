import { cpuCredit, memoryMbPerVcpu } from "../contract/cpu-credit.ts";
import type { Family, FunctionKind, Work } from "./function-kind.ts";
import type { LambdaTimes, LocalCall } from "./local-times.ts";

/** Constants of the model, each fitted to published figures (`fit.ts`). `warmFactor` has only what a source measured. */
export interface Constants {
  /** Sandbox and runtime before a native function's own start, ms. */
  readonly sandboxMs: number;
  /** The same for Node.js. */
  readonly nodeSandboxMs: number;
  /** Ratio of a Python function's Init on Lambda to its Init here. */
  readonly pythonStartFactor: number;
  /** Time to read a binary for the first time, ms per MB. */
  readonly readMsPerMb: number;
  /** Wait of a first request to a service on Lambda, ms; more memory does not shorten it. */
  readonly firstWaitMs: number;
  /** Ratio of CPU time on Lambda to CPU time here, for code that runs for the first time. */
  readonly firstCodeFactor: number;
  /** CPU time on Lambda of a first request that gathers the processor's jitter, ms. */
  readonly jitterMs: number;
  /** Ratio of a warm call's Duration on Lambda to its Duration here, by work and family. */
  readonly warmFactor: Readonly<Partial<Record<`${Work}/${Family}`, number>>>;
  /** Ratio of computation time on Lambda to that here. */
  readonly computeFactor: number;
}

/** Factor if no source has figures: the call is taken to last as long on Lambda as here. */
const unknownFactor = 1;

/** Predicts a call's times on Lambda from its times here. */
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

/** Predicts the Duration of a first request: its wait, and the time of code that runs for the first time. */
function predictFirst(call: LocalCall, constants: Constants): number {
  const { kind, durationMs, warmupMs } = call;
  if (kind.work === "compute") return durationMs * constants.computeFactor;
  // Init has made the first request, so this is the second one.
  if (warmupMs !== undefined) return durationMs * warmFactor(kind, constants);
  return firstRequest(durationMs, call, constants);
}

/**
 * Gathering jitter is the same work in every function, and its time depends on the processor. The model uses Lambda's
 * time for it, scaled by the CPU share; the rest of such a request is short in comparison.
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
 * Predicts Init: the sandbox and runtime, the function's own start, and reading its binary for the first time.
 * Python's start consists of reading files for the first time, so one factor covers all of it.
 */
function predictInit(call: LocalCall & { initMs: number }, constants: Constants): number {
  const { kind, initMs, warmupMs = 0, artefactMb = 0 } = call;
  const { sandboxMs, nodeSandboxMs, pythonStartFactor, readMsPerMb, firstCodeFactor } = constants;
  // Init has a whole CPU, so the function's share does not slow it down.
  const warmup =
    warmupMs === 0 ? 0 : firstRequest(warmupMs, { ...call, memoryMb: memoryMbPerVcpu }, constants);
  const ownStart = Math.max(0, initMs - warmupMs);
  if (kind.family === "python") return pythonStartFactor * ownStart + warmup;
  if (kind.family === "node") return nodeSandboxMs + firstCodeFactor * ownStart + warmup;
  return sandboxMs + firstCodeFactor * ownStart + artefactMb * readMsPerMb + warmup;
}
