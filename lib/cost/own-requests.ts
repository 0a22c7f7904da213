import { looksOf } from "../contract/looks.ts";
import type { Plan } from "../contract/types/contract.ts";
import type { RegionPrices } from "./prices.ts";
import { reportForecast } from "./report-forecast.ts";
import { type Forecast, visitMs } from "./run-minutes.ts";
import type { RunModel } from "./run-model.ts";

/** What a run asks of S3 for its own results, and of the service that its seed is written to. */
export interface OwnRequests {
  /** PUT and LIST, which have one price. */
  readonly put: number;
  readonly get: number;
  /** DynamoDB's write units of a seed. */
  readonly write: number;
}

/** A driver looks at the lock this often: lambdas/driver/visit-limits.ts. */
const lookEveryMs = 5_000;
/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html */
const keysPerList = 1000;
/** plan.json, manifest.json, summary.json, the report in three forms, series.csv, SHA256SUMS. */
const filesPerExperiment = 8;
/** The page of all experiments in three forms and its SHA256SUMS; the lock, written and read. */
const filesPerRun = 6;
/** 25 items of two units each (lib/experiment/catalogue), or 100 objects. */
const seedOf = { write: 50, put: 100 };

/** The most that the run of these experiments asks for; a visit that fails adds a file. */
export function ownRequests(forecasts: readonly Forecast[], model: RunModel): OwnRequests {
  const all = forecasts.map((forecast) => requestsOf(forecast, model));
  const sum = (of: keyof OwnRequests) => all.reduce((total, each) => total + each[of], 0);
  return { put: filesPerRun + sum("put"), get: filesPerRun + sum("get"), write: sum("write") };
}

function requestsOf({ plan, blocks }: Forecast, model: RunModel): OwnRequests {
  const visits = blocks.flat();
  const { objects } = reportForecast(visits);
  const reads = 1 + lookCount(plan, blocks.length);
  // A visit's first part is written twice; samples and failures are listed for the report and its sums.
  const put =
    visits.length +
    objects +
    filesPerExperiment +
    (2 + reads) * (2 + Math.ceil(objects / keysPerList));
  const looks = visits.reduce((sum, visit) => {
    return sum + 2 + Math.floor(visitMs(visit, model) / lookEveryMs);
  }, 0);
  // The plan and the lock by each driver, every object for the report and each look at the precision.
  const get = visits.length + looks + reads * (objects + 2) + filesPerExperiment;
  const { withBucket, withoutTable } = plan;
  return {
    put: put + (withBucket === true ? seedOf.put : 0),
    get,
    write: withoutTable === true ? 0 : seedOf.write,
  };
}

/** Looks of a stopping rule that measures all these blocks. */
export function lookCount({ stopping, sizes }: Plan, blocks: number): number {
  return stopping === undefined ? 0 : looksOf(sizes.environments, blocks).length;
}

/** USD; undefined where S3's price, or for a seed DynamoDB's, is not known. */
export function ownRequestsUsd(
  { put, get, write }: OwnRequests,
  prices: RegionPrices | undefined,
): number | undefined {
  const { s3, dynamodb } = prices ?? {};
  if (s3 === undefined || (write > 0 && dynamodb === undefined)) return undefined;
  const seedUsd = write * (dynamodb?.writeRequestUnitUsd ?? 0);
  return put * s3.putRequestUsd + get * s3.getRequestUsd + seedUsd;
}
