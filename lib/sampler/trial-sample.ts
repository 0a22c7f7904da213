import { cpuCredit } from "../contract/cpu-credit.ts";
import type {
  Cell,
  ForcedCold,
  FunctionResult,
  OperationRequest,
  Plan,
  Sample,
} from "../contract/types/contract.ts";
import { contractProblem } from "../contract/validate.ts";
import { wrongAnswer } from "./expected-answer.ts";
import type { Invocation, Step, Target, TrialContext } from "./target.ts";

/**
 * An environment that waited longer for its first event was initialised ahead of the call, which it did
 * not wait for: "you can observe an unexpected time gap between your function's initialization and
 * invocation phases" (https://docs.aws.amazon.com/lambda/latest/dg/lambda-runtime-environment.html).
 */
const earlyInitMs = 1000;

/** A call of a trial: which one, and what is known before it. */
interface Call {
  readonly step: Step;
  readonly progress: TrialProgress;
  /** Of the cold call. */
  readonly forcedCold?: ForcedCold | undefined;
  /** Of the trial's last call. */
  readonly cpuModel?: string | undefined;
}

/** The sample of a call, verified. */
export function makeSample(
  target: Target,
  context: TrialContext,
  { step, progress, forcedCold, cpuModel }: Call,
  invocation: Invocation,
): Sample {
  const { plan, block, cell, seenBootIds } = context;
  const attempt = progress.attempt ?? context.attempt;
  const memory = { ...progress, seenBootIds };
  const rejected =
    (plan.ownResults
      ? ownRejection(plan, step, invocation, memory)
      : (rejection(step.phase, invocation, memory, target.resultContract) ??
        wrongResult(invocation.payload, findExpected(target, plan, cell, step.operation)) ??
        throttledResult(invocation.payload))) ??
    (step.discarded ? { reason: "warm-up" as const } : undefined) ??
    (invocation.instructions === undefined ? undefined : { reason: "instrumented" as const });
  const flags = findFlags(invocation, cell, plan);
  const { environment } = plan.ownResults ? invocation : {};
  const { requestId, startedAt, clientLatencyMs, telemetry, payload, error } = invocation;
  const { cpu, instructions } = invocation;
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
  if (initToFirstEventMs !== undefined && initToFirstEventMs > earlyInitMs) {
    flags.push("initialised-early");
  }
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
  /** What the environment's own count can be at most at the next call, were it called by no one else. */
  readonly nextInvocation: number;
  readonly errorsInARow: number;
  /** Calls in a row that another environment answered. */
  readonly otherBootsInARow: number;
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
 * The trial after one more sample. A call that failed may have been counted or not. A cold call that a
 * used environment answered is made once more, in one that is forced cold again.
 */
export function progressAfter(progress: TrialProgress, sample: Sample): TrialProgress {
  const { attempt } = progress;
  const isCold = sample.phase === "cold";
  if (isCold && attempt === undefined && sample.rejected?.reason === "boot-id-reused") {
    return { ...trialBegin, attempt: (sample.attempt ?? 0) + 1 };
  }
  const bootId = isCold ? readBootId(sample) : progress.bootId;
  return {
    ...(attempt !== undefined && { attempt }),
    sequence: progress.sequence + 1,
    ...(bootId !== undefined && { bootId }),
    nextInvocation: isCold ? 1 : invocationAfter(progress, sample),
    errorsInARow: sample.error === undefined ? 0 : progress.errorsInARow + 1,
    otherBootsInARow: otherBootsAfter(progress, sample),
  };
}

/** A call that failed says nothing of which environment it was. */
function otherBootsAfter({ otherBootsInARow }: TrialProgress, sample: Sample): number {
  if (sample.rejected?.reason === "boot-id-changed") return otherBootsInARow + 1;
  return sample.error === undefined ? 0 : otherBootsInARow;
}

function invocationAfter({ bootId, nextInvocation }: TrialProgress, sample: Sample): number {
  const result = readResult(sample);
  return result?.bootId === bootId && result?.invocation !== undefined
    ? result.invocation + 1
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

/**
 * Why a result is no time of the work alone: unprocessed items mean that DynamoDB throttled, and the
 * function paused before it sent them again, inside its Duration.
 * https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchWriteItem.html
 */
function throttledResult(payload: unknown): Rejection | undefined {
  const { retriedItems } = Object(payload) as Partial<FunctionResult>;
  if (retriedItems === undefined || retriedItems === 0) return undefined;
  return { reason: "throttled", detail: `${retriedItems} items were sent again` };
}

/**
 * Why a result that keeps the contract is not the one that the operation must give: a function that
 * computed something else, or less, was not fast but wrong. Undefined where all is as expected.
 */
function wrongResult(
  payload: unknown,
  expected: OperationRequest["expected"] = {},
): Rejection | undefined {
  const result = new Map(Object.entries(Object(payload)));
  const wrong = Object.entries(expected).find(([field, value]) => result.get(field) !== value);
  if (wrong === undefined) return undefined;
  const [field, value] = wrong;
  const found = result.has(field) ? JSON.stringify(result.get(field)) : "nothing";
  return {
    reason: "result-wrong",
    detail: `${field}: found ${found}; expected ${JSON.stringify(value)}`,
  };
}

/** What is known of the environment before an invocation. */
interface EnvironmentMemory extends Pick<TrialProgress, "bootId" | "nextInvocation"> {
  /** Boot ids of the cell's earlier environments. */
  readonly seenBootIds: ReadonlySet<string>;
}

/** By what a process is told from another, and an invocation from the one before. */
type Identity = Pick<FunctionResult, "bootId" | "coldStart" | "invocation">;

type Rejection = NonNullable<Sample["rejected"]>;

/**
 * Why an invocation does not count for its phase, or undefined when it does. Cold needs Init and a
 * new boot id whose count starts at 0; second and warm need the same boot id, no Init, and a count
 * that no other caller has moved on.
 */
function rejection(
  phase: Sample["phase"],
  invocation: Invocation,
  memory: EnvironmentMemory,
  resultContract: NonNullable<Target["resultContract"]> = "result",
): Rejection | undefined {
  if (invocation.error !== undefined) return { reason: "error", detail: invocation.error.type };
  const problem = contractProblem(resultContract, invocation.payload);
  if (problem !== undefined) return { reason: "result-invalid", detail: problem.message };
  const { telemetry, telemetryRefused: detail } = invocation;
  if (telemetry === undefined) {
    return { reason: "telemetry-missing", ...(detail !== undefined && { detail }) };
  }
  const result = invocation.payload as Identity;
  return ofPhase(phase, result, telemetry.initDurationMs !== undefined, memory);
}

/**
 * The same of a user's function, which says nothing of its process: the target tells environments apart,
 * and where it cannot, Init alone does.
 */
function ownRejection(
  { requests }: Plan,
  { phase, operation }: Step,
  invocation: Invocation,
  memory: EnvironmentMemory,
): Rejection | undefined {
  const { error, telemetry, telemetryRefused: detail, environment, payload, isText } = invocation;
  if (error !== undefined) return { reason: "error", detail: error.type };
  if (isText) return { reason: "result-invalid", detail: "the function answered no JSON" };
  if (telemetry === undefined) {
    return { reason: "telemetry-missing", ...(detail !== undefined && { detail }) };
  }
  const initSeen = telemetry.initDurationMs !== undefined;
  const identity = environment && {
    bootId: environment.id,
    coldStart: environment.invocation === 0,
    invocation: environment.invocation,
  };
  const wrongEnvironment =
    identity === undefined
      ? ofInitAlone(phase, initSeen)
      : ofPhase(phase, identity, initSeen, memory);
  const wrong = wrongAnswer(payload, requests?.[operation]?.answer);
  const unexpected =
    wrong === undefined ? undefined : { reason: "result-wrong" as const, detail: wrong };
  return wrongEnvironment ?? unexpected;
}

function ofInitAlone(phase: Sample["phase"], initSeen: boolean): Rejection | undefined {
  if (phase === "cold") return initSeen ? undefined : { reason: "init-missing" };
  return initSeen ? { reason: "init-unexpected" } : undefined;
}

function ofPhase(
  phase: Sample["phase"],
  result: Identity,
  initSeen: boolean,
  memory: EnvironmentMemory,
): Rejection | undefined {
  return phase === "cold"
    ? coldRejection(result, initSeen, memory)
    : laterRejection(result, initSeen, memory);
}

function coldRejection(
  result: Identity,
  initSeen: boolean,
  memory: EnvironmentMemory,
): Rejection | undefined {
  if (memory.seenBootIds.has(result.bootId) || result.invocation !== 0 || !result.coldStart) {
    return {
      reason: "boot-id-reused",
      detail: `${result.bootId}, invocation ${result.invocation}`,
    };
  }
  return initSeen ? undefined : { reason: "init-missing" };
}

function laterRejection(
  result: Identity,
  initSeen: boolean,
  { bootId, nextInvocation }: EnvironmentMemory,
): Rejection | undefined {
  if (result.bootId !== bootId) return { reason: "boot-id-changed", detail: result.bootId };
  if (initSeen) return { reason: "init-unexpected" };
  if (result.invocation <= nextInvocation) return undefined;
  const detail = `invocation ${result.invocation}, expected ${nextInvocation}`;
  return { reason: "invoked-meanwhile", detail };
}
