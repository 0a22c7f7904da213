import type { LambdaTarget } from "../../lib/aws/lambda-target.ts";
import { usualLogWait } from "../../lib/aws/log-telemetry.ts";
import { RunReplaced } from "../../lib/aws/run-lock.ts";
import { S3Recorder } from "../../lib/aws/s3-result-store.ts";
import type { Plan } from "../../lib/contract/types/contract.ts";
import { updateSlotDelayMs } from "../../lib/plan/trial-calls.ts";
import { costCapReached, type MeasuredTrial, type MeasureRequest } from "../../lib/run/messages.ts";
import { findTrial } from "../../lib/sampler/run-plan.ts";
import { measureTrial, type Recorder } from "../../lib/sampler/sample-trial.ts";
import { attemptsPerTrial, type TrialProgress } from "../../lib/sampler/trial-sample.ts";
import { CallLimits } from "./call-limits.ts";
import { functionTarget, invokeLimitMs } from "./function-target.ts";
import { awsPorts, type DriverPorts, resultStore } from "./ports.ts";
import { storedPlan } from "./stored-plan.ts";
import { TrialHandedOver } from "./trial-handed-over.ts";

/** Time reserved for the last write before the driver's timeout. */
const lastWriteMs = 15_000;

interface LambdaContext {
  getRemainingTimeInMillis(): number;
}

/** Measures one trial of one cell with the sampler of lib/sampler, and writes its samples to S3 during the trial. */
export const handler = (request: MeasureRequest, context: LambdaContext) =>
  measure(request, awsPorts(), context.getRemainingTimeInMillis());

/** Throws TrialHandedOver if the driver's time ends before the trial does. */
export async function measure(
  request: MeasureRequest,
  ports: DriverPorts,
  remainingMs: number,
): Promise<MeasuredTrial> {
  const { cellId, block, folder, redrives = 0 } = request;
  const from = readProgress(request);
  const { clockMs } = ports;
  const startMs = clockMs();
  const store = resultStore(ports, folder);
  const plan = await storedPlan(store);
  const recorder = new S3Recorder(store);
  // No call may begin that could outlive the driver, or leave no time for the logs and the last write.
  const afterCallsMs = (ports.logWait ?? usualLogWait).limitMs + lastWriteMs;
  const endMs = startMs + remainingMs - invokeLimitMs(plan) - afterCallsMs;
  const own = { plan, handler: "measure", endMs, spentUsd: request.progress?.spentUsd } as const;
  const limits = new CallLimits(ports, { ...request, ...own });
  const again = redrives > 0 && { attempt: redrives * attemptsPerTrial };
  const context = {
    plan,
    ...findTrial(plan, cellId, block),
    ...again,
    seenBootIds: new Set<string>(),
  };
  const options = { mayGoOn: () => limits.mayGoOn(), ...(from !== undefined && { from }) };
  const target = lambdaTarget(request, plan, ports, limits);
  const counted = costed(recorder, limits);
  const end = await measureTrial(target, context, counted, options).finally(() => recorder.flush());
  if (end.state === "stopped") await stop(request, end.progress, limits, recorder);
  return { cellId, costUsd: limits.usd };
}

/** A report that came after its call has what the call is billed for. */
function costed(recorder: Recorder, limits: CallLimits): Recorder {
  return {
    sample: async (sample) => {
      if (sample.requestId !== undefined) limits.count(sample.cell, sample);
      await recorder.sample(sample);
    },
    failure: async (failure) => await recorder.failure(failure),
  };
}

/** Returns the trial's progress since the last redrive; earlier progress is ignored. */
function readProgress({ progress, redrives = 0 }: MeasureRequest): TrialProgress | undefined {
  if (progress === undefined || (progress.redrives ?? 0) !== redrives) return undefined;
  const { redrives: _, spentUsd: __, ...from } = progress;
  return from;
}

/**
 * Hands the rest of the trial to another driver, or ends it if another one could not continue either. A trial of a
 * stopped run is no failure: a redrive makes it again.
 */
async function stop(
  request: MeasureRequest,
  progress: TrialProgress,
  { replacedBy, isStopped, isSpent, usd }: CallLimits,
  recorder: Recorder,
): Promise<void> {
  const { cellId, block, redrives = 0 } = request;
  if (replacedBy !== undefined) {
    const { name: type, message } = new RunReplaced(replacedBy);
    return await recorder.failure({ cellId, block, type, message });
  }
  if (isStopped) return;
  if (isSpent) {
    const message = `the trial's share of maxCostUsd was spent before sequence ${progress.sequence}`;
    return await recorder.failure({ cellId, block, type: costCapReached, message });
  }
  const from = readProgress(request);
  const hasCalled = progress.sequence > (from?.sequence ?? 0) || progress.attempt !== from?.attempt;
  if (hasCalled) throw new TrialHandedOver(progress, redrives, usd);
  const message = `the driver's time ended before it made a call, from sequence ${progress.sequence}`;
  await recorder.failure({ cellId, block, type: "TrialCutShort", message });
}

function lambdaTarget(
  request: MeasureRequest,
  plan: Plan,
  ports: DriverPorts,
  limits: CallLimits,
): LambdaTarget {
  const { block, functionName } = request;
  return functionTarget(plan, functionName, ports, {
    measuring: ports.measuring,
    nonce: () => `${plan.runId}.${block}.${ports.randomBytes(6).toString("hex")}`,
    updateDelayMs: updateDelayMs(plan, request),
    onCall: (cell, call) => limits.count(cell, call),
  });
}

/** Staggers the updates of a block's drivers, which start together. A driver that continues a trial makes none. */
function updateDelayMs(plan: Plan, { cellId, block }: MeasureRequest): number {
  const trials = plan.blocks.find(({ index }) => index === block)?.trials ?? [];
  const place = trials.findIndex((trial) => trial.cellId === cellId);
  return updateSlotDelayMs(Math.max(0, place), plan.lanes);
}
