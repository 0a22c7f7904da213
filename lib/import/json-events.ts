import { defined } from "../contract/defined.ts";
import { InvalidInput } from "../contract/errors.ts";
import { parseJson } from "../contract/lines.ts";
import { functionOfGroup, type LogEntry } from "./log-entries.ts";
import { withoutPrefix } from "./log-prefix.ts";
import { isReportText } from "./report-line.ts";

type Fields = Readonly<Record<string, unknown>>;

/** An event of CloudWatch Logs, as FilterLogEvents returns it. */
interface LogEvent {
  readonly message: string;
  readonly logStreamName?: string;
  /** Time in ms since 1970. */
  readonly timestamp?: number;
}

/** Converts an event. Lambda's REPORT is at its start: one further down in the message is the function's own. */
export function entryOfEvent({ message, logStreamName, timestamp }: LogEvent): LogEntry {
  const isRecord = message.startsWith("{");
  const value = isRecord ? parseJson(message) : undefined;
  const [first = "", ...later] = message.split("\n");
  const hasLaterReport = value === undefined && later.some((line) => isReportText(line));
  return {
    ...(hasLaterReport && { hasLaterReport }),
    ...(value === undefined ? withoutPrefix(first) : { text: JSON.stringify(value) }),
    ...defined({ time: timestamp, stream: logStreamName }),
  };
}

/** The fields of objects that contain log entries: the function itself logged any object with another field. */
const carried = new Set(
  [
    ...["message", "timestamp", "logStreamName", "logStream", "logGroupName", "logGroup"],
    "logGroupIdentifier",
    ...["ingestionTime", "eventId", "id", "extractedFields", "log", "stream", "time", "attrs"],
    ...["@message", "@timestamp", "@logStream", "@log", "@ptr", "@ingestionTime"],
  ].values(),
);

/**
 * Returns the log entries in a JSON value; undefined if it contains none. It may be an event of CloudWatch Logs, the
 * data of a subscription, which Firehose stores one after the other
 * (https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/SubscriptionFilters.html), the answer of `aws lambda
 * invoke --log-type Tail`, or a line of Docker's json-file log. Throws InvalidInput for compressed data.
 */
export function carriedEntries(name: string, value: unknown): readonly LogEntry[] | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const fields = value as Fields;
  requireUncompressed(name, fields);
  if (typeof fields.LogResult === "string") {
    requireBase64(name, fields.LogResult);
    return tailEntries(fields.LogResult);
  }
  if (Array.isArray(fields.logEvents)) {
    const { logStream, logGroup } = fields;
    return fields.logEvents.flatMap(
      (event) => carriedEntries(name, { logStream, logGroup, ...Object(event) }) ?? [],
    );
  }
  const message = fields.message ?? fields["@message"] ?? fields.log;
  const isCarrier = Object.keys(fields).every((key) => carried.has(key));
  if (typeof message !== "string" || !isCarrier) return undefined;
  return [entryOfFields(message, fields)];
}

function entryOfFields(message: string, fields: Fields): LogEntry {
  const stream = fields.logStreamName ?? fields.logStream ?? fields["@logStream"];
  const time = fields.timestamp ?? fields["@timestamp"] ?? fields.time;
  const group = String(
    fields.logGroup ?? fields.logGroupName ?? fields.logGroupIdentifier ?? fields["@log"] ?? "",
  );
  const functionName = functionOfGroup(group, typeof stream === "string" ? stream : undefined);
  return {
    ...entryOfEvent({ message, ...(typeof stream === "string" && { logStreamName: stream }) }),
    ...((typeof time === "number" || typeof time === "string") && { time }),
    ...defined({ functionName }),
  };
}

/** Throws InvalidInput for the base64 of gzip that a subscription sends to a Lambda function or to Firehose. */
function requireUncompressed(name: string, fields: Fields): void {
  const { awslogs, Records, records } = fields;
  const lists = [Records, records].filter(Array.isArray).flat() as readonly unknown[];
  const isCompressed =
    typeof Object(awslogs).data === "string" ||
    lists.some(
      (each) => typeof (Object(each).data ?? Object(Object(each).kinesis).data) === "string",
    );
  if (!isCompressed) return;
  throw new InvalidInput(
    name,
    "compressed events of a subscription (base64 of gzip)",
    "them unpacked: base64 --decode, then gunzip",
  );
}

/** Throws InvalidInput for a tail that was cut off when it was copied: its report would be lost without notice. */
function requireBase64(name: string, tail: string): void {
  if (fromBase64(tail) !== undefined) return;
  throw new InvalidInput(
    name,
    `a LogResult that is not base64 (${tail.slice(-12)}): it may be cut off`,
    "the whole answer of aws lambda invoke --log-type Tail",
  );
}

/** Returns the entries of the last 4 KB of a log, which an invocation returns in base64. */
export function tailEntries(base64: string): readonly LogEntry[] {
  const text = fromBase64(base64);
  if (text === undefined) return [];
  return text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map(withoutPrefix);
}

/** Returns whether a line is the tail of a log in base64, and nothing else. */
export function isTail(line: string): boolean {
  if (!/^[A-Za-z\d+/]{40,}={0,2}$/.test(line)) return false;
  return fromBase64(line)?.includes("REPORT RequestId: ") === true;
}

function fromBase64(base64: string): string | undefined {
  try {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    return new TextDecoder().decode(bytes);
  } catch {
    return undefined;
  }
}

/** Returns the JSON values of a text that has nothing else but newlines and commas between them; else undefined. */
export function jsonValues(text: string): readonly unknown[] | undefined {
  const whole = parseJson(text);
  if (whole !== undefined) return [whole];
  const values: unknown[] = [];
  let from = 0;
  while (from < text.length) {
    const start = text.slice(from, from + 4096).search(/[^\s,\uFEFF]/);
    if (start < 0 && from + 4096 >= text.length) break;
    from += Math.max(0, start);
    if (start < 0) {
      from += 4096;
      continue;
    }
    const end = endOfObject(text, from);
    const value = end === undefined ? undefined : parseJson(text.slice(from, end));
    if (end === undefined || value === undefined) return undefined;
    values.push(value);
    from = end;
  }
  return values.length === 0 ? undefined : values;
}

/** Returns the end of the object or list that starts at `from`; undefined if none starts there, or if it does not end. */
function endOfObject(text: string, from: number): number | undefined {
  if (!/[[{]/.test(text.charAt(from))) return undefined;
  let depth = 0;
  let isText = false;
  for (let at = from; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (isText) {
      if (character === "\\") at += 1;
      else if (character === '"') isText = false;
    } else if (character === '"') isText = true;
    else if (character === "{" || character === "[") depth += 1;
    else if (character === "}" || character === "]") {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return undefined;
}
