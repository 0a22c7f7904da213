import {
  CloudWatchLogsClient,
  type CloudWatchLogsClientConfig,
  type FilteredLogEvent,
  paginateFilterLogEvents,
} from "@aws-sdk/client-cloudwatch-logs";
import { InvalidInput } from "../contract/errors.ts";
import { credentialsProblem } from "./credentials-problem.ts";

/** The part of a log group that is read. Times are ms since 1970. */
interface LogGroupWindow {
  readonly logGroupName: string;
  readonly startTime: number;
  readonly endTime: number;
}

/**
 * `filterPattern` matches any of the lines that Lambda and its runtimes write about an invocation, a failed one or Init,
 * as text or JSON. Nothing else is read from the group.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/FilterAndPatternSyntaxForLogGroups.html
 */
const filterPattern = [
  "REPORT RequestId:",
  "platform.report",
  "INIT_START",
  "platform.initStart",
  "INIT_REPORT",
  "platform.initReport",
  "Task timed out after",
  "Runtime exited",
  "Invoke Error",
  "[ERROR] ",
]
  .map((term) => `?"${term}"`)
  .join(" ");

/** The account's limit is a few requests a second, which other readers of its logs share. */
const attempts = 8;

export function logsClient(config: CloudWatchLogsClientConfig = {}): CloudWatchLogsClient {
  return new CloudWatchLogsClient({ ...config, maxAttempts: attempts, retryMode: "standard" });
}

/**
 * The group's events of the window, page by page: up to 10,000 events or 1 MB each, or none though more
 * follow; the last page is the one without a token.
 * https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_FilterLogEvents.html
 * @param signal once aborted, the page that is under way is not waited for, and an AbortError is thrown
 */
export async function* logGroupPages(
  client: CloudWatchLogsClient,
  window: LogGroupWindow,
  abortSignal: AbortSignal,
): AsyncGenerator<readonly FilteredLogEvent[]> {
  const pages = paginateFilterLogEvents({ client }, { ...window, filterPattern }, { abortSignal });
  for await (const { events = [] } of pages) yield events;
}

/** Explains an answer of CloudWatch Logs and says what to do; returns any other error unchanged. */
export function logGroupProblem(error: unknown, { logGroupName }: LogGroupWindow, region: string) {
  if (!(error instanceof Error)) return error;
  const { name, message } = error;
  switch (name) {
    case "ResourceNotFoundException":
      return new InvalidInput(
        "log-group",
        logGroupName,
        `an existing one in ${region}: aws logs describe-log-groups lists them, and --region names another`,
      );
    case "AccessDeniedException":
      return new Error(
        `CloudWatch Logs denied access to ${logGroupName}: ${message}; it requires logs:FilterLogEvents on arn:aws:logs:${region}:ACCOUNT:log-group:${logGroupName}:*`,
      );
    case "InvalidParameterException":
      return new InvalidInput(
        "log-group",
        logGroupName,
        `values that CloudWatch Logs accepts: ${message}`,
      );
    case "ThrottlingException":
    case "ServiceUnavailableException":
      return new Error(
        `CloudWatch Logs answered ${name} ${attempts} times in a row: ${message}; try again, or read fewer days`,
      );
    default:
      return credentialsProblem(error, "CloudWatch Logs") ?? error;
  }
}
