import type { RegionPrices } from "./prices.ts";

/**
 * What Lambda itself writes of an invocation, rounded up: START, END and REPORT, and 26 bytes for each
 * event, which are counted too. The functions write nothing of their own.
 * https://docs.aws.amazon.com/lambda/latest/dg/monitoring-cloudwatchlogs-view.html
 * https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_PutLogEvents.html
 */
const bytesPerInvocation = 450;
/** INIT_START, with the runtime's version ARN. */
const bytesPerColdStart = 250;
/** Decimal, so that the sum is rounded up here too. */
const bytesInGb = 1e9;

export interface Logged {
  readonly invocations: number;
  /** Of these, those that met a new environment. */
  readonly coldStarts: number;
}

/** What CloudWatch Logs asks for taking the logs in, USD; undefined where its price is not known. */
export function logUsd(
  { invocations, coldStarts }: Logged,
  prices: RegionPrices | undefined,
): number | undefined {
  const usd = prices?.logs?.ingestedGbUsd;
  const bytes = invocations * bytesPerInvocation + coldStarts * bytesPerColdStart;
  return usd === undefined ? undefined : (bytes / bytesInGb) * usd;
}
