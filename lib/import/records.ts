import { type CsvError, parse } from "csv-parse/sync";
import { defined } from "../contract/defined.ts";
import { InvalidInput } from "../contract/errors.ts";
import { isObject, parseJson } from "../contract/lines.ts";
import { functionOfGroup, isoTime, streamLine } from "./line-context.ts";
import { isLambdaLine } from "./report-line.ts";
import type { Leaf, LogEntry, LogRecord, SourceText } from "./source.ts";

/** Deeper values are not looked at: no tool nests as deep. */
const longestPath = 500;

interface Collected {
  readonly path: string;
  readonly leaves: Leaf[];
  readonly lists: Map<string, readonly unknown[]>;
}

/** Returns the records in a JSON value: itself, the items of the lists in it, and theirs. */
export function recordsIn(
  value: unknown,
  line = 1,
  path = "",
  outer: readonly Leaf[] = [],
): readonly LogRecord[] {
  const found: Collected = { path, leaves: [], lists: new Map() };
  collect(value, "", found);
  const { leaves, lists } = found;
  const around = [...leaves, ...outer];
  const inner = [...lists].flatMap(([listPath, items]) =>
    items.flatMap((item, index) => recordsIn(item, index + 1, listPath, around)),
  );
  return [{ line, leaves, outer }, ...inner];
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
  if (!/^\s*[[{]/.test(text)) return undefined;
  const whole = parseJson(text);
  if (whole !== undefined) return [whole];
  const values: unknown[] = [];
  let [from, depth, isText] = [0, 0, false];
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (isText && character === "\\") at += 1;
    else if (character === '"') isText = !isText;
    else if (!isText && (character === "{" || character === "[")) depth += 1;
    else if (!isText && (character === "}" || character === "]")) depth -= 1;
    else continue;
    if (depth > 0 || isText) continue;
    const value = parseJson(text.slice(from, at + 1).replace(/^[\s,\uFEFF]+/, ""));
    if (!isObject(value) && !Array.isArray(value)) return undefined;
    values.push(value);
    from = at + 1;
  }
  return values.length > 0 && text.slice(from).trim() === "" ? values : undefined;
}

/** Returns the rows of a CSV; empty without a header. Throws InvalidInput naming the line if it is none. */
export function tableRecords({ name, text }: SourceText): readonly LogRecord[] {
  try {
    const options = { bom: true, info: true, skip_empty_lines: true };
    const [header, ...rows] = parse(text, options) as unknown as readonly {
      readonly record: readonly string[];
      readonly info: { readonly lines: number };
    }[];
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
  const { line } = record;
  return own.map(({ value }) => ({ line, text: String(value), isMessage: true, ...context }));
}

/** Returns the time, the stream and the function of a record, which its other fields have, by their forms. */
export function contextOf({
  leaves,
  outer,
}: LogRecord): Pick<LogEntry, "time" | "stream" | "functionName"> {
  const all = [...leaves, ...outer].filter(({ value }) => value !== "");
  const isTime = ({ name, value }: Leaf) =>
    /time|date/i.test(name) && !/ingest/i.test(name) && isoTime(value) !== undefined;
  const time = all.find(({ name }) => /^@?time(?:stamp)?$/.test(name)) ?? all.find(isTime);
  const text = all.map(({ value }) => value).join("\n");
  const [stream] = streamLine.exec(text) ?? [];
  const [, ofArn] = /^arn:aws\S*:function:([\w-]+)/m.exec(text) ?? [];
  const [ofForm] = /^(?:\S+:)?\/aws\/lambda\/[^\s:]+$/m.exec(text) ?? [];
  const group = all.find(({ name }) => /^(?:@log|logGroup\w*)$/.test(name))?.value ?? ofForm;
  const functionName = ofArn ?? functionOfGroup(String(group ?? ""), stream);
  return defined({ time: time?.value, stream, functionName });
}
