import { type CsvError, parse } from "csv-parse/sync";
import { defined } from "../contract/defined.ts";
import { InvalidInput } from "../contract/errors.ts";
import { isObject, parseJson } from "../contract/lines.ts";
import {
  hasColumn,
  isMessage,
  readRow,
  requireColumns,
  withoutStatus,
} from "./insights-columns.ts";
import { functionOfGroup, isoTime, isStreamName } from "./line-context.ts";
import { LogEntries, type LogEntry } from "./log-entries.ts";
import { isLambdaLine } from "./report-line.ts";
import type { ReadSource, SourceFormat, SourceText } from "./source.ts";

/** A text or a number of a record. */
export interface Leaf {
  /** The names that lead to it in its record: `attributes.message`. */
  readonly name: string;
  /** The names that lead to it in its source: `data[].attributes.message`. */
  readonly path: string;
  readonly value: string | number;
}

/** A JSON object or a row of a table: one line of a log, with what is known of it. */
export interface LogRecord {
  /** Its line, or its position in its list, from 1. */
  readonly line: number;
  readonly leaves: readonly Leaf[];
  /** What the objects around it say of all their records. */
  readonly outer: readonly Leaf[];
}

/** Deeper values are not looked at: no tool nests as deep. */
const longestPath = 500;

/** Returns the records in a JSON value: itself, the items of the lists in it, and theirs. */
export function* recordsIn(
  value: unknown,
  line = 1,
  path = "",
  outer: readonly Leaf[] = [],
): Generator<LogRecord> {
  const found = { path, leaves: [] as Leaf[], lists: new Map<string, readonly unknown[]>() };
  collect(value, "", found);
  yield { line, leaves: found.leaves, outer };
  const around = [...found.leaves, ...outer];
  for (const [listPath, items] of found.lists) {
    for (const [index, item] of items.entries()) {
      yield* recordsIn(item, index + 1, listPath, around);
    }
  }
}

interface Collected {
  readonly path: string;
  readonly leaves: Leaf[];
  readonly lists: Map<string, readonly unknown[]>;
}

/** Collects the texts and numbers of a record, one of Lambda's own records as its JSON, and its lists of records. */
function collect(value: unknown, name: string, into: Collected): void {
  const path = into.path === "" || name === "" ? `${into.path}${name}` : `${into.path}.${name}`;
  if (path.length > longestPath) return;
  if (typeof value === "string" || typeof value === "number") {
    into.leaves.push({ name, path, value });
  } else if (Array.isArray(value)) {
    const isRow = value.length > 0 && value.every(isField);
    if (isRow) for (const { field, value: cell } of value) collect(cell, field, into);
    else if (name === "" || value.some((item) => typeof item === "object")) {
      into.lists.set(`${path}[]`, value);
    } else for (const item of value) collect(item, `${name}[]`, into);
  } else if (isObject(value)) {
    const isOfLambda = String(value.type).startsWith("platform.") && "record" in value;
    if (isOfLambda) into.leaves.push({ name, path, value: JSON.stringify(value) });
    else {
      for (const [key, item] of Object.entries(value)) {
        collect(item, name === "" ? key : `${name}.${key}`, into);
      }
    }
  }
}

/** https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_GetQueryResults.html */
function isField(item: unknown): item is { readonly field: string; readonly value: unknown } {
  return isObject(item) && typeof item.field === "string" && "value" in item;
}

/** Returns the JSON values of a text that has nothing else but newlines and commas between them; else undefined. */
export function jsonValues(text: string): readonly unknown[] | undefined {
  const whole = parseJson(text);
  if (whole !== undefined) return [whole];
  const values: unknown[] = [];
  for (let from = 0; ; ) {
    while (/[\s,\uFEFF]/.test(text.charAt(from))) from += 1;
    if (from >= text.length) return values.length === 0 ? undefined : values;
    const end = endOfValue(text, from);
    const value = end === undefined ? undefined : parseJson(text.slice(from, end));
    if (end === undefined || value === undefined) return undefined;
    values.push(value);
    from = end;
  }
}

/** Returns the end of the object or list that starts at `from`; undefined if none starts there, or if it does not end. */
function endOfValue(text: string, from: number): number | undefined {
  let depth = 0;
  let isText = false;
  for (let at = from; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (isText && character === "\\") at += 1;
    else if (character === '"') isText = !isText;
    else if (!isText && (character === "{" || character === "[")) depth += 1;
    else if (!isText && (character === "}" || character === "]")) depth -= 1;
    if (depth === 0 && !isText) return /[\]}]/.test(character) ? at + 1 : undefined;
  }
  return undefined;
}

/** Returns the rows of a CSV; empty without a header. Throws InvalidInput naming the line if it is none. */
export function tableRecords({ name, text }: SourceText): readonly LogRecord[] {
  try {
    const options = { bom: true, info: true, skip_empty_lines: true };
    const [header, ...rows] = parse(text, options) as unknown as readonly CsvRecord[];
    const names = header?.record.map((cell) => cell.trim()) ?? [];
    if (names.some(isLambdaLine)) return [];
    return rows.map(({ record }, index) => ({
      line: ((index === 0 ? header : rows[index - 1])?.info.lines ?? 0) + 1,
      leaves: record.map((cell, column) => {
        const of = names[column] ?? "";
        return { name: of, path: of, value: cell.trim() };
      }),
      outer: [],
    }));
  } catch (error) {
    const { code, message, lines } = error as CsvError & { readonly lines?: number };
    throw new InvalidInput(`${name} line ${lines ?? 1}`, code, `a row of CSV (${message})`);
  }
}

interface CsvRecord {
  readonly record: readonly string[];
  /** Number of lines up to the end of the record, which may contain newlines. */
  readonly info: { readonly lines: number };
}

/** Returns the path of the field in which a record has a line of Lambda's, unless the function logged it. */
export function fieldOfLines({ leaves }: LogRecord): string | undefined {
  const names = leaves.map(({ name }) => name);
  // https://docs.aws.amazon.com/lambda/latest/dg/monitoring-cloudwatchlogs-logformat.html
  if (names.includes("level") && names.includes("requestId")) return undefined;
  return leaves.find(({ value }) => isLambdaLine(String(value)))?.path;
}

/** Returns the lines that a record has in a field, with its time, stream and function. */
export function entriesIn(record: LogRecord, field: string): readonly LogEntry[] {
  const own = record.leaves.filter(({ path }) => path === field);
  if (own.length === 0) return [];
  const context = contextOf(record);
  return own.map(({ value }) => ({ text: String(value), isMessage: true, ...context }));
}

/** Returns the time, the stream and the function of a record, which its other fields have, by their forms. */
function contextOf({
  leaves,
  outer,
}: LogRecord): Pick<LogEntry, "time" | "stream" | "functionName"> {
  const all = [...leaves, ...outer].filter(({ value }) => value !== "");
  const texts = all.map(({ value }) => String(value));
  const time =
    all.find(({ name }) => /^@?time(?:stamp)?$/.test(name)) ??
    all.find(
      ({ name, value }) =>
        /time|date/i.test(name) && !/ingest/i.test(name) && isoTime(value) !== undefined,
    );
  const stream = texts.find(isStreamName);
  const [, ofArn] =
    texts.map((text) => /^arn:aws\S*:function:([\w-]+)/.exec(text)).find(Boolean) ?? [];
  const group =
    all.find(({ name }) => /^(?:@log|logGroup\w*)$/.test(name))?.value ??
    texts.find((text) => /^(?:\S+:)?\/aws\/lambda\/[^\s:]+$/.test(text));
  const functionName = ofArn ?? (group && functionOfGroup(String(group), stream));
  return defined({ time: time?.value, stream, functionName: functionName || undefined });
}

/**
 * Reads records: rows of Logs Insights by their columns, any other ones by the field that has Lambda's lines, whatever
 * its name. Throws InvalidInput naming line and column, also if the columns cannot tell cold from warm.
 */
export function readRecords(
  source: SourceText,
  records: readonly LogRecord[],
  format: SourceFormat,
): ReadSource {
  const { name } = source;
  const entries = new LogEntries(name, format);
  const field = records.map(fieldOfLines).find((path) => path !== undefined);
  const isOfInsights = format === "insights";
  const rows = isOfInsights ? records.filter(isRow) : records;
  const header = [...new Set(rows.flatMap(({ leaves }) => leaves.map(({ name }) => name)))];
  if (isOfInsights) requireColumns(source, header);
  const found = rows.flatMap((record) =>
    (isOfInsights ? [rowEntry(source, record)] : entriesIn(record, field ?? "")).map((entry) => ({
      line: record.line,
      entry,
    })),
  );
  for (const { line, entry } of oldestFirst(found)) entries.add(line, entry);
  const read = entries.end();
  const isNamed =
    isOfInsights || field === undefined || /(?:^|[.\]])message$|^(?:\[\])?$/.test(field);
  const warnings = [
    ...(isOfInsights ? withoutStatus(name, header) : []),
    ...(isNamed ? [] : [`${name}: Lambda's lines are those in the field ${field}`]),
  ];
  return { ...read, warnings: [...warnings, ...read.warnings] };
}

/** Returns whether records are rows of Logs Insights: its own columns are named @duration, avg(@duration) and so on. */
export function areOfInsights(records: readonly LogRecord[]): boolean {
  return records.some(
    ({ leaves }) =>
      leaves.some(({ name }) => /^@|\(@/.test(name)) && hasColumn(leaves.map(({ name }) => name)),
  );
}

function isRow({ leaves }: LogRecord): boolean {
  return leaves.some(({ name }) => name.startsWith("@") || hasColumn([name]));
}

function rowEntry(source: SourceText, record: LogRecord): LogEntry {
  const message = record.leaves.find(({ name }) => isMessage(name))?.value ?? "";
  const row = readRow(source, record);
  return { text: String(message), isMessage: true, row, ...contextOf(record) };
}

interface Found {
  readonly line: number;
  readonly entry: LogEntry;
}

/**
 * Returns entries in the order of their times, if all have one: queries return the newest first unless asked
 * otherwise, and some lines belong to the call that their place tells. In one millisecond, a START precedes and a
 * REPORT follows the other lines.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/CWL_QuerySyntax-Sort.html
 */
function oldestFirst(found: readonly Found[]): readonly Found[] {
  const timed = found.flatMap((each) => {
    const time = isoTime(each.entry.time);
    const { text } = each.entry;
    const rank = text.startsWith("START ") ? 0 : text.startsWith("REPORT ") ? 2 : 1;
    return time === undefined ? [] : [{ each, time, rank }];
  });
  const isSorted = timed.every(
    ({ time }, index) => index === 0 || (timed[index - 1]?.time ?? "") <= time,
  );
  if (isSorted || timed.length < found.length) return found;
  return timed
    .toSorted((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : a.rank - b.rank))
    .map(({ each }) => each);
}
