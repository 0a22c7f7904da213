import type { Cell, Plan, Sample, Visit } from "../contract/types/contract.ts";
import { warmCallsOf } from "../contract/warm-calls.ts";
import { AwaitedTelemetry } from "./awaited-telemetry.ts";
import type { MeasuredEvent, Step, Target, VisitContext } from "./target.ts";
import { bootIdOf, progressAfter, type VisitProgress, visitBegin } from "./visit-progress.ts";
import { sampleOf } from "./visit-sample.ts";

/** A visit that could not go on: its samples so far stand, its cell's other visits are made. */
export class VisitFailed extends Error {
  override readonly name: string;
  constructor(type: string, message: string) {
    super(message);
    this.name = type;
  }
}

export interface VisitOptions {
  /** Cuts off the call under way: it was not measured, and is not yielded. */
  readonly signal?: AbortSignal;
  /** Asked before the environment is forced cold and before each call; absent: always. */
  readonly mayGoOn?: () => Promise<boolean>;
  /** Where another driver stopped: the environment is not forced cold. Absent: the visit begins. */
  readonly from?: VisitProgress;
}

/** Ended: every call was made. Stopped: the options did not let it go on. */
export type VisitEnd =
  | { readonly state: "ended" }
  | { readonly state: "stopped"; readonly progress: VisitProgress };

/** So many in a row, errors or answers of another environment, are no accident: the visit ends. */
const failuresInARow = 3;

/**
 * The only sampler: force cold, then cold, second, warm, each verified and yielded as it comes. Where a
 * used environment answered the cold call, cold is forced once more and the visit begins again. A sample
 * whose telemetry came late is yielded a second time, after all calls, by its old sequence.
 * Throws VisitFailed when the environment is lost or cannot be had.
 */
export async function* sampleVisit(
  target: Target,
  context: VisitContext,
  options: VisitOptions = {},
): AsyncGenerator<Sample, VisitEnd> {
  const awaited = new AwaitedTelemetry();
  let end: VisitEnd = { state: "ended" };
  let failure: unknown;
  try {
    end = yield* calls(target, context, options, awaited);
  } catch (error) {
    failure = error;
  }
  // The environment of a visit that stopped is called again: it would be another one after a wait.
  yield* await awaited.samples(target, context.cell, end.state === "ended");
  if (failure !== undefined) throw failure;
  return end;
}

async function* calls(
  target: Target,
  context: VisitContext,
  { signal, mayGoOn = async () => true, from }: VisitOptions,
  awaited: AwaitedTelemetry,
): AsyncGenerator<Sample, VisitEnd> {
  const { cell, plan, seenBootIds } = context;
  const steps = stepsOf(plan, context.visit);
  let progress = from ?? visitBegin;
  for (;;) {
    const step = steps[progress.sequence];
    if (step === undefined) return { state: "ended" };
    if (!(await mayGoOn())) return { state: "stopped", progress };
    const forcedCold = step.phase === "cold" ? await target.forceCold(cell) : undefined;
    if (step.phase === "cold" && !(await mayGoOn())) return { state: "stopped", progress };
    const invocation = await target.invoke(cell, eventOf(plan, step));
    if (signal?.aborted === true) return { state: "stopped", progress };
    const isLast = progress.sequence === steps.length - 1;
    const cpuModel = isLast ? await cpuModelOf(target, cell, progress, mayGoOn) : undefined;
    const call = { step, progress, forcedCold, cpuModel };
    const sample = sampleOf(target, context, call, invocation);
    yield sample;
    if (invocation.telemetryAwaited === true) {
      const asItWas = { ...context, seenBootIds: new Set(seenBootIds) };
      awaited.add(invocation, (answer) => sampleOf(target, asItWas, call, answer));
    }
    progress = progressAfter(progress, sample);
    checkVisit(sample, progress);
    const bootId = step.phase === "cold" ? bootIdOf(sample) : undefined;
    if (bootId !== undefined) seenBootIds.add(bootId);
  }
}

/** Asked when every call has been made: no measured one meets an environment that told it. */
async function cpuModelOf(
  target: Target,
  cell: Cell,
  { bootId }: VisitProgress,
  mayGoOn: () => Promise<boolean>,
): Promise<string | undefined> {
  if (target.cpuModel === undefined || bootId === undefined) return undefined;
  return (await mayGoOn()) ? await target.cpuModel(cell, bootId) : undefined;
}

/** Throws VisitFailed where nothing that the visit would still measure could count. */
function checkVisit(sample: Sample, progress: VisitProgress): void {
  const { bootId, errorsInARow, otherBootsInARow } = progress;
  const isForcedAgain = progress.sequence === 0;
  if (bootId === undefined && !isForcedAgain) {
    throw failedBy(sample, "the cold invocation gave no boot id");
  }
  if (errorsInARow === failuresInARow) throw failedBy(sample, `${failuresInARow} errors in a row`);
  if (otherBootsInARow === failuresInARow) {
    throw failedBy(sample, `another environment answered ${failuresInARow} times in a row`);
  }
}

/** What a visit invokes, in order. */
export function stepsOf(plan: Plan, visit: Visit): readonly Step[] {
  const { coldOperation } = plan;
  const warm = visit.warmOrder.flatMap((operation) => {
    const { calls, discarded } = warmCallsOf(plan, operation);
    return Array.from({ length: calls }, (_, call) => ({
      phase: "warm" as const,
      operation,
      discarded: call < discarded,
    }));
  });
  return [
    { phase: "cold", operation: coldOperation, discarded: false },
    { phase: "second", operation: coldOperation, discarded: false },
    ...warm,
  ];
}

function eventOf({ requests }: Plan, step: Step): MeasuredEvent {
  const { operation = step.operation, parameters } = requests?.[step.operation] ?? {};
  return { operation, ...parameters };
}

function failedBy(sample: Sample, what: string): VisitFailed {
  const { error, rejected } = sample;
  const cause = error === undefined ? (rejected?.detail ?? rejected?.reason) : error.message;
  return new VisitFailed(
    error?.type ?? rejected?.reason ?? "VisitFailed",
    `${what}: ${cause ?? "no cause given"}`,
  );
}
