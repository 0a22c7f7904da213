/**
 * An execution environment of Lambda serves at most 10 requests a second, and the functions of an
 * account together 10 times as many as they have concurrent executions: so far apart start the calls
 * of one environment on AWS. A lane takes two executions of the account's concurrency, and so keeps
 * within the second limit too.
 * https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html#api-requests
 * https://docs.aws.amazon.com/lambda/latest/dg/lambda-concurrency.html#concurrency-vs-requests-per-second
 */
export const callSpacingMs = 100;
