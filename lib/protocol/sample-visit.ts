import type {
  Block,
  Cell,
  FunctionResult,
  Plan,
  Sample,
  Visit,
} from "../contract/types/contract.ts";
import type { Invocation, Target } from "./target.ts";
import { rejection } from "./verify-temperature.ts";

/** A visit that could not go on: its samples so far stand, its cell's other visits are made. */
export class VisitFailed extends Error {
  override readonly name: string;
  constructor(type: string, message: string) {
    super(message);
    this.name = type;
  }
}

/** One visit to make: a new execution environment of a cell in a block. */
export interface VisitContext {
  readonly plan: Plan;
  readonly block: Block;
  readonly visit: Visit;
  readonly cell: Cell;
  /** Present when the visit was begun before and is made again. */
  readonly attempt?: number;
  /** Boot ids of the cell's earlier environments; this visit's is added. */
  readonly seenBootIds: Set<string>;
}

interface Step {
  readonly phase: Sample["phase"];
  readonly operation: string;
  readonly discarded: boolean;
}

const failuresInARow = 3;

/**
 * The only sampler: force cold, then cold, second, warm, each verified and yielded as it comes.
 * Throws VisitFailed when the environment is lost or cannot be had. A call under way when the signal
 * comes was cut off, not measured, and is not yielded.
 */
export async function* sampleVisit(
  target: Target,
  context: VisitContext,
  signal?: AbortSignal,
): AsyncGenerator<Sample> {
  await target.forceCold(context.cell);
  let bootId: string | undefined;
  let errorsInARow = 0;
  let sequence = 0;
  for (const step of stepsOf(context.plan, context.visit)) {
    const invocation = await target.invoke(context.cell, { operation: step.operation });
    if (signal?.aborted === true) return;
    const sample = sampleOf(target, context, step, sequence, invocation, bootId);
    yield sample;
    sequence += 1;
    if (step.phase === "cold") {
      bootId = bootIdOf(sample);
      if (bootId === undefined) throw failedBy(sample, "the cold invocation gave no boot id");
      context.seenBootIds.add(bootId);
    }
    errorsInARow = sample.error === undefined ? 0 : errorsInARow + 1;
    if (errorsInARow === failuresInARow)
      throw failedBy(sample, `${failuresInARow} errors in a row`);
    if (sample.rejected?.reason === "boot-id-changed") {
      throw failedBy(sample, "the environment was replaced during the visit");
    }
  }
}

/** What a visit invokes, in order. */
export function stepsOf(plan: Plan, visit: Visit): readonly Step[] {
  const { coldOperation, sizes } = plan;
  const warm = visit.warmOrder.flatMap((operation) =>
    Array.from({ length: sizes.warmCalls }, (_, call) => ({
      phase: "warm" as const,
      operation,
      discarded: call < sizes.discardedCalls,
    })),
  );
  return [
    { phase: "cold", operation: coldOperation, discarded: false },
    { phase: "second", operation: coldOperation, discarded: false },
    ...warm,
  ];
}

function sampleOf(
  target: Target,
  context: VisitContext,
  step: Step,
  sequence: number,
  invocation: Invocation,
  bootId: string | undefined,
): Sample {
  const { plan, block, cell, attempt, seenBootIds } = context;
  const memory = { seenBootIds, ...(bootId !== undefined && { bootId }) };
  const rejected =
    rejection(step.phase, invocation, memory) ??
    (step.discarded ? { reason: "warm-up" as const } : undefined);
  const flags = flagsOf(invocation);
  const { requestId, startedAt, clientLatencyMs, telemetry, payload, error } = invocation;
  return {
    runId: plan.runId,
    experiment: plan.experiment,
    target: target.kind,
    cell,
    operation: step.operation,
    phase: step.phase,
    block: block.index,
    ...(attempt !== undefined && { attempt }),
    sequence,
    ...(requestId !== undefined && { requestId }),
    startedAt,
    ...(clientLatencyMs !== undefined && { clientLatencyMs }),
    ...(telemetry !== undefined && { telemetry }),
    ...(payload !== undefined && { result: payload }),
    ...(flags.length > 0 && { flags }),
    ...(rejected !== undefined && { rejected }),
    ...(error !== undefined && { error }),
  };
}

function flagsOf(invocation: Invocation): NonNullable<Sample["flags"]> {
  const flags: NonNullable<Sample["flags"]> = [];
  if (invocation.logTruncated === true) flags.push("log-truncated");
  return flags;
}

function bootIdOf(sample: Sample): string | undefined {
  const result = sample.result as Partial<FunctionResult> | undefined;
  const accepted = sample.error === undefined && sample.rejected?.reason !== "result-invalid";
  return accepted ? result?.bootId : undefined;
}

function failedBy(sample: Sample, what: string): VisitFailed {
  const { error, rejected } = sample;
  const cause = error === undefined ? (rejected?.detail ?? rejected?.reason) : error.message;
  return new VisitFailed(
    error?.type ?? rejected?.reason ?? "VisitFailed",
    `${what}: ${cause ?? "no cause given"}`,
  );
}
