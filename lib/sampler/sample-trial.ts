import { describeError } from "../contract/errors.ts";
import type { CellFailure, Plan, Sample, Trial } from "../contract/types/contract.ts";
import { countTrialCalls, listTrialCalls } from "../plan/trial-calls.ts";
import { wrongAnswer } from "./expected-answer.ts";
import { judgedLater, type LaterJudgement } from "./later-judgement.ts";
import type { MeasuredEvent, Step, Target, TrialContext } from "./target.ts";
import {
  makeSample,
  progressAfter,
  readBootId,
  type TrialProgress,
  trialStart,
} from "./trial-sample.ts";

/** A trial that could not continue: its samples so far are kept, and the cell's other trials are still made. */
export class TrialFailed extends Error {
  override readonly name: string;
  constructor(type: string, message: string) {
    super(message);
    this.name = type;
  }
}

export interface TrialOptions {
  /** Aborts the current call, which is not yielded as a sample. */
  readonly signal?: AbortSignal;
  /** Called before each call, and before and after forcing cold. Default: always true. */
  readonly mayGoOn?: () => Promise<boolean>;
  /** Progress at which another driver stopped; the environment is then not forced cold again. Absent: a new trial. */
  readonly from?: TrialProgress;
  /** Default: each call starts as soon as the one before has ended. */
  readonly pace?: Pace;
}

/** Waits for an environment's idle time between two of its calls, or until the signal aborts. */
export type Idle = (signal: AbortSignal | undefined) => Promise<void>;

/** Order of and pauses between the calls of several trials. */
export interface Pace {
  readonly idle: Idle;
  /** Runs the work when no other trial's work is in progress. */
  turn<Result>(work: () => Promise<Result>): Promise<Result>;
}

const atOnce: Pace = { idle: async () => undefined, turn: (work) => work() };

/** `ended`: every call was made, or the trial failed. `stopped`: `mayGoOn` or the signal stopped it. */
export type TrialEnd =
  | { readonly state: "ended" }
  | { readonly state: "stopped"; readonly progress: TrialProgress };

interface YieldedSample {
  readonly sample: Sample;
  /** The trial's progress after this call; absent if the sample is yielded again. */
  readonly progress?: TrialProgress;
}

/** Number of consecutive errors, or answers from another environment, that ends the trial. */
const failuresInARow = 3;

/**
 * The only sampler: it forces cold, then makes the cold, second and warm calls, and yields each one, verified, when
 * it ends. If a used environment answers the cold call, it forces cold once more and restarts the trial. A sample
 * whose telemetry or environment becomes known late is yielded again, after all calls, with the same sequence. Throws
 * TrialFailed if the environment is lost or cannot be obtained.
 */
async function* sampleTrial(
  target: Target,
  context: TrialContext,
  options: TrialOptions = {},
): AsyncGenerator<YieldedSample, TrialEnd> {
  const later = judgedLater(target, context, options.from);
  let end: TrialEnd = { state: "ended" };
  let failure: unknown;
  try {
    end = yield* calls(target, context, options, later);
  } catch (error) {
    failure = error;
  }
  // A stopped trial calls its environment again: after a wait another one might answer.
  for (const sample of await later.samples(end.state === "ended")) yield { sample };
  if (failure !== undefined) throw failure;
  return end.state === "ended" ? end : { ...end, progress: later.handedOver(end.progress) };
}

async function* calls(
  target: Target,
  context: TrialContext,
  { signal, mayGoOn = async () => true, from }: TrialOptions,
  later: LaterJudgement,
): AsyncGenerator<YieldedSample, TrialEnd> {
  const { cell, plan, seenBootIds } = context;
  const steps = listSteps(plan, context.trial);
  let progress = from ?? trialStart;
  for (;;) {
    const step = steps[progress.sequence];
    if (step === undefined) return { state: "ended" };
    if (!(await mayGoOn())) return { state: "stopped", progress };
    const forcedCold = step.phase === "cold" ? await target.forceCold(cell) : undefined;
    if (step.phase === "cold" && !(await mayGoOn())) return { state: "stopped", progress };
    const invocation = await target.invoke(cell, makeEvent(plan, step), step.operation);
    if (signal?.aborted === true) return { state: "stopped", progress };
    const isLast = progress.sequence === steps.length - 1;
    const cpuModel = isLast ? await askCpuModel(target, context, progress, mayGoOn) : undefined;
    const { answer } = plan.requests?.[step.operation] ?? {};
    const wrong = plan.ownResults ? wrongAnswer(invocation.payload, answer) : undefined;
    const call = { step, progress, forcedCold, cpuModel, wrongAnswer: wrong };
    const sample = makeSample(target, context, call, invocation);
    progress = progressAfter(progress, sample, invocation.environment);
    yield { sample, progress };
    later.add(call, invocation);
    checkTrial(plan, sample, progress);
    const bootId = step.phase === "cold" ? readBootId(sample) : undefined;
    if (bootId !== undefined) seenBootIds.add(bootId);
  }
}

/** Asks for the CPU model after the last call, so that no sample is affected. A user's function cannot answer. */
async function askCpuModel(
  target: Target,
  { cell, plan }: TrialContext,
  { bootId }: TrialProgress,
  mayGoOn: () => Promise<boolean>,
): Promise<string | undefined> {
  const { ownResults } = plan;
  if (target.cpuModel === undefined || bootId === undefined || ownResults) return undefined;
  return (await mayGoOn()) ? await target.cpuModel(cell, bootId) : undefined;
}

/** Throws TrialFailed if no remaining sample of the trial could count. */
function checkTrial({ ownResults }: Plan, sample: Sample, progress: TrialProgress): void {
  const { bootId, errorsInARow, otherBootsInARow } = progress;
  const isForcedAgain = progress.sequence === 0;
  if (ownResults) {
    if (sample.phase === "cold" && sample.error !== undefined) {
      throw failedBy(sample, "the cold invocation failed");
    }
  } else if (bootId === undefined && !isForcedAgain) {
    throw failedBy(sample, "the cold invocation gave no boot id");
  }
  if (errorsInARow === failuresInARow) throw failedBy(sample, `${failuresInARow} errors in a row`);
  if (otherBootsInARow === failuresInARow) {
    throw failedBy(sample, `another environment answered ${failuresInARow} times in a row`);
  }
}

/** Lists the calls of a trial, in order. */
export function listSteps(plan: Plan, trial: Trial): readonly Step[] {
  return listTrialCalls(plan, trial).flatMap(({ phase, operation, calls, discarded }) =>
    Array.from({ length: calls }, (_, call) => ({ phase, operation, discarded: call < discarded })),
  );
}

/** Returns the event of a call for an operation of the plan. */
export function makeEvent(
  { requests }: Pick<Plan, "requests">,
  { operation: name }: Pick<Step, "operation">,
): unknown {
  const request = requests?.[name] ?? {};
  if (Object.hasOwn(request, "event")) return request.event;
  const { operation = name, parameters } = request;
  const event: MeasuredEvent = { operation, ...parameters };
  return event;
}

function failedBy(sample: Sample, what: string): TrialFailed {
  const { error, rejected } = sample;
  const cause = error === undefined ? (rejected?.detail ?? rejected?.reason) : error.message;
  return new TrialFailed(
    error?.type ?? rejected?.reason ?? "TrialFailed",
    `${what}: ${cause ?? "no cause given"}`,
  );
}

/** Records samples and failures as they occur. */
export interface Recorder {
  /** Stores the sample, and replaces an earlier one of the same sequence. */
  sample(sample: Sample): Promise<void>;
  failure(failure: CellFailure): Promise<void>;
}

/** Makes or resumes a trial and records its samples. An error ends it and is recorded as a failure of its cell. */
export async function measureTrial(
  target: Target,
  context: TrialContext,
  recorder: Recorder,
  options: TrialOptions = {},
): Promise<TrialEnd> {
  const { signal, pace = atOnce } = options;
  const samples = sampleTrial(target, context, options);
  const calls = countTrialCalls(context.plan, context.trial);
  let progress = options.from ?? trialStart;
  // The sample is stored before the next turn: this process's work would take CPU time from a function.
  const step = async (): Promise<TrialEnd | undefined> => {
    const next = await samples.next().catch((error: unknown) => ({ error: describeError(error) }));
    if ("error" in next) {
      // The call failed because the abort tore down what it used.
      if (signal?.aborted === true) return { state: "stopped", progress };
      const { cell, block } = context;
      await recorder.failure({ cellId: cell.id, block: block.index, ...next.error });
      return { state: "ended" };
    }
    if (next.done === true) return next.value;
    await recorder.sample(next.value.sample);
    progress = next.value.progress ?? progress;
    return undefined;
  };
  for (;;) {
    const end = await pace.turn(step);
    if (end !== undefined) return end;
    if (progress.sequence < calls) await pace.idle(signal);
  }
}
