import type { Plan } from "../contract/types/contract.ts";

/**
 * An execution environment of Lambda serves at most 10 requests a second, and the functions of an
 * account together 10 times as many as they have concurrent executions: so far apart start the calls
 * of one environment on AWS. A lane takes two executions of the account's concurrency, and so keeps
 * within the second limit too.
 * https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html#api-requests
 * https://docs.aws.amazon.com/lambda/latest/dg/lambda-concurrency.html#concurrency-vs-requests-per-second
 */
export const lambdaCallSpacingMs = 100;

/**
 * The control plane of an account and region takes 15 calls a second besides invocations and GetFunction: so far
 * apart begin the updates of the environments that a block's lanes force cold at its start.
 * https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html#api-requests
 */
export const updateSlotMs = Math.ceil(1000 / 15);

/** Returns how long the trial at this place of its block waits before it is forced cold; only the first of a lane waits. */
export function updateSlotDelayMs(place: number, lanes: number): number {
  return place < lanes ? place * updateSlotMs : 0;
}

/**
 * How long an environment is idle on one machine before each call but the first: with the random part, calls start
 * as far apart as on AWS. The function is then no longer in the processor's caches; from some 60 ms on, idling for
 * longer changes nothing.
 */
export const localIdleMs = 80;

/** Added to an idle time, up to as much, at random: a call begins anywhere in a period of the CPU quota. */
export const idleSpreadMs = 20;

/** While an environment is idle, others of its block are called: so many are alive at most. */
export const mostAlive = 10;

/** The most that --idle takes. */
export const longestIdleMs = 1000;

/**
 * What the services carry, a second. DynamoDB: a new on-demand table, and one partition, which all of a
 * key is in and where every function reads the seeded one. S3: one prefix; GetObjectAcl and listings are
 * GET requests as well.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/on-demand-capacity-mode.html
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/burst-adaptive-capacity.html
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/optimizing-performance.html
 */
export const serviceLimits = {
  tableWriteUnits: 4000,
  partitionWriteUnits: 1000,
  partitionReadUnits: 3000,
  prefixGets: 5500,
} as const;

/** How far apart the calls of one environment start on AWS. */
export type CallSpacing = Required<Pick<Plan, "callSpacingMs">> & Pick<Plan, "operationSpacingMs">;

/**
 * Returns the spacing with which so many environments at once stay below what Lambda and the services carry,
 * whichever of the operations they are at. An operation that asks for more than Lambda's own spacing has its own.
 */
export function chooseCallSpacing(
  operations: readonly string[],
  requests: Requests,
  lanes: number,
): CallSpacing {
  const longer = operations
    .map((operation) => [operation, serviceSpacingMs(operation, requests, lanes)] as const)
    .filter(([, spacingMs]) => spacingMs > lambdaCallSpacingMs);
  return {
    callSpacingMs: lambdaCallSpacingMs,
    ...(longer.length > 0 && { operationSpacingMs: Object.fromEntries(longer) }),
  };
}

function serviceSpacingMs(operation: string, requests: Requests, lanes: number): number {
  const { read = 0, write = 0, list = 0, get = 0 } = findDataRequests(operation, requests) ?? {};
  const seconds = Math.max(
    (lanes * write) / serviceLimits.tableWriteUnits,
    write / serviceLimits.partitionWriteUnits,
    (lanes * read) / serviceLimits.partitionReadUnits,
    (lanes * (list + get)) / serviceLimits.prefixGets,
  );
  return Math.ceil(1000 * seconds);
}

interface CallSpacingOrNone {
  readonly callSpacingMs?: number | undefined;
  readonly operationSpacingMs?: Plan["operationSpacingMs"] | undefined;
}

/** From the start of a call, at least, to that of the next one in its environment, which is of this operation. */
export function spacingBefore(
  { callSpacingMs = 0, operationSpacingMs = {} }: CallSpacingOrNone,
  operation: string | undefined,
): number {
  const hasOwn = operation !== undefined && Object.hasOwn(operationSpacingMs, operation);
  return hasOwn ? Number(operationSpacingMs[operation]) : callSpacingMs;
}

/**
 * The operation of which one call writes the most units; undefined where none writes. A block's environments come
 * to it at different times.
 */
export function heaviestWrite(
  operations: readonly string[],
  requests?: Requests,
): string | undefined {
  const written = operations.map((name) => findDataRequests(name, requests)?.write ?? 0);
  const most = Math.max(0, ...written);
  return most === 0 ? undefined : operations[written.indexOf(most)];
}

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
 * for each 4 KB, and a query reads its 25 items as one; the five small items of `batch_write_get` take a unit each either way,
 * for it reads consistently
 * (docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html).
 */
const requestsByOperation: Readonly<Record<string, DataRequests>> = {
  get: { read: 0.5 },
  put: { write: 2 },
  query: { read: 3.5 },
  batch_write: { write: 50 },
  batch_write_get: { read: 5, write: 5 },
  noop: {},
};

/** `fanout` asks for as many access control lists as its event says, or for all of 100. */
const allObjects = 100;

/** What one call asks for; undefined for an operation of which that is not known. */
export function findDataRequests(name: string, requests?: Requests): DataRequests | undefined {
  const { operation = name, parameters } = requests?.[name] ?? {};
  if (operation === "fanout") return { list: 1, get: Number(parameters?.count ?? allObjects) };
  return Object.hasOwn(requestsByOperation, operation) ? requestsByOperation[operation] : undefined;
}

/** Calls of one warm operation in an environment, those at the beginning that count in nothing included. */
interface WarmCalls {
  readonly calls: number;
  readonly discarded: number;
}

/** As many calls are kept of every operation; one may need more warm-up before them than the others. */
export function countWarmCalls(
  { sizes, requests }: Pick<Plan, "sizes" | "requests">,
  operation: string,
): WarmCalls {
  const discarded = requests?.[operation]?.discardedCalls ?? sizes.discardedCalls;
  return { calls: sizes.warmCalls - sizes.discardedCalls + discarded, discarded };
}

/** The warm operations that a variant's trials make, in the plan's order. */
export function listWarmOperations(
  { warmOperations, requests }: Pick<Plan, "warmOperations" | "requests">,
  variant: string,
): readonly string[] {
  return warmOperations.filter(
    (operation) => requests?.[operation]?.variants?.includes(variant) ?? true,
  );
}

/** The service that a plan's functions call; undefined where they call none. */
export function findService({
  withoutTable,
  withBucket,
}: Pick<Plan, "withoutTable" | "withBucket">): "DynamoDB" | "S3" | undefined {
  if (withBucket === true) return "S3";
  return withoutTable === true ? undefined : "DynamoDB";
}
