import { setTimeout as delay } from "node:timers/promises";
import type { AccountClients, DeployedStack } from "../../lib/aws/deployed-stack.ts";
import {
  describeExecution,
  executionLookMs,
  isPassing,
  type RunExecution,
  runIdOf,
  stepFunctionsProblem,
} from "../../lib/aws/run-execution.ts";
import { type ExperimentProgress, WatchedRun } from "../../lib/aws/watched-run.ts";
import { describeError } from "../../lib/contract/errors.ts";
import { estimatedUsdText } from "../../lib/cost/estimate.ts";
import { formatDuration, type Progress } from "../progress.ts";

/** A run to follow, with the options for following it. */
export interface FollowOptions {
  readonly clients: AccountClients;
  readonly stack: Pick<DeployedStack, "bucket">;
  /** ARN of the execution. */
  readonly execution: string;
  readonly progress: Progress;
  readonly signal: AbortSignal;
  /** Polling interval, ms, first and longest. @default half a second, growing to 5 s */
  readonly pollMs?: { readonly first: number; readonly most: number };
}

/** A run that has ended. */
export interface EndedExecution {
  readonly execution: RunExecution;
  /** Absent if it ended before it had one. */
  readonly runId?: string;
}

/**
 * Shows the run's progress until it ends. Returns undefined if the signal came first; the run then continues. A lost
 * connection is retried: the run does not need it. Throws permanent errors, such as expired credentials.
 */
export async function followRun(options: FollowOptions): Promise<EndedExecution | undefined> {
  const { progress, signal, pollMs = { first: 500, most: 5_000 } } = options;
  const view = new RunView(options);
  let waitMs = pollMs.first;
  let isConnected = true;
  while (!signal.aborted) {
    try {
      const ended = await view.look();
      if (ended !== undefined) return ended;
      if (!isConnected) progress.say("connected again");
      isConnected = true;
    } catch (error) {
      if (!isPassing(error)) throw stepFunctionsProblem(error);
      if (isConnected) progress.say(lostText(error));
      isConnected = false;
    }
    await delay(waitMs, undefined, { signal }).catch(() => {});
    waitMs = Math.min(pollMs.most, 1.2 * waitMs);
  }
  return undefined;
}

/**
 * Waits for the calls of a stopped run, which have begun and end by themselves: none begins after the drivers' next
 * look at their execution, and none takes longer than its function's timeout. Without the files it does not wait.
 */
export async function untilCallsEnded(
  { execution, runId }: EndedExecution,
  { bucket }: Pick<DeployedStack, "bucket">,
  { clients, progress }: Pick<FollowOptions, "progress"> & { clients: Pick<AccountClients, "s3"> },
): Promise<void> {
  const { status, stoppedAt } = execution;
  if (status !== "ABORTED" || stoppedAt === undefined || runId === undefined) return;
  const experiments = await new WatchedRun(clients.s3, bucket, runId).look();
  const current = experiments.find(({ isReported }) => !isReported);
  if (current === undefined) return;
  const { lanes, timeoutSeconds } = current.plan;
  const limitMs = executionLookMs(lanes) + 1000 * timeoutSeconds;
  const leftMs = Math.min(limitMs, stoppedAt.getTime() + limitMs - Date.now());
  if (leftMs <= 0) return;
  const until = `for ${formatDuration(leftMs)}, until calls that have begun have ended by the functions' timeout of ${timeoutSeconds} s`;
  progress.say(`waiting ${until}; no other call begins`);
  await delay(leftMs);
}

function lostText(error: unknown): string {
  return `the connection was lost (${describeError(error).message}): the run goes on, and so does this command once it is back`;
}

/** The state kept between two polls of a run. */
class RunView {
  readonly #options: FollowOptions;
  #watched: WatchedRun | undefined;
  #runId: string | undefined;

  constructor(options: FollowOptions) {
    this.#options = options;
  }

  /** Shows the run's progress; returns the run once it has ended. */
  async look(): Promise<EndedExecution | undefined> {
    const { clients, execution: arn, stack, progress } = this.#options;
    const execution = await describeExecution(clients.stepFunctions, arn);
    const isEnded = execution.status !== "RUNNING";
    this.#runId ??= await runIdOf(clients.s3, stack.bucket, execution);
    if (isEnded) {
      progress.end();
      return { execution, ...(this.#runId !== undefined && { runId: this.#runId }) };
    }
    if (this.#runId === undefined) return void progress.show("planning");
    if (this.#watched === undefined) progress.say(`run ${this.#runId}`);
    this.#watched ??= new WatchedRun(clients.s3, stack.bucket, this.#runId);
    const experiments = await this.#watched.look();
    progress.show(runText(experiments, execution.startedAt.getTime(), Date.now()));
    return undefined;
  }
}

/** Formats a run's progress in one line: blocks, samples, approximate time left and cost so far. */
export function runText(
  experiments: readonly ExperimentProgress[],
  startedMs: number,
  nowMs: number,
): string {
  const current = experiments.find(({ isReported }) => !isReported) ?? experiments.at(-1);
  if (current === undefined) return "planning";
  const { plan, blocksDone } = current;
  const sum = (figure: (each: ExperimentProgress) => number) =>
    experiments.reduce((total, each) => total + figure(each), 0);
  const isMost = experiments.some(({ plan: { stopping } }) => stopping !== undefined);
  const most = isMost ? "at most " : "";
  const failed = sum(({ failedTrials }) => failedTrials);
  const parts = [
    `${blocksDone} of ${most}${plan.blocks.length} blocks`,
    `${sum(({ samplesDone }) => samplesDone)} of ${most}${sum(({ samplesPlanned }) => samplesPlanned)} samples`,
    ...(failed === 0 ? [] : [`${failed} failed trials`]),
    ...leftText(experiments, startedMs, nowMs, isMost),
    ...spentText(experiments),
  ];
  const name = experiments.length === 1 ? "" : `${plan.experiment}: `;
  return `${name}${parts.join(", ")}`;
}

/**
 * Returns the time left by the plan's estimate, scaled by what the blocks have taken that are done: a block under way
 * says nothing of how long it will take.
 */
function leftText(
  experiments: readonly ExperimentProgress[],
  startedMs: number,
  nowMs: number,
  isMost: boolean,
): readonly string[] {
  const isEstimated = experiments.every(({ plan }) => plan.estimate !== undefined);
  const sizeOf = ({ plan, samplesPlanned }: ExperimentProgress) =>
    isEstimated ? 60_000 * (plan.estimate?.minutes ?? 0) : samplesPlanned;
  const planned = experiments.reduce((sum, each) => sum + sizeOf(each), 0);
  const done = experiments.reduce(
    (sum, each) => sum + (sizeOf(each) * each.blocksDone) / each.plan.blocks.length,
    0,
  );
  if (done === 0 && !isEstimated) return [];
  const doneAtMs = Math.max(...experiments.map((each) => each.doneAtMs ?? 0)) || nowMs;
  const scale = done === 0 ? 1 : (doneAtMs - startedMs) / done;
  const about = isMost ? "at most about" : "about";
  const leftMs = Math.max(1000, startedMs + scale * planned - nowMs);
  return [`${about} ${formatDuration(leftMs)} left`];
}

/** Returns the estimated cost of the samples that are done; empty if the region's prices are not known. */
function spentText(experiments: readonly ExperimentProgress[]): readonly string[] {
  let spentUsd = 0;
  for (const { plan, samplesDone, samplesPlanned } of experiments) {
    if (plan.estimate === undefined) return [];
    spentUsd += (plan.estimate.costUsd * samplesDone) / samplesPlanned;
  }
  if (spentUsd === 0) return ["$0.00 so far"];
  return [`about ${estimatedUsdText(spentUsd)} so far`];
}
