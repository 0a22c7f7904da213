import type { Plan, RegionPrices } from "../contract/types/contract.ts";
import { listLooks, partCount } from "../plan/blocks.ts";
import { driverMemoryMb } from "../plan/driver-size.ts";
import { invocationCostUsd } from "./invocation-cost.ts";
import type { LambdaPrice } from "./prices.ts";
import { trialMs, triesMs } from "./run-minutes.ts";
import {
  callCount,
  type Forecast,
  oncePerForecast,
  type RunModel,
  type TrialForecast,
} from "./run-model.ts";

/** Upper bound of what the state Report, or a look of the state Precision, reads and uses. */
interface ReportForecast {
  /** Objects in S3 that hold samples. */
  readonly objects: number;
  readonly samples: number;
  readonly seconds: number;
  readonly memoryMb: number;
}

/**
 * Costs on one vCPU, rounded up from test/e2e/large-run.test.ts: an object takes 30 ms, 32 of them at the same time,
 * plus the SDK's work; each sample is parsed; each trial adds an environment to the bootstrap.
 */
const model = {
  msPerObject: 3,
  msPerSample: 0.1,
  msPerTrial: 2,
  baseMs: 20_000,
  kbPerObject: 2,
  kbPerSample: 0.4,
  kbPerTrial: 2,
  baseMb: 400,
};

/** Longest time between the end of a call and the start of the next one: the round trip, or a pause. */
const msBetweenCalls = 100;

export function reportForecast(trials: readonly TrialForecast[]): ReportForecast {
  const storedOf = oncePerForecast((trial) => {
    const calls = callCount(trial);
    const billedMs = trial.calls.reduce((sum, each) => sum + each.count * each.billedDurationMs, 0);
    return { calls, parts: partCount(calls, billedMs + calls * msBetweenCalls) };
  });
  let objects = 0;
  let samples = 0;
  for (const trial of trials) {
    const { calls, parts } = storedOf(trial);
    samples += calls;
    objects += parts;
  }
  const { msPerObject, msPerSample, msPerTrial, kbPerObject, kbPerSample, kbPerTrial } = model;
  const ms = objects * msPerObject + samples * msPerSample + trials.length * msPerTrial;
  const kb = objects * kbPerObject + samples * kbPerSample + trials.length * kbPerTrial;
  const seconds = (model.baseMs + ms) / 1000;
  return { objects, samples, seconds, memoryMb: model.baseMb + kb / 1024 };
}

/** Calls of one of the functions behind states that do not measure. */
interface ControlCalls {
  readonly handler: keyof typeof driverMemoryMb;
  readonly count: number;
  /** Billed duration of each call, including Init. */
  readonly billedDurationMs: number;
}

/** Rounded up: these functions mostly wait for AWS. */
const shortMs = 10_000;
/** Restore reads each function, and restores the environment variables of those that were measured. */
const msPerFunction = 1_000;

/** Returns the calls of a run's states other than the drivers of its trials, each with its longest duration. */
export function controlCalls(
  forecasts: readonly Forecast[],
  runModel: RunModel,
): readonly ControlCalls[] {
  const perRun: readonly ControlCalls[] = [
    { handler: "plan", count: 1, billedDurationMs: shortMs },
    { handler: "overview", count: 1, billedDurationMs: shortMs },
  ];
  const functions = forecasts.reduce((sum, { plan }) => sum + plan.cells.length, 0);
  const perExperiment = forecasts.flatMap((forecast): readonly ControlCalls[] => {
    const { plan, blocks } = forecast;
    const tryMs = shortMs + triesMs(forecast, runModel);
    const reportMs = reportForecast(blocks.flat()).seconds * 1000;
    const looks = lookCount(plan, blocks.length);
    return [
      { handler: "seed", count: 1, billedDurationMs: shortMs },
      { handler: "try-functions", count: 1, billedDurationMs: tryMs },
      { handler: "first-block", count: 1, billedDurationMs: shortMs },
      { handler: "restore", count: 1, billedDurationMs: shortMs + functions * msPerFunction },
      { handler: "report", count: 1, billedDurationMs: reportMs },
      { handler: "precision", count: looks, billedDurationMs: reportMs },
    ];
  });
  return [...perRun, ...perExperiment];
}

export function controlUsd(calls: readonly ControlCalls[], price: LambdaPrice): number {
  return calls.reduce((sum, { handler, count, billedDurationMs }) => {
    const memoryMb = driverMemoryMb[handler];
    return sum + count * invocationCostUsd({ billedDurationMs, memoryMb }, price);
  }, 0);
}

/** A run's requests to S3 for its own results, and to the service of its seed. */
interface OwnRequests {
  /** PUT and LIST requests, which have one price. */
  readonly put: number;
  readonly get: number;
  /** DynamoDB write units of a seed. */
  readonly write: number;
}

/** Time between two reads of the lock by a driver. For this long, plus one call, a replaced run can disturb the new one. */
export const lookEveryMs = 5_000;
/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html */
const keysPerList = 1000;
/** These files are plan.json, manifest.json, summary.json, the report in three forms, series.csv, SHA256SUMS. */
const filesPerExperiment = 8;
/** These requests are the page of all experiments in three forms and its SHA256SUMS; the lock, written and read. */
const filesPerRun = 6;
/** A seed has 25 items of two units each (lib/experiments/dynamodb/definition.ts), or 100 objects. */
const seedRequests = { write: 50, put: 100 };

/** Returns the most requests that a run of these experiments makes, without failed trials, which add a file each. */
export function ownRequests(forecasts: readonly Forecast[], model: RunModel): OwnRequests {
  const all = forecasts.map((forecast) => countRequests(forecast, model));
  const sum = (of: keyof OwnRequests) => all.reduce((total, each) => total + each[of], 0);
  return { put: filesPerRun + sum("put"), get: filesPerRun + sum("get"), write: sum("write") };
}

function countRequests({ plan, blocks }: Forecast, model: RunModel): OwnRequests {
  const trials = blocks.flat();
  const { objects } = reportForecast(trials);
  const reads = 1 + lookCount(plan, blocks.length);
  const ofFirstBlock = reportForecast(blocks[0] ?? []).objects;
  // A trial's first part is written twice, and a user function's parts again when their environment is known. Samples
  // and failures are listed after the first block, for the report and for the checksums.
  const put =
    trials.length +
    (plan.ownResults ? 2 * objects : objects) +
    filesPerExperiment +
    (3 + reads) * (2 + Math.ceil(objects / keysPerList));
  const looksOf = oncePerForecast((trial) => 2 + Math.floor(trialMs(trial, model) / lookEveryMs));
  const looks = trials.reduce((sum, trial) => sum + looksOf(trial), 0);
  // Each driver reads the plan and the lock; the report and each look of the stopping rule read every object.
  const read = reads * (objects + 2) + ofFirstBlock;
  const get = trials.length + looks + read + filesPerExperiment;
  const { withBucket, withoutTable } = plan;
  return {
    put: put + (withBucket === true ? seedRequests.put : 0),
    get,
    write: withoutTable === true ? 0 : seedRequests.write,
  };
}

/** Returns the number of looks of a stopping rule if all these blocks are measured. */
export function lookCount({ stopping, sizes }: Plan, blocks: number): number {
  return stopping === undefined ? 0 : listLooks(sizes.environments, blocks).length;
}

/** Returns the cost of a run's own requests, USD; undefined if the price of S3, or for a seed of DynamoDB, is unknown. */
export function ownRequestsUsd(
  { put, get, write }: OwnRequests,
  prices: RegionPrices | undefined,
): number | undefined {
  const { s3, dynamodb } = prices ?? {};
  if (s3 === undefined || (write > 0 && dynamodb === undefined)) return undefined;
  const seedUsd = write * (dynamodb?.writeRequestUnitUsd ?? 0);
  return put * s3.putRequestUsd + get * s3.getRequestUsd + seedUsd;
}

/**
 * Log bytes that Lambda itself writes per invocation, rounded up: START, END and REPORT, each with the 26 bytes that
 * are charged per event. The functions log nothing.
 * https://docs.aws.amazon.com/lambda/latest/dg/monitoring-cloudwatchlogs-view.html
 * https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_PutLogEvents.html
 */
const bytesPerInvocation = 450;
/** Log bytes of INIT_START, with the runtime's version ARN. */
const bytesPerColdStart = 250;
/** A decimal GB, the smaller unit, rounds the cost up. */
const bytesInGb = 1e9;

interface Logged {
  readonly invocations: number;
  /** Number of invocations in a new environment. */
  readonly coldStarts: number;
}

/** Returns the charge of CloudWatch Logs for ingestion, USD; undefined if its price is not known. */
export function logUsd(
  { invocations, coldStarts }: Logged,
  prices: RegionPrices | undefined,
): number | undefined {
  const usd = prices?.logs?.ingestedGbUsd;
  const bytes = invocations * bytesPerInvocation + coldStarts * bytesPerColdStart;
  return usd === undefined ? undefined : (bytes / bytesInGb) * usd;
}
