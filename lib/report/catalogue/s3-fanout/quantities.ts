import type { Sample } from "../../../contract/types/contract.ts";
import { isMeasured, type Measured, measured, type OwnQuantity } from "../../collect/quantities.ts";
import { fieldOf } from "../../collect/result-fields.ts";

/** The operation as the libraries do it unless told otherwise. */
export const asItComes = "fanout";
/** With fifty calls at a time and a connection for each. */
export const wide = "fanout-50";
/** With fifty calls at a time behind boto3's own ten connections. */
export const wideWithSmallPool = "fanout-50-pool-10";

export const concurrency: OwnQuantity = "own.concurrency";
export const poolSize: OwnQuantity = "own.poolSize";
/** Calls under way at the same time, on average: their times, summed, over the whole. */
export const callsUnderWay: OwnQuantity = "own.callsUnderWay";

export const s3FanoutQuantities: readonly OwnQuantity[] = [concurrency, poolSize, callsUnderWay];

export function s3FanoutQuantitiesOf({ result }: Sample): Measured {
  const summedMs = fieldOf(result, "sdkCallMs");
  const wholeMs = fieldOf(result, "durationMs");
  const isKnown = isMeasured(summedMs) && isMeasured(wholeMs) && wholeMs > 0;
  return measured({
    [concurrency]: fieldOf(result, "concurrency"),
    [poolSize]: fieldOf(result, "poolSize"),
    [callsUnderWay]: isKnown ? summedMs / wholeMs : undefined,
  });
}
