import {
  CloudWatchLogsClient,
  type CloudWatchLogsClientConfig,
  type FilteredLogEvent,
  paginateFilterLogEvents,
} from "@aws-sdk/client-cloudwatch-logs";
import { InvalidInput } from "../contract/errors.ts";
import { credentialsProblem } from "./credentials-problem.ts";

/** The part of a log group to read. Times are ms since 1970. */
interface LogGroupWindow {
  readonly logGroupName: string;
  readonly startTime: number;
  readonly endTime: number;
}

/**
 * Matches the lines that Lambda and its runtimes write about an invocation, a failed invocation or Init, as text or
 * JSON. Nothing else is read from the group.
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

/** The quota of a few requests per second is shared with all other readers of the account's logs. */
const attempts = 8;

export function logsClient(config: CloudWatchLogsClientConfig = {}): CloudWatchLogsClient {
  return new CloudWatchLogsClient({ ...config, maxAttempts: attempts, retryMode: "standard" });
}

/**
 * Yields the events of the window, page by page. A page has up to 10,000 events or 1 MB. A page may be empty though
 * more follow; the last one has no token.
 * https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_FilterLogEvents.html
 * @param abortSignal Aborting it ends the wait for the current page with an AbortError.
 */
export async function* logGroupPages(
  client: CloudWatchLogsClient,
  window: LogGroupWindow,
  abortSignal: AbortSignal,
): AsyncGenerator<readonly FilteredLogEvent[]> {
  const pages = paginateFilterLogEvents({ client }, { ...window, filterPattern }, { abortSignal });
  for await (const { events = [] } of pages) yield events;
}

/** Explains an error of CloudWatch Logs and says what to do; returns any other error unchanged. */
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
