import type { Cell, Plan, RegionPrices, Sample, Telemetry } from "../contract/types/contract.ts";
import {
  type DataRequests,
  findDataRequests,
  findService,
  type Requests,
} from "../plan/trial-calls.ts";
import { type LambdaPrice, lambdaPrice, type PriceAbsent, type PriceTable } from "./prices.ts";

/** The quantities by which an invocation is charged. */
interface BilledInvocation {
  /**
   * Billed Duration, ms, which is all that is billed: since 2025-08-01 it includes Init, and with SnapStart the
   * billed restore; adding either would charge it twice
   * (aws.amazon.com/blogs/compute/aws-lambda-standardizes-billing-for-init-phase/).
   */
  readonly billedDurationMs: number;
  /** Configured memory size. */
  readonly memoryMb: number;
}

const mbInGb = 1024;

/**
 * Returns the cost of one invocation, USD, with the request fee and without the free tier. Throws RangeError on a
 * duration or a memory size that is not a finite number of 0 or more.
 */
export function invocationCostUsd(invocation: BilledInvocation, price: LambdaPrice): number {
  checkAmount("billedDurationMs", invocation.billedDurationMs);
  checkAmount("memoryMb", invocation.memoryMb);
  const gbSeconds = (invocation.memoryMb / mbInGb) * (invocation.billedDurationMs / 1000);
  return gbSeconds * price.gbSecondUsd + price.requestUsd;
}

/** Returns the cost of a call at a region's prices, USD; undefined if the table has none. */
export function callUsd(
  { architecture, memoryMb }: Pick<Cell, "architecture" | "memoryMb">,
  billedDurationMs: number,
  { region, prices }: { readonly region: string; readonly prices: PriceTable },
): number | undefined {
  const price = lambdaPrice(prices, region, architecture);
  if (price.kind !== "lambda-price") return undefined;
  return invocationCostUsd({ billedDurationMs, memoryMb }, price);
}

function checkAmount(field: string, value: number): void {
  if (Number.isFinite(value) && value >= 0) return;
  throw new RangeError(`${field}: found ${value}; allowed: a finite number of 0 and more`);
}

/**
 * Returns the cost of the operations at DynamoDB and S3, USD, from the number of calls of each. Undefined if the
 * region's price or an operation's requests are not known: a partial sum would mislead.
 */
export function dataCostUsd(
  callsByOperation: ReadonlyMap<string, number>,
  prices: RegionPrices | undefined,
  requests?: Requests,
): number | undefined {
  let costUsd = 0;
  for (const [operation, calls] of callsByOperation) {
    const requested = findDataRequests(operation, requests);
    const callUsd = requested && callCostUsd(requested, prices);
    if (callUsd === undefined) return undefined;
    costUsd += calls * callUsd;
  }
  return costUsd;
}

function callCostUsd(
  { read = 0, write = 0, list = 0, get = 0 }: DataRequests,
  prices: RegionPrices | undefined,
): number | undefined {
  const { dynamodb, s3 } = prices ?? {};
  if (read + write > 0 && dynamodb === undefined) return undefined;
  if (list + get > 0 && s3 === undefined) return undefined;
  const units =
    (dynamodb?.readRequestUnitUsd ?? 0) * read + (dynamodb?.writeRequestUnitUsd ?? 0) * write;
  return units + (s3?.putRequestUsd ?? 0) * list + (s3?.getRequestUsd ?? 0) * get;
}

export interface RunCost {
  readonly kind: "run-cost";
  readonly pricesDate: string;
  readonly pricesRegion: string;
  /** Cost of the measured functions by Billed Duration, USD, including request fees. */
  readonly functionsUsd: number;
  /** Number of samples in functionsUsd. */
  readonly billed: number;
  /** Number of samples without a Billed Duration, which are not in functionsUsd. */
  readonly withoutBill: number;
  /** Requests to DynamoDB or S3, USD; absent if their price, or an operation's requests, are not known. */
  readonly dataUsd?: number;
}

/** The fields of a sample that determine its cost. */
export type BilledSample = Pick<Sample, "cell" | "operation" | "telemetry">;

/** Adds up a run's cost sample by sample, without keeping the samples. */
export interface RunCostTotal {
  /** Adds a sample, even a rejected one: it was billed like any other. */
  add(sample: BilledSample): void;
  /** Returns the cost so far; `price-absent` if the table has no price for one of the samples. */
  total(): RunCost | PriceAbsent;
}

/** Adds up the cost of a run's measured invocations in a region. Samples do not cover drivers and transitions. */
export function runCostTotal(
  prices: PriceTable,
  region: string,
  plan: Pick<Plan, "requests" | "withoutTable" | "withBucket"> = {},
): RunCostTotal {
  const calls = new Map<string, number>();
  const missing = new Set<string>();
  let functionsUsd = 0;
  let billed = 0;
  let withoutBill = 0;
  return {
    add({ cell, operation, telemetry }) {
      calls.set(operation, (calls.get(operation) ?? 0) + 1);
      const price = lambdaPrice(prices, region, cell.architecture);
      const billedDurationMs = telemetry?.billedDurationMs;
      if (price.kind === "price-absent") for (const field of price.missing) missing.add(field);
      else if (billedDurationMs === undefined) withoutBill++;
      else {
        functionsUsd += invocationCostUsd({ billedDurationMs, memoryMb: cell.memoryMb }, price);
        billed++;
      }
    },
    total() {
      if (missing.size > 0) return { kind: "price-absent", region, missing: [...missing] };
      const isPriced = findService(plan) !== undefined;
      const dataUsd = isPriced ? dataCostUsd(calls, prices.regions[region], plan.requests) : 0;
      const stamp = { pricesDate: prices.date, pricesRegion: region };
      const total = { kind: "run-cost", ...stamp, functionsUsd, billed, withoutBill } as const;
      return dataUsd === undefined ? total : { ...total, dataUsd };
    },
  };
}

const million = 1_000_000;

/** One cell's means, not medians: a bill is a sum, in which rare long calls count. */
interface BilledMeans {
  /** Mean of cold invocations, including Init, ms. */
  readonly coldBilledMs: number;
  /** Mean of warm invocations, ms. */
  readonly warmBilledMs: number;
  readonly memoryMb: number;
}

/**
 * Returns the cost of a million invocations, USD, including request fees, if the share `coldShare` (0 to 1) of them
 * is cold and each bills its phase's mean. Throws RangeError on another share.
 */
export function costPerMillionUsd(
  { coldBilledMs, warmBilledMs, memoryMb }: BilledMeans,
  coldShare: number,
  price: LambdaPrice,
): number {
  checkAmount("billedDurationMs", coldBilledMs);
  checkAmount("billedDurationMs", warmBilledMs);
  return costPerMillionAt(memoryMb, coldShare, price)(coldBilledMs, warmBilledMs);
}

/** Returns costPerMillionUsd as a function of the billed means, ms, for ten thousand evaluations at a size and share. */
export function costPerMillionAt(
  memoryMb: number,
  coldShare: number,
  { gbSecondUsd, requestUsd }: LambdaPrice,
): (coldBilledMs: number, warmBilledMs: number) => number {
  if (!(coldShare >= 0 && coldShare <= 1)) {
    throw new RangeError(`coldShare: found ${coldShare}; allowed: 0 to 1`);
  }
  checkAmount("memoryMb", memoryMb);
  const gb = memoryMb / mbInGb;
  const usd = (billedMs: number) => gb * (billedMs / 1000) * gbSecondUsd + requestUsd;
  return (coldBilledMs, warmBilledMs) =>
    million * (coldShare * usd(coldBilledMs) + (1 - coldShare) * usd(warmBilledMs));
}

/**
 * Returns the cost as the published multicore study computes it, USD per million: a GB of 1,000 MB, the duration as
 * measured, no request fee. It is used only for a column next to the study's own figures; AWS charges per 1,024 MB
 * and per request.
 */
export function studyCostPerMillionUsd(
  { durationMs, memoryMb }: { readonly durationMs: number; readonly memoryMb: number },
  price: Pick<LambdaPrice, "gbSecondUsd">,
): number {
  return million * (memoryMb / 1000) * (durationMs / 1000) * price.gbSecondUsd;
}

type BilledCheck =
  | { readonly kind: "ok" }
  | {
      readonly kind: "mismatch";
      readonly billedDurationMs: number;
      /** Expected Billed Duration, ceil(init + duration), ms. */
      readonly expectedMs: number;
    }
  | {
      readonly kind: "unknown";
      readonly reason: "no-billed-duration" | "restored" | "not-successful";
    };

/** Durations are printed with two decimals, rounded or truncated: each is off by at most one step. */
const printedStepMs = 0.01;
/** Rounding error of adding two printed figures in binary, far below one step. */
const binaryMs = 1e-6;

/**
 * Checks that Billed Duration is the ceiling of Init plus Duration, as Lambda bills every invocation since 2025-08-01
 * (aws.amazon.com/blogs/compute/aws-lambda-standardizes-billing-for-init-phase/). A mismatch is a data-quality
 * remark: costs still use Lambda's figure. Unknown without a Billed Duration, after a SnapStart restore, and if the
 * invocation failed (Init may then have run twice).
 */
export function checkBilled(telemetry: Telemetry): BilledCheck {
  const { billedDurationMs, durationMs, initDurationMs = 0 } = telemetry;
  if (billedDurationMs === undefined) return { kind: "unknown", reason: "no-billed-duration" };
  if (telemetry.status !== undefined || telemetry.errorType !== undefined) {
    return { kind: "unknown", reason: "not-successful" };
  }
  if (telemetry.restoreDurationMs !== undefined) return { kind: "unknown", reason: "restored" };
  const sumMs = initDurationMs + durationMs;
  const figures = telemetry.initDurationMs === undefined ? 1 : 2;
  const toleranceMs = figures * printedStepMs + binaryMs;
  const lowestMs = Math.ceil(sumMs - toleranceMs);
  const highestMs = Math.ceil(sumMs + toleranceMs);
  if (billedDurationMs >= lowestMs && billedDurationMs <= highestMs) return { kind: "ok" };
  return { kind: "mismatch", billedDurationMs, expectedMs: Math.ceil(sumMs) };
}
