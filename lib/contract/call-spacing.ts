import { dataRequestsOf, type Requests } from "./data-requests.ts";

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

/**
 * How far apart the calls of one environment start on AWS, that so many environments at once stay below
 * what Lambda and the services carry, whichever of the operations they are at.
 */
export function callSpacingMs(
  operations: readonly string[],
  requests: Requests,
  lanes: number,
): number {
  const spacings = operations.map((operation) => {
    const { read = 0, write = 0, list = 0, get = 0 } = dataRequestsOf(operation, requests) ?? {};
    return Math.max(
      (lanes * write) / serviceLimits.tableWriteUnits,
      write / serviceLimits.partitionWriteUnits,
      (lanes * read) / serviceLimits.partitionReadUnits,
      (lanes * (list + get)) / serviceLimits.prefixGets,
    );
  });
  return Math.max(lambdaCallSpacingMs, Math.ceil(1000 * Math.max(0, ...spacings)));
}
