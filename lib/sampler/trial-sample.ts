import { cpuCredit } from "../contract/cpu-credit.ts";
import type { Cell, ForcedCold, FunctionResult, Plan, Sample } from "../contract/types/contract.ts";
import { ownRejection, rejection, throttledResult, wrongResult } from "./rejection.ts";
import type { CalledEnvironment, Invocation, Step, Target, TrialContext } from "./target.ts";

/**
 * An environment that waited longer for its first event was initialised ahead of the call, which it did
 * not wait for: "you can observe an unexpected time gap between your function's initialization and
 * invocation phases" (https://docs.aws.amazon.com/lambda/latest/dg/lambda-runtime-environment.html).
 */
const earlyInitMs = 1000;

/** A call of a trial: which one, and what is known before it. */
export interface Call {
  readonly step: Step;
  readonly progress: TrialProgress;
  /** Of the cold call. */
  readonly forcedCold?: ForcedCold | undefined;
  /** Of the trial's last call. */
  readonly cpuModel?: string | undefined;
  /** How a user's function answered otherwise than expected. */
  readonly wrongAnswer?: string | undefined;
}

/** The sample of a call, verified. */
export function makeSample(
  target: Target,
  context: TrialContext,
  { step, progress, forcedCold, cpuModel, wrongAnswer }: Call,
  invocation: Invocation,
): Sample {
  const { plan, block, cell, seenBootIds } = context;
  const attempt = progress.attempt ?? context.attempt;
  const memory = { ...progress, seenBootIds };
  const rejected =
    (plan.ownResults
      ? ownRejection(step.phase, invocation, memory, wrongAnswer)
      : (rejection(step.phase, invocation, memory, target.resultContract) ??
        wrongResult(invocation.payload, findExpected(target, plan, cell, step.operation)) ??
        throttledResult(invocation.payload))) ??
    (step.discarded ? { reason: "warm-up" as const } : undefined) ??
    (invocation.instructions === undefined ? undefined : { reason: "instrumented" as const });
  const flags = findFlags(invocation, cell, plan);
  const isEarly = step.phase === "cold" && isAnsweredBeforeInit(target, invocation);
  if (isEarly && !flags.includes("initialised-early")) flags.push("initialised-early");
  const { environment } = plan.ownResults ? invocation : {};
  const { requestId, startedAt, clientLatencyMs, telemetry, payload, error } = invocation;
  const { cpu, instructions, firstByteMs } = invocation;
  return {
    runId: plan.runId,
    experiment: plan.experiment,
    target: target.kind,
    cell,
    operation: step.operation,
    phase: step.phase,
    block: block.index,
    ...(attempt !== undefined && { attempt }),
    sequence: progress.sequence,
    ...(requestId !== undefined && { requestId }),
    ...(environment !== undefined && { environmentId: environment.id }),
    startedAt,
    ...(clientLatencyMs !== undefined && { clientLatencyMs }),
    ...(telemetry !== undefined && { telemetry }),
    ...(firstByteMs !== undefined && { firstByteMs }),
    ...(cpu !== undefined && { cpu }),
    ...(instructions !== undefined && { instructions }),
    ...(forcedCold !== undefined && { forcedCold }),
    ...(cpuModel !== undefined && { cpuModel }),
    // What a user's function returns may be large, and nobody else's business.
    ...(payload !== undefined && !plan.ownResults && { result: payload }),
    ...(flags.length > 0 && { flags }),
    ...(rejected !== undefined && { rejected }),
    ...(error !== undefined && { error }),
  };
}

/**
 * What the plan expects, and what the cell is: a pool of another size, another variant or another
 * runtime would be another cell's. An engine's result names neither.
 */
function findExpected(
  { resultContract = "result" }: Target,
  { requests }: Plan,
  { workers, variant, runtime }: Cell,
  operation: string,
) {
  const language = findLanguage(runtime);
  return {
    ...requests?.[operation]?.expected,
    ...(workers !== undefined && { workers }),
    ...(resultContract === "result" && {
      variant,
      ...(language !== undefined && { runtime: language }),
    }),
  };
}

/** What a function on one of Lambda's runtimes says it is written in; undefined of others. */
function findLanguage(runtime: string): FunctionResult["runtime"] | undefined {
  if (runtime.startsWith("python")) return "python";
  return runtime.startsWith("provided.") ? "rust" : undefined;
}

/**
 * Whether Lambda's caller waited for less than Init and Duration together: Init was then over, at least in part,
 * before the call. On one machine the caller's time does not hold Init.
 */
function isAnsweredBeforeInit(
  { kind }: Target,
  { clientLatencyMs, telemetry }: Invocation,
): boolean {
  const { initDurationMs, durationMs } = telemetry ?? {};
  if (kind !== "aws" || clientLatencyMs === undefined) return false;
  if (initDurationMs === undefined || durationMs === undefined) return false;
  return clientLatencyMs < initDurationMs + durationMs;
}

function findFlags(
  invocation: Invocation,
  { memoryMb }: Cell,
  { ownResults }: Plan,
): NonNullable<Sample["flags"]> {
  const flags: NonNullable<Sample["flags"]> = [];
  if (invocation.logTruncated === true) flags.push("log-truncated");
  if (invocation.telemetryFromLogs === true) flags.push("telemetry-from-logs");
  if (ownResults) return flags;
  const result = Object(invocation.payload) as Partial<FunctionResult>;
  const { detectedCpus, initToFirstEventMs } = result;
  const waitedMs = initToFirstEventMs ?? 0;
  if (waitedMs > earlyInitMs) flags.push("initialised-early");
  if (detectedCpus !== undefined && detectedCpus < cpuCredit(memoryMb)) {
    flags.push("visible-cpus-below-quota");
  }
  return flags;
}

/** How far a trial has come, and what its next call is held against. Goes through JSON unharmed. */
export interface TrialProgress {
  /** Present when the environment was forced cold again: the first one had been used before. */
  readonly attempt?: number;
  /** The next call's place in the trial: as many were made. */
  readonly sequence: number;
  /** Of the trial's environment; absent before its cold invocation gave it. */
  readonly bootId?: string;
  /** By which the target finds the trial's environment later; absent where it tells it with each answer. */
  readonly coldCall?: ColdCall;
  /** What the environment's own count can be at most at the next call, were it called by no one else. */
  readonly nextInvocation: number;
  readonly errorsInARow: number;
  /** Calls in a row that another environment answered. */
  readonly otherBootsInARow: number;
}

/** The call that an earlier driver of the trial made. */
interface ColdCall {
  readonly requestId: string;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
}

export const trialBegin: TrialProgress = {
  sequence: 0,
  nextInvocation: 0,
  errorsInARow: 0,
  otherBootsInARow: 0,
};

/** A trial that forces cold once more takes the next attempt: a trial that is made again begins after both. */
export const attemptsPerTrial = 2;

/**
 * The trial after one more sample. A cold call that a used environment answered is made once more, in one
 * that is forced cold again. Where the target learns only after the trial which environment answered, that
 * is too late to repeat it: the sample is then rejected, and the trial's others with it or for themselves.
 * @param environment that answered, where the target knows it.
 */
export function progressAfter(
  progress: TrialProgress,
  sample: Sample,
  environment?: CalledEnvironment,
): TrialProgress {
  const isCold = sample.phase === "cold";
  if (isCold && progress.attempt === undefined && sample.rejected?.reason === "boot-id-reused") {
    return { ...trialBegin, attempt: (sample.attempt ?? 0) + 1 };
  }
  return nextProgress(progress, sample, environment);
}

/** The trial after one more sample, which is not repeated. A call that failed may have been counted or not. */
export function nextProgress(
  progress: TrialProgress,
  sample: Sample,
  environment?: CalledEnvironment,
): TrialProgress {
  const { attempt, coldCall } = progress;
  const isCold = sample.phase === "cold";
  const bootId = isCold ? readBootId(sample) : (progress.bootId ?? readBootId(sample));
  return {
    ...(attempt !== undefined && { attempt }),
    sequence: progress.sequence + 1,
    ...(bootId !== undefined && { bootId }),
    ...(!isCold && coldCall !== undefined && { coldCall }),
    nextInvocation: isCold ? 1 : invocationAfter(progress, sample, environment),
    errorsInARow: sample.error === undefined ? 0 : progress.errorsInARow + 1,
    otherBootsInARow: otherBootsAfter(progress, sample),
  };
}

/** A call that failed says nothing of which environment it was. */
function otherBootsAfter({ otherBootsInARow }: TrialProgress, sample: Sample): number {
  if (sample.rejected?.reason === "boot-id-changed") return otherBootsInARow + 1;
  return sample.error === undefined ? 0 : otherBootsInARow;
}

function invocationAfter(
  { bootId, nextInvocation }: TrialProgress,
  sample: Sample,
  environment: CalledEnvironment | undefined,
): number {
  const result = readResult(sample);
  const answered =
    environment === undefined
      ? { bootId: result?.bootId, invocation: result?.invocation }
      : { bootId: environment.id, invocation: environment.invocation };
  return answered.bootId === (bootId ?? answered.bootId) && answered.invocation !== undefined
    ? answered.invocation + 1
    : nextInvocation + 1;
}

/**
 * Of the process that answered: as the target knows it, or where what it returned keeps the contract.
 */
export function readBootId(sample: Sample): string | undefined {
  const { environmentId, error } = sample;
  if (environmentId !== undefined) return error === undefined ? environmentId : undefined;
  return readResult(sample)?.bootId;
}

/** What the function returned, where that keeps the contract. */
function readResult(sample: Sample): FunctionResult | undefined {
  const isSound = sample.error === undefined && sample.rejected?.reason !== "result-invalid";
  return isSound ? (sample.result as FunctionResult | undefined) : undefined;
}
