import type { Plan } from "./types/contract.ts";

/** What one call asks of DynamoDB, in request units, and of S3, in requests of either price. */
export interface DataRequests {
  readonly read?: number;
  readonly write?: number;
  /** Listings, which are priced as what writes. */
  readonly list?: number;
  /** Any other that reads. */
  readonly get?: number;
}

/** The plan's operations as the functions know them. */
export type Requests = Plan["requests"];

/**
 * Of one operation. An item of the `dynamodb` experiment (1,000 characters of data, keys, a number) is
 * a little over 1 KB, so that a write takes two units; a read is eventually consistent, half a unit
 * for each 4 KB, and a query reads its 25 items as one
 * (docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html).
 */
const requestsByOperation: Readonly<Record<string, DataRequests>> = {
  get: { read: 0.5 },
  put: { write: 2 },
  query: { read: 3.5 },
  batch_write: { write: 50 },
  noop: {},
};

/** `fanout` asks for as many access control lists as its event says, or for all of 100. */
const allObjects = 100;

/** What one call asks for; undefined for an operation of which that is not known. */
export function dataRequestsOf(name: string, requests?: Requests): DataRequests | undefined {
  const { operation = name, parameters } = requests?.[name] ?? {};
  if (operation === "fanout") return { list: 1, get: Number(parameters?.count ?? allObjects) };
  return Object.hasOwn(requestsByOperation, operation) ? requestsByOperation[operation] : undefined;
}
