import { type DataRequests, dataRequestsOf, type Requests } from "../contract/data-requests.ts";
import type { RegionPrices } from "./prices.ts";

/**
 * What the operations cost at DynamoDB and S3, USD, by how often each was called; undefined when the
 * region's price or an operation's requests are not known: a part of a sum is no sum.
 */
export function dataCostUsd(
  callsByOperation: ReadonlyMap<string, number>,
  prices: RegionPrices | undefined,
  requests?: Requests,
): number | undefined {
  let costUsd = 0;
  for (const [operation, calls] of callsByOperation) {
    const asked = dataRequestsOf(operation, requests);
    const callUsd = asked && callCostUsd(asked, prices);
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
