import type { RegionPrices } from "./prices.ts";

/** DynamoDB request units of one call. */
export interface RequestUnits {
  readonly read: number;
  readonly write: number;
}

/**
 * Request units of one operation of the `dynamodb` experiment. An item (1,000 characters of data,
 * keys, a number) is a little over 1 KB, so that a write takes two units; a read is
 * eventually consistent, half a unit for each 4 KB, and a query reads its 25 items as one
 * (docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html).
 */
const unitsByOperation: Readonly<Record<string, RequestUnits>> = {
  get: { read: 0.5, write: 0 },
  put: { read: 0, write: 2 },
  query: { read: 3.5, write: 0 },
  batch_write: { read: 0, write: 50 },
  noop: { read: 0, write: 0 },
};

/** What one call asks of DynamoDB; undefined for an operation of which that is not known. */
export function requestUnitsOf(operation: string): RequestUnits | undefined {
  return Object.hasOwn(unitsByOperation, operation) ? unitsByOperation[operation] : undefined;
}

/**
 * What the operations cost at DynamoDB, USD, by how often each was called; undefined when the
 * region's price or an operation's units are not known: a part of a sum is no sum.
 */
export function dataCostUsd(
  callsByOperation: ReadonlyMap<string, number>,
  prices: RegionPrices | undefined,
): number | undefined {
  let costUsd = 0;
  for (const [operation, calls] of callsByOperation) {
    const units = requestUnitsOf(operation);
    if (units === undefined) return undefined;
    if (units.read + units.write === 0) continue;
    if (prices?.dynamodb === undefined) return undefined;
    const { readRequestUnitUsd, writeRequestUnitUsd } = prices.dynamodb;
    costUsd += calls * (units.read * readRequestUnitUsd + units.write * writeRequestUnitUsd);
  }
  return costUsd;
}
