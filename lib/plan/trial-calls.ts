import type { Plan, Sample, Trial } from "../contract/types/contract.ts";

/**
 * Time between the starts of one environment's calls on AWS: an execution environment of Lambda serves at most 10
 * requests a second, and an account's functions together 10 times its concurrent executions. A lane uses two of those
 * executions, so that it stays within the second limit too.
 * https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html#api-requests
 * https://docs.aws.amazon.com/lambda/latest/dg/lambda-concurrency.html#concurrency-vs-requests-per-second
 */
export const lambdaCallSpacingMs = 100;

/**
 * Time between the starts of the updates that force a block's first environments cold, one per lane: the control
 * plane of an account and region accepts 15 calls a second, not counting invocations and GetFunction.
 * https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html#api-requests
 */
export const updateSlotMs = Math.ceil(1000 / 15);

/** Returns how long a trial waits before it is forced cold; only the first trials of a block, one per lane, wait. */
export function updateSlotDelayMs(place: number, lanes: number): number {
  return place < lanes ? place * updateSlotMs : 0;
}

/**
 * Idle time of an environment before each call but the first, in local runs: with the random part, calls start as far
 * apart as on AWS. By then the function has left the CPU's caches; above about 60 ms, longer makes no difference.
 */
export const localIdleMs = 80;

/** Largest random addition to an idle time, so that a call starts anywhere in a period of the CPU quota. */
export const idleSpreadMs = 20;

/** Most environments alive at once: while one is idle, others of its block are called. */
export const mostAlive = 10;

/** The largest value of --idle. */
export const longestIdleMs = 1000;

/**
 * Capacity of the services per second. DynamoDB: a new on-demand table, and one partition, which holds all items of a
 * key; every function reads the seeded one. S3: one prefix; GetObjectAcl and listings count as GET requests.
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

/** Time between the starts of one environment's calls on AWS. */
export type CallSpacing = Required<Pick<Plan, "callSpacingMs">> & Pick<Plan, "operationSpacingMs">;

/**
 * Returns the spacing that keeps so many concurrent environments within the limits of Lambda and the services,
 * whichever operations they call. An operation that needs more than lambdaCallSpacingMs has its own.
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

/** Returns the minimum time from the start of a call to that of the next one, of this operation, in its environment. */
export function spacingBefore(
  { callSpacingMs = 0, operationSpacingMs = {} }: CallSpacingOrNone,
  operation: string | undefined,
): number {
  const hasOwn = operation !== undefined && Object.hasOwn(operationSpacingMs, operation);
  return hasOwn ? Number(operationSpacingMs[operation]) : callSpacingMs;
}

/** Returns the operation that writes the most units, if any; a block's environments call it at different times. */
export function heaviestWrite(
  operations: readonly string[],
  requests?: Requests,
): string | undefined {
  const written = operations.map((name) => findDataRequests(name, requests)?.write ?? 0);
  const most = Math.max(0, ...written);
  return most === 0 ? undefined : operations[written.indexOf(most)];
}

/** Usage of one call: request units of DynamoDB, and requests of S3 by price. */
export interface DataRequests {
  readonly read?: number;
  readonly write?: number;
  /** Listings, which cost the same as writes. */
  readonly list?: number;
  /** All other reads. */
  readonly get?: number;
}

/** The plan's operations, as functions receive them. */
export type Requests = Plan["requests"];

/**
 * Requests of one call by operation. An item of the `dynamodb` experiment (1,000 characters of data, keys, a number)
 * is a little over 1 KB, so that a write takes two units; a read is eventually consistent, half a unit per 4 KB, and
 * a query reads its 25 items as one. The five small items of `batch_write_get` take one unit each for the write and
 * for the read, which is strongly consistent
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

/** Default number of access control lists that `fanout` reads, if its event has no count. */
const allObjects = 100;

/** Returns the requests of one call; undefined for an operation whose requests are not known. */
export function findDataRequests(name: string, requests?: Requests): DataRequests | undefined {
  const { operation = name, parameters } = requests?.[name] ?? {};
  if (operation === "fanout") return { list: 1, get: Number(parameters?.count ?? allObjects) };
  return Object.hasOwn(requestsByOperation, operation) ? requestsByOperation[operation] : undefined;
}

/** Calls of one warm operation in an environment, including the first ones, which are discarded. */
interface WarmCalls {
  readonly calls: number;
  readonly discarded: number;
}

/** Consecutive calls of one phase and operation in a trial. */
interface TrialCalls extends WarmCalls {
  readonly phase: Sample["phase"];
  readonly operation: string;
}

/** Lists the calls of a trial, in order: one cold, one second, then those of each warm operation. */
export function listTrialCalls(
  plan: Pick<Plan, "coldOperation" | "sizes" | "requests">,
  { warmOrder }: Pick<Trial, "warmOrder">,
): readonly TrialCalls[] {
  const once = { operation: plan.coldOperation, calls: 1, discarded: 0 };
  return [
    { phase: "cold", ...once },
    { phase: "second", ...once },
    ...warmOrder.map((operation) => ({
      phase: "warm" as const,
      operation,
      ...countWarmCalls(plan, operation),
    })),
  ];
}

/** Returns the number of calls in a trial; each gives a sample. */
export function countTrialCalls(
  plan: Pick<Plan, "coldOperation" | "sizes" | "requests">,
  trial: Pick<Trial, "warmOrder">,
): number {
  return listTrialCalls(plan, trial).reduce((sum, { calls }) => sum + calls, 0);
}

/**
 * Returns the most calls that a plan makes of a variant's functions: one with each event before the first block, and
 * the trials, each of which may repeat its cold call once.
 */
export function mostCalls(plan: Plan, variant: string): number {
  const cells = plan.cells.filter((cell) => cell.variant === variant).map(({ id }) => id);
  const operations = new Set([plan.coldOperation, ...listWarmOperations(plan, variant)]);
  return plan.blocks
    .flatMap(({ trials }) => trials.filter(({ cellId }) => cells.includes(cellId)))
    .reduce((sum, trial) => sum + countTrialCalls(plan, trial) + 1, operations.size * cells.length);
}

/** Returns the number of warm calls: every operation keeps the same number, but may need more warm-up than others. */
export function countWarmCalls(
  { sizes, requests }: Pick<Plan, "sizes" | "requests">,
  operation: string,
): WarmCalls {
  const discarded = requests?.[operation]?.discardedCalls ?? sizes.discardedCalls;
  return { calls: sizes.warmCalls - sizes.discardedCalls + discarded, discarded };
}

/** Returns the warm operations of a variant's trials, in the plan's order. */
export function listWarmOperations(
  { warmOperations, requests }: Pick<Plan, "warmOperations" | "requests">,
  variant: string,
): readonly string[] {
  return warmOperations.filter(
    (operation) => requests?.[operation]?.variants?.includes(variant) ?? true,
  );
}

/** Returns the service that a plan's functions call; undefined if they call none. */
export function findService({
  withoutTable,
  withBucket,
}: Pick<Plan, "withoutTable" | "withBucket">): "DynamoDB" | "S3" | undefined {
  if (withBucket === true) return "S3";
  return withoutTable === true ? undefined : "DynamoDB";
}
