import { defined } from "../contract/defined.ts";
import { InvalidInput } from "../contract/errors.ts";
import { groupBy } from "../contract/group-by.ts";
import { entryOfEvent, jsonValues } from "./json-events.ts";
import { functionOfGroup, isoTime, LogEntries } from "./log-entries.ts";
import { isStreamName, withoutPrefix } from "./log-prefix.ts";
import { readReport } from "./report-line.ts";
import type { ReadSource, SourceText } from "./source.ts";
import { readTable, type TableRow } from "./table-rows.ts";

/** A text or a number of an export, with the names of the fields that lead to it: `data[].attributes.message`. */
interface Leaf {
  readonly path: string;
  readonly value: string | number;
  /** The record that contains it: an item of the innermost list of objects, or a whole JSON value or CSV row. */
  readonly record: Container;
  readonly line: number;
}

/** A JSON object or a list. */
type Container = object;

/**
 * Reads an export of a tool that stores the lines of a log in records of its own, as JSON or CSV: Lambda's lines are
 * the values of one field, whatever its name (`message`, `_raw`, `line`). Undefined if reports are in several fields,
 * or in none.
 */
export function readLogToolExport(source: SourceText): ReadSource | undefined {
  const { name, text } = source;
  const leaves = jsonLeaves(text) ?? tableLeaves(source);
  const fields = new Set(leaves.filter(isReport).map(({ path }) => path));
  const [field] = fields;
  if (field === undefined || fields.size > 1) return undefined;
  const byRecord = groupBy(leaves, ({ record }) => record);
  const entries = new LogEntries(name, "report");
  for (const { path, value, record, line } of leaves) {
    if (path === field) {
      entries.add(line, entryWithin(String(value), byRecord.get(record) ?? []));
    }
  }
  const read = entries.end();
  const taken = `${name}: Lambda's lines are those in the field ${field} of a log tool's records`;
  return { ...read, warnings: [taken, ...read.warnings] };
}

function isReport({ value }: Leaf): boolean {
  return typeof value === "string" && readReport(withoutPrefix(value).text) !== undefined;
}

/** Returns the entry of a line, with the time, stream and function that its record has in other fields. */
function entryWithin(message: string, leaves: readonly Leaf[]) {
  const texts = leaves.flatMap(({ value }) => (typeof value === "string" ? value : []));
  const stream = texts.find(isStreamName);
  const time = leaves.find(
    ({ path, value }) => /time|date/i.test(path) && isoTime(value) !== undefined,
  );
  const group = texts.find((text) => /^(?:\S+:)?\/aws\/lambda\/[^\s:]+$/.test(text));
  const arn = texts.flatMap((text) => /^arn:aws\S*:function:([\w-]+)/.exec(text)?.[1] ?? [])[0];
  return {
    ...defined({ time: time?.value, stream }),
    ...defined({ functionName: arn ?? (group && functionOfGroup(group, stream)) }),
    ...entryOfEvent({ message }),
  };
}

function jsonLeaves(text: string): readonly Leaf[] | undefined {
  return jsonValues(text)?.flatMap((value, index) => leavesOf(value, index + 1));
}

/** Returns no leaves for a text that is no table, and for a table without a header: its first report would be lost. */
function tableLeaves(source: SourceText): readonly Leaf[] {
  const [header, ...rows] = tableRows(source);
  const names = header?.cells ?? [];
  if (names.some((name) => name.includes("REPORT "))) return [];
  return rows.flatMap(({ cells, line }) =>
    cells.map((value, index) => ({ path: names[index] ?? "", value, record: cells, line })),
  );
}

function tableRows(source: SourceText): readonly TableRow[] {
  try {
    return readTable(source);
  } catch (error) {
    if (error instanceof InvalidInput) return [];
    throw error;
  }
}

/** @param line number of the value, or of the item if the value is a list */
function leavesOf(
  value: unknown,
  line: number,
  path = "",
  record: Container | undefined = undefined,
): readonly Leaf[] {
  if (typeof value === "string" || typeof value === "number") {
    return record === undefined ? [] : [{ path, value, record, line }];
  }
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) {
    return value.flatMap((item: unknown, index) => {
      const own = typeof item === "object" && item !== null ? item : record;
      return leavesOf(item, path === "" ? index + 1 : line, `${path}[]`, own);
    });
  }
  return Object.entries(value).flatMap(([key, item]) =>
    leavesOf(item, line, path === "" ? key : `${path}.${key}`, record ?? value),
  );
}
