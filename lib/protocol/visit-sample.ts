import { cpuCredit } from "../contract/cpu-credit.ts";
import type { Cell, ForcedCold, FunctionResult, Plan, Sample } from "../contract/types/contract.ts";
import type { Invocation, Step, Target, VisitContext } from "./target.ts";
import { throttledResult, wrongResult } from "./verify-result.ts";
import { rejection } from "./verify-temperature.ts";
import type { VisitProgress } from "./visit-progress.ts";

/**
 * An environment that waited longer for its first event was initialised ahead of the call, which it did
 * not wait for: "you can observe an unexpected time gap between your function's initialization and
 * invocation phases" (https://docs.aws.amazon.com/lambda/latest/dg/lambda-runtime-environment.html).
 */
const earlyInitMs = 1000;

/** A call of a visit: which one, and what is known before it. */
export interface Call {
  readonly step: Step;
  readonly progress: VisitProgress;
  /** Of the cold call. */
  readonly forcedCold?: ForcedCold | undefined;
  /** Of the visit's last call. */
  readonly cpuModel?: string | undefined;
}

/** The sample of a call, verified. */
export function sampleOf(
  target: Target,
  context: VisitContext,
  { step, progress, forcedCold, cpuModel }: Call,
  invocation: Invocation,
): Sample {
  const { plan, block, cell, seenBootIds } = context;
  const attempt = progress.attempt ?? context.attempt;
  const rejected =
    rejection(step.phase, invocation, { ...progress, seenBootIds }, target.resultContract) ??
    wrongResult(invocation.payload, expectedOf(target, plan, cell, step.operation)) ??
    throttledResult(invocation.payload) ??
    (step.discarded ? { reason: "warm-up" as const } : undefined) ??
    (invocation.instructions === undefined ? undefined : { reason: "instrumented" as const });
  const flags = flagsOf(invocation, cell);
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
    startedAt,
    ...(clientLatencyMs !== undefined && { clientLatencyMs }),
    ...(telemetry !== undefined && { telemetry }),
    ...(cpu !== undefined && { cpu }),
    ...(instructions !== undefined && { instructions }),
    ...(forcedCold !== undefined && { forcedCold }),
    ...(cpuModel !== undefined && { cpuModel }),
    ...(payload !== undefined && { result: payload }),
    ...(flags.length > 0 && { flags }),
    ...(rejected !== undefined && { rejected }),
    ...(error !== undefined && { error }),
  };
}

/**
 * What the plan expects, and what the cell is: a pool of another size, another variant or another
 * runtime would be another cell's. An engine's result names neither.
 */
function expectedOf(
  { resultContract = "result" }: Target,
  { requests }: Plan,
  { workers, variant, runtime }: Cell,
  operation: string,
) {
  const language = languageOf(runtime);
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
function languageOf(runtime: string): FunctionResult["runtime"] | undefined {
  if (runtime.startsWith("python")) return "python";
  return runtime.startsWith("provided.") ? "rust" : undefined;
}

function flagsOf(invocation: Invocation, { memoryMb }: Cell): NonNullable<Sample["flags"]> {
  const flags: NonNullable<Sample["flags"]> = [];
  if (invocation.logTruncated === true) flags.push("log-truncated");
  if (invocation.telemetryFromLogs === true) flags.push("telemetry-from-logs");
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
