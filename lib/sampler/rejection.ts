import { defined } from "../contract/defined.ts";
import type {
  Cell,
  FunctionResult,
  OperationRequest,
  Plan,
  Sample,
} from "../contract/types/contract.ts";
import { contractProblem } from "../contract/validate.ts";
import type { CalledEnvironment, Invocation, Step, Target, TrialContext } from "./target.ts";

/** State of the environment, as known before an invocation. */
interface EnvironmentMemory {
  /** Boot id of the trial's environment; absent before its cold invocation. */
  readonly bootId?: string;
  /** The environment's highest possible invocation count unless someone else calls it. */
  readonly nextInvocation: number;
  /** Boot ids of the cell's previous environments. */
  readonly seenBootIds: ReadonlySet<string>;
}

/** The fields that identify a process and one of its invocations. */
type Identity = Pick<FunctionResult, "bootId" | "coldStart" | "invocation">;

type Rejection = NonNullable<Sample["rejected"]>;

/** A call, and what its answer is judged by. */
interface JudgedCall {
  readonly step: Step;
  readonly memory: EnvironmentMemory;
  /** Difference between a user function's answer and the expected one. */
  readonly wrongAnswer?: string | undefined;
}

/**
 * Returns why a call's sample does not count; undefined if it does. The reasons are listed in
 * lib/contract/exclusion-reasons.ts; lib/analysis/exclusion.ts adds those that only the whole run shows.
 */
export function rejection(
  target: Pick<Target, "resultProblem">,
  { plan, cell }: Pick<TrialContext, "plan" | "cell">,
  { step, memory, wrongAnswer }: JudgedCall,
  invocation: Invocation,
): Rejection | undefined {
  const { phase, operation } = step;
  const { payload, instructions } = invocation;
  const wrong = plan.ownResults
    ? ownRejection(phase, invocation, memory, wrongAnswer)
    : (functionRejection(phase, invocation, memory, target.resultProblem) ??
      wrongResult(payload, findExpected(target, plan, cell, operation)) ??
      throttledResult(payload));
  if (wrong !== undefined) return wrong;
  if (step.discarded) return { reason: "warm-up" };
  return instructions === undefined ? undefined : { reason: "instrumented" };
}

/**
 * Rejects a result whose Duration includes more than the work: unprocessed items mean that DynamoDB throttled the
 * request, and that the function paused before it sent them again.
 * https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchWriteItem.html
 */
function throttledResult(payload: unknown): Rejection | undefined {
  const { retriedItems } = Object(payload) as Partial<FunctionResult>;
  if (retriedItems === undefined || retriedItems === 0) return undefined;
  return { reason: "throttled", detail: `${retriedItems} items were sent again` };
}

/**
 * Returns the result fields that the plan and the cell require: another pool size, variant or runtime would belong to
 * another cell. Results of another contract need not contain variant or runtime.
 */
function findExpected(
  { resultProblem }: Pick<Target, "resultProblem">,
  { requests }: Plan,
  { workers, variant, runtime }: Cell,
  operation: string,
) {
  const language = findLanguage(runtime);
  return {
    ...requests?.[operation]?.expected,
    ...defined({ workers }),
    ...(resultProblem === undefined && { variant, ...defined({ runtime: language }) }),
  };
}

/** Returns the language that functions on a Lambda runtime report; undefined for other runtimes. */
function findLanguage(runtime: string): FunctionResult["runtime"] | undefined {
  if (runtime.startsWith("python")) return "python";
  return runtime.startsWith("provided.") ? "rust" : undefined;
}

/**
 * Rejects a result that follows the contract but differs from what the operation must return: a function that
 * computed something else, or less, was not fast but wrong.
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

/**
 * Returns why an invocation does not count for its phase; undefined if it does. Cold needs Init and a new boot id
 * whose count is 0; second and warm need the same boot id, no Init, and a count that no other caller has increased.
 */
function functionRejection(
  phase: Sample["phase"],
  invocation: Invocation,
  memory: EnvironmentMemory,
  resultProblem: Target["resultProblem"] = (result) => contractProblem("result", result),
): Rejection | undefined {
  if (invocation.error !== undefined) return { reason: "error", detail: invocation.error.type };
  const problem = resultProblem(invocation.payload);
  if (problem !== undefined) return { reason: "result-invalid", detail: problem.message };
  const { telemetry, telemetryRefused: detail } = invocation;
  if (telemetry === undefined) {
    return { reason: "telemetry-missing", ...defined({ detail }) };
  }
  const result = invocation.payload as Identity;
  const initSeen = telemetry.initDurationMs !== undefined;
  return initRepeated(invocation) ?? ofPhase(phase, result, initSeen, memory);
}

/**
 * Same as functionRejection, for a user's function, which does not identify its process: the target identifies the
 * environment, or else Init alone decides. On AWS the target can do so only after the trial; samples are then judged
 * again.
 * @param wrongAnswer the difference between the answer and the expected one.
 */
function ownRejection(
  phase: Sample["phase"],
  invocation: Invocation,
  memory: EnvironmentMemory,
  wrongAnswer: string | undefined,
): Rejection | undefined {
  const { error, telemetry, telemetryRefused: detail, environment } = invocation;
  if (error !== undefined) return { reason: "error", detail: error.type };
  if (telemetry === undefined) {
    return { reason: "telemetry-missing", ...defined({ detail }) };
  }
  const initSeen = telemetry.initDurationMs !== undefined;
  const wrongEnvironment =
    environment === undefined
      ? ofInitAlone(phase, initSeen)
      : ofEnvironment(phase, environment, initSeen, memory);
  const unexpected =
    wrongAnswer === undefined
      ? undefined
      : { reason: "result-wrong" as const, detail: wrongAnswer };
  return initRepeated(invocation) ?? wrongEnvironment ?? unexpected;
}

/**
 * Rejects a call within whose Duration Init was run again: it is neither a cold start nor a warm call.
 * https://docs.aws.amazon.com/lambda/latest/dg/lambda-runtime-environment.html
 */
export function initRepeated({
  telemetry,
  failedInits = [],
}: Pick<Sample, "telemetry" | "failedInits">): Rejection | undefined {
  const isRepeated = failedInits.length > 0 && telemetry?.initDurationMs === undefined;
  return isRepeated ? { reason: "init-repeated" } : undefined;
}

/** If the environment of the cold call is not known, the first known one is taken as the trial's. */
function ofEnvironment(
  phase: Sample["phase"],
  { id, invocation }: CalledEnvironment,
  initSeen: boolean,
  memory: EnvironmentMemory,
): Rejection | undefined {
  const identity = { bootId: id, coldStart: invocation === 0, invocation };
  return ofPhase(phase, identity, initSeen, { bootId: id, ...memory });
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
