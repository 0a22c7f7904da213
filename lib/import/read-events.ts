import { InvalidInput } from "../contract/errors.ts";
import { parseJson } from "../contract/lines.ts";
import { LogEntries, type LogEntry } from "./log-entries.ts";
import type { ReadSource, SourceText } from "./source.ts";

type Fields = Readonly<Record<string, unknown>>;

/** An event of CloudWatch Logs, as FilterLogEvents returns it. Missing fields are absent. */
interface LogEvent {
  readonly message: string;
  readonly logStreamName?: string;
  /** ms since 1970. */
  readonly timestamp?: number;
}

/**
 * What `aws logs filter-log-events` prints, the whole answer, its events or their messages alone, and
 * records of the JSON format in a list; undefined of any other JSON.
 */
export function eventsIn(text: string): readonly unknown[] | undefined {
  const value = parseJson(text);
  const { events } = Object(value) as { readonly events?: unknown };
  const list = Array.isArray(value) ? value : events;
  return Array.isArray(list) && list.some(isEvent) ? list : undefined;
}

function isEvent(item: unknown): boolean {
  if (typeof item === "string") return true;
  if (typeof item !== "object" || item === null) return false;
  const { message, type } = item as Fields;
  return typeof message === "string" || (typeof type === "string" && type.startsWith("platform."));
}

export function readEvents({ name, text }: SourceText): ReadSource {
  const events = eventsIn(text);
  if (events === undefined) {
    const allowed =
      "the output of aws logs filter-log-events: JSON with events, each with a message";
    throw new InvalidInput(name, text.slice(0, 60), allowed);
  }
  const entries = new LogEntries(name, "events");
  for (const [index, event] of events.entries()) entries.add(index + 1, entryOf(event));
  return entries.end();
}

function entryOf(event: unknown): LogEntry {
  if (typeof event === "string") return entryOfEvent({ message: event });
  const { message, logStreamName, timestamp } = Object(event) as Fields;
  if (typeof message !== "string") return { text: JSON.stringify(event) };
  return entryOfEvent({
    message,
    ...(typeof logStreamName === "string" && { logStreamName }),
    ...(typeof timestamp === "number" && { timestamp }),
  });
}

/** Lambda's REPORT begins an event: what comes further down in one is the function's. */
export function entryOfEvent({ message, logStreamName, timestamp }: LogEvent): LogEntry {
  const isRecord = message.startsWith("{");
  const value = isRecord ? parseJson(message) : undefined;
  const [first = ""] = message.split("\n", 1);
  return {
    text: value === undefined ? first : JSON.stringify(value),
    ...(timestamp !== undefined && { time: timestamp }),
    ...(logStreamName !== undefined && { stream: logStreamName }),
  };
}
