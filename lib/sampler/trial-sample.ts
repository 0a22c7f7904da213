import { cpuCredit } from "../contract/cpu-credit.ts";
import { defined } from "../contract/defined.ts";
import type { Cell, ForcedCold, FunctionResult, Plan, Sample } from "../contract/types/contract.ts";
import { rejection } from "./rejection.ts";
import type { CalledEnvironment, Invocation, Step, Target, TrialContext } from "./target.ts";

/**
 * Longest usual wait, in ms, for the first event after Init. An environment that waited longer was initialised before
 * the call, independently of it: "you can observe an unexpected time gap between your function's initialization and
 * invocation phases" (https://docs.aws.amazon.com/lambda/latest/dg/lambda-runtime-environment.html).
 */
const earlyInitMs = 1000;

/** A call of a trial, and what is known before it is made. */
export interface Call {
  readonly step: Step;
  readonly progress: TrialProgress;
  /** Throttling and runtime version when cold was forced; present for the cold call. */
  readonly forcedCold?: ForcedCold | undefined;
  /** The environment's CPU model; present for the trial's last call. */
  readonly cpuModel?: string | undefined;
  /** Difference between a user function's answer and the expected one. */
  readonly wrongAnswer?: string | undefined;
}

/** Makes and verifies the sample of a call. */
export function makeSample(
  target: Target,
  context: TrialContext,
  { step, progress, forcedCold, cpuModel, wrongAnswer }: Call,
  invocation: Invocation,
): Sample {
  const { plan, block, cell, seenBootIds } = context;
  const attempt = progress.attempt ?? context.attempt;
  const memory = { ...progress, seenBootIds };
  const rejected = rejection(target, context, { step, memory, wrongAnswer }, invocation);
  const flags = findFlags(invocation, cell, plan);
  const isEarly = step.phase === "cold" && isAnsweredBeforeInit(target, invocation);
  if (isEarly && !flags.includes("initialised-early")) flags.push("initialised-early");
  const environmentId = plan.ownResults ? invocation.environment?.id : undefined;
  const { requestId, startedAt, clientLatencyMs, telemetry, payload, error } = invocation;
  const { failedInits } = invocation;
  const { cpu, instructions, firstByteMs } = invocation;
  return {
    runId: plan.runId,
    experiment: plan.experiment,
    target: target.kind,
    cell,
    operation: step.operation,
    phase: step.phase,
    block: block.index,
    ...defined({ attempt }),
    sequence: progress.sequence,
    ...defined({ requestId, environmentId }),
    startedAt,
    ...defined({ clientLatencyMs, telemetry, failedInits, firstByteMs, cpu, instructions }),
    ...defined({ forcedCold, cpuModel }),
    // A user function's return value may be large, and is private.
    ...(payload !== undefined && !plan.ownResults && { result: payload }),
    ...(flags.length > 0 && { flags }),
    ...defined({ rejected, error }),
  };
}

/**
 * Returns whether the caller waited for less than Init and Duration together: at least part of Init then ran before
 * the call. In local runs the caller's time does not include Init, so the answer is false.
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

/** A trial's progress, and what its next call is checked against. Survives a JSON round trip. */
export interface TrialProgress {
  /** Present if cold was forced again because the first environment had already been used. */
  readonly attempt?: number;
  /** Index of the next call, which is the number of calls made. */
  readonly sequence: number;
  /** Boot id of the trial's environment; absent before its cold invocation. */
  readonly bootId?: string;
  /** The call that identifies the trial's environment later; absent if each answer identifies it. */
  readonly coldCall?: ColdCall;
  /** The environment's highest possible invocation count at the next call unless someone else calls it. */
  readonly nextInvocation: number;
  readonly errorsInARow: number;
  /** Number of consecutive calls that another environment answered. */
  readonly otherBootsInARow: number;
}

/** The cold call of the trial, made by an earlier driver. */
interface ColdCall {
  readonly requestId: string;
  /** Start of the call, ISO 8601, UTC. */
  readonly startedAt: string;
}

export const trialStart: TrialProgress = {
  sequence: 0,
  nextInvocation: 0,
  errorsInARow: 0,
  otherBootsInARow: 0,
};

/** Attempts used by a trial, of which forcing cold again takes the second; a repeated trial continues after both. */
export const attemptsPerTrial = 2;

/**
 * Returns the progress after one more sample. A cold call that a used environment answered is repeated, after cold is
 * forced again. If the target learns only after the trial which environment answered, it is too late to repeat the
 * call; the sample is then rejected, and the trial's others with it or individually.
 * @param environment the one that answered, if the target knows it.
 */
export function progressAfter(
  progress: TrialProgress,
  sample: Sample,
  environment?: CalledEnvironment,
): TrialProgress {
  const isCold = sample.phase === "cold";
  if (isCold && progress.attempt === undefined && sample.rejected?.reason === "boot-id-reused") {
    return { ...trialStart, attempt: (sample.attempt ?? 0) + 1 };
  }
  return nextProgress(progress, sample, environment);
}

/** Returns the progress after one more sample, without repeating it. A failed call may or may not have been counted. */
export function nextProgress(
  progress: TrialProgress,
  sample: Sample,
  environment?: CalledEnvironment,
): TrialProgress {
  const { attempt, coldCall } = progress;
  const isCold = sample.phase === "cold";
  const bootId = isCold ? readBootId(sample) : (progress.bootId ?? readBootId(sample));
  return {
    ...defined({ attempt }),
    sequence: progress.sequence + 1,
    ...defined({ bootId }),
    ...(!isCold && coldCall !== undefined && { coldCall }),
    nextInvocation: isCold ? 1 : invocationAfter(progress, sample, environment),
    errorsInARow: sample.error === undefined ? 0 : progress.errorsInARow + 1,
    otherBootsInARow: otherBootsAfter(progress, sample),
  };
}

/** A failed call does not show which environment received it. */
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

/** Returns the boot id of the process that answered, from the target or from a result that follows the contract. */
export function readBootId(sample: Sample): string | undefined {
  const { environmentId, error } = sample;
  if (environmentId !== undefined) return error === undefined ? environmentId : undefined;
  return readResult(sample)?.bootId;
}

/** Returns the function's result, if it follows the contract. */
function readResult(sample: Sample): FunctionResult | undefined {
  const isSound = sample.error === undefined && sample.rejected?.reason !== "result-invalid";
  return isSound ? (sample.result as FunctionResult | undefined) : undefined;
}
