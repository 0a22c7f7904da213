import { InvalidInput } from "../contract/errors.ts";
import { carriedEntries, entryOfEvent, jsonValues } from "./json-events.ts";
import { LogEntries, type LogEntry } from "./log-entries.ts";
import type { ReadSource, SourceText } from "./source.ts";

type Fields = Readonly<Record<string, unknown>>;

/**
 * Returns the values in the output of `aws logs filter-log-events`, in its list of events or of messages, in a list
 * of JSON log records, or in one or more other objects with log entries; undefined for any other text.
 */
export function eventsIn(name: string, text: string): readonly unknown[] | undefined {
  const values = jsonValues(text);
  const [first] = values ?? [];
  if (values === undefined) return undefined;
  if (values.length > 1) return values.some((each) => isCarrier(name, each)) ? values : undefined;
  const history = logResultsOfHistory(name, first);
  if (history !== undefined) return history;
  const { events } = Object(first) as { readonly events?: unknown };
  const list = Array.isArray(first) ? first : (events ?? [first]);
  return Array.isArray(list) && list.some((each) => isEvent(each) || isCarrier(name, each))
    ? list
    : undefined;
}

function isCarrier(name: string, value: unknown): boolean {
  return carriedEntries(name, value) !== undefined;
}

/**
 * Returns the log tails in an execution history of Step Functions, which has them for calls that requested them;
 * undefined for anything else. Throws InvalidInput for a history without any: the start and end times of states are
 * not Durations.
 */
function logResultsOfHistory(name: string, value: unknown): readonly unknown[] | undefined {
  const { events } = Object(value) as { readonly events?: unknown };
  const isHistory =
    Array.isArray(events) && events.some((each) => Object(each).type === "ExecutionStarted");
  if (!isHistory) return undefined;
  const tails = [...JSON.stringify(value).matchAll(/LogResult\\*":\s*\\*"([A-Za-z\d+/=]+)/g)];
  if (tails.length > 0) return tails.map(([, LogResult]) => ({ LogResult }));
  throw new InvalidInput(
    name,
    "an execution history of Step Functions without a LogResult",
    "one of calls that asked for LogType Tail, or the logs of its functions: when a state began and ended is no Duration",
  );
}

function isEvent(item: unknown): boolean {
  if (typeof item === "string") return true;
  if (typeof item !== "object" || item === null) return false;
  const { message, type } = item as Fields;
  return typeof message === "string" || (typeof type === "string" && type.startsWith("platform."));
}

export function readEvents({ name, text }: SourceText): ReadSource {
  const events = eventsIn(name, text);
  if (events === undefined) {
    const allowed =
      "the output of aws logs filter-log-events: JSON with events, each with a message";
    throw new InvalidInput(name, text.slice(0, 60), allowed);
  }
  const entries = new LogEntries(name, "events");
  for (const [index, event] of events.entries()) {
    for (const entry of entriesOf(name, event)) entries.add(index + 1, entry);
  }
  return entries.end();
}

function entriesOf(name: string, event: unknown): readonly LogEntry[] {
  if (typeof event === "string") return [entryOfEvent({ message: event })];
  const carried = carriedEntries(name, event);
  if (carried !== undefined) return carried;
  const { message, logStream, logStreamName = logStream, timestamp } = Object(event) as Fields;
  if (typeof message !== "string") return [{ text: JSON.stringify(event) }];
  return [
    entryOfEvent({
      message,
      ...(typeof logStreamName === "string" && { logStreamName }),
      ...(typeof timestamp === "number" && { timestamp }),
    }),
  ];
}
