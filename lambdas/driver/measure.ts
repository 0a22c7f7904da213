import type { LambdaTarget } from "../../lib/aws/lambda-target.ts";
import { usualLogWait } from "../../lib/aws/log-telemetry.ts";
import { nameOfRun, type RunLock, RunReplaced } from "../../lib/aws/run-lock.ts";
import { S3Recorder } from "../../lib/aws/s3-result-store.ts";
import type { Plan } from "../../lib/contract/types/contract.ts";
import { lookEveryMs } from "../../lib/cost/own-costs.ts";
import { updateSlotDelayMs } from "../../lib/plan/trial-calls.ts";
import type { MeasureRequest } from "../../lib/run/messages.ts";
import { findTrial } from "../../lib/sampler/run-plan.ts";
import { measureTrial } from "../../lib/sampler/sample-trial.ts";
import { attemptsPerTrial, type TrialProgress } from "../../lib/sampler/trial-sample.ts";
import { ExecutionWatch } from "./execution-watch.ts";
import { functionTarget, invokeLimitMs } from "./function-target.ts";
import { awsPorts, type DriverPorts, resultStore, runLock } from "./ports.ts";
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
): Promise<{ readonly cellId: string }> {
  const { cellId, block, folder, execution, redrives = 0 } = request;
  const from = readProgress(request);
  const { clockMs } = ports;
  const startMs = clockMs();
  const store = resultStore(ports, folder);
  const plan = await storedPlan(store);
  const recorder = new S3Recorder(store);
  // No call may begin that could outlive the driver, or leave no time for the logs and the last write.
  const afterCallsMs = (ports.logWait ?? usualLogWait).limitMs + lastWriteMs;
  const endMs = startMs + remainingMs - invokeLimitMs(plan) - afterCallsMs;
  const watch = new ExecutionWatch(ports, execution, plan.lanes);
  const limits = new TrialLimits({ lock: runLock(ports), execution, watch, endMs, clockMs });
  const again = redrives > 0 && { attempt: redrives * attemptsPerTrial };
  const context = {
    plan,
    ...findTrial(plan, cellId, block),
    ...again,
    seenBootIds: new Set<string>(),
  };
  const options = { mayGoOn: () => limits.mayGoOn(), ...(from !== undefined && { from }) };
  const target = lambdaTarget(request, plan, ports);
  const end = await measureTrial(target, context, recorder, options).finally(() =>
    recorder.flush(),
  );
  if (end.state === "stopped") await stop(request, end.progress, limits, recorder);
  return { cellId };
}

/** Returns the trial's progress since the last redrive; earlier progress is ignored. */
function readProgress({ progress, redrives = 0 }: MeasureRequest): TrialProgress | undefined {
  if (progress === undefined || (progress.redrives ?? 0) !== redrives) return undefined;
  const { redrives: _, ...from } = progress;
  return from;
}

/**
 * Hands the rest of the trial to another driver, or ends it if another one could not continue either. A trial of a
 * stopped run is no failure: a redrive makes it again.
 */
async function stop(
  request: MeasureRequest,
  progress: TrialProgress,
  { replacedBy, isStopped }: TrialLimits,
  recorder: S3Recorder,
): Promise<void> {
  const { cellId, block, redrives = 0 } = request;
  if (replacedBy !== undefined) {
    const { name: type, message } = new RunReplaced(replacedBy);
    return await recorder.failure({ cellId, block, type, message });
  }
  if (isStopped) return;
  const from = readProgress(request);
  const hasCalled = progress.sequence > (from?.sequence ?? 0) || progress.attempt !== from?.attempt;
  if (hasCalled) throw new TrialHandedOver(progress, redrives);
  const message = `the driver's time ended before it made a call, from sequence ${progress.sequence}`;
  await recorder.failure({ cellId, block, type: "TrialCutShort", message });
}

function lambdaTarget(request: MeasureRequest, plan: Plan, ports: DriverPorts): LambdaTarget {
  const { block, functionName } = request;
  return functionTarget(plan, functionName, ports, {
    measuring: ports.measuring,
    nonce: () => `${plan.runId}.${block}.${ports.randomBytes(6).toString("hex")}`,
    updateDelayMs: updateDelayMs(plan, request),
  });
}

/** Staggers the updates of a block's drivers, which start together. A driver that continues a trial makes none. */
function updateDelayMs(plan: Plan, { cellId, block }: MeasureRequest): number {
  const trials = plan.blocks.find(({ index }) => index === block)?.trials ?? [];
  const place = trials.findIndex((trial) => trial.cellId === cellId);
  return updateSlotDelayMs(Math.max(0, place), plan.lanes);
}

interface TrialLimitsOptions {
  readonly lock: RunLock;
  /** ARN of the driver's own execution. */
  readonly execution: string;
  readonly watch: ExecutionWatch;
  /** Time after which no call may begin. */
  readonly endMs: number;
  /** Monotonic. */
  readonly clockMs: () => number;
}

/** Ends a driver's work before its trial is complete: at its own timeout, or if its run is stopped or replaced. */
class TrialLimits {
  readonly #options: TrialLimitsOptions;
  #lookedMs = Number.NEGATIVE_INFINITY;
  #replacedBy: string | undefined;

  constructor(options: TrialLimitsOptions) {
    this.#options = options;
  }

  /** The other run that uses the stack, if any. */
  get replacedBy(): string | undefined {
    return this.#replacedBy;
  }

  /** Whether the run was stopped. */
  get isStopped(): boolean {
    return this.#options.watch.hasEnded;
  }

  /** Returns whether another call may begin. */
  async mayGoOn(): Promise<boolean> {
    const { clockMs, endMs, watch } = this.#options;
    if (clockMs() >= endMs || this.#replacedBy !== undefined) return false;
    if (clockMs() - this.#lookedMs >= lookEveryMs) {
      this.#lookedMs = clockMs();
      this.#replacedBy = await this.#otherHolder();
    }
    return this.#replacedBy === undefined && (await watch.isRunning());
  }

  async #otherHolder(): Promise<string | undefined> {
    const current = await this.#options.lock.read();
    if (current === undefined) return "none: its lock was deleted";
    const isOurs = current.holder.execution === this.#options.execution;
    return isOurs ? undefined : nameOfRun(current.holder);
  }
}
