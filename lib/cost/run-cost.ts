import { serviceOf } from "../contract/service-of.ts";
import type { Plan, Sample } from "../contract/types/contract.ts";
import { dataCostUsd } from "./data-cost.ts";
import { invocationCostUsd } from "./invocation-cost.ts";
import { lambdaPrice, type PriceAbsent, type PriceTable } from "./prices.ts";

export interface RunCost {
  readonly kind: "run-cost";
  readonly pricesDate: string;
  readonly pricesRegion: string;
  /** Of the measured functions, by Billed Duration, USD, request fees included. */
  readonly functionsUsd: number;
  /** Samples in functionsUsd. */
  readonly billed: number;
  /** Samples whose bill Lambda did not say: functionsUsd is short of them. */
  readonly withoutBill: number;
  /** Requests to DynamoDB or S3, USD; absent when their price, or an operation's requests, are not known. */
  readonly dataUsd?: number;
}

/** Adds up what a run cost, sample by sample: nothing of a sample is kept. */
export interface RunCostTotal {
  /** Rejected samples too: they were billed like the others. */
  add(sample: Sample): void;
  /** So far; `price-absent` when a sample came for which the table has no price. */
  total(): RunCost | PriceAbsent;
}

/** What the measured invocations of a run in this region cost. Driver and transitions are not in samples. */
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
      const isPriced = serviceOf(plan) !== undefined;
      const dataUsd = isPriced ? dataCostUsd(calls, prices.regions[region], plan.requests) : 0;
      const stamp = { pricesDate: prices.date, pricesRegion: region };
      const total = { kind: "run-cost", ...stamp, functionsUsd, billed, withoutBill } as const;
      return dataUsd === undefined ? total : { ...total, dataUsd };
    },
  };
}
