import { isColumn, isMessage, readRow, requireColumns, withoutStatus } from "./insights-columns.ts";
import { isoTime } from "./line-context.ts";
import { LogEntries } from "./log-entries.ts";
import { contextOf, entriesIn, fieldOfLines } from "./records.ts";
import { isReportText } from "./report-line.ts";
import type { LogEntry, LogRecord, ReadSource, SourceFormat, SourceText } from "./source.ts";

/**
 * Reads records that have lines of the log in a field, whatever its name: the first field in which a line is that only
 * Lambda writes.
 */
export function readRecords(
  { name }: SourceText,
  records: readonly LogRecord[],
  format: SourceFormat,
): ReadSource {
  const field = records.map(fieldOfLines).find((path) => path !== undefined);
  const entries = new LogEntries(name, format);
  const found = records.flatMap((record) => {
    const own = field === undefined ? [] : entriesIn(record, field);
    return own.length > 0 ? own : misplaced(record);
  });
  for (const entry of oldestFirst(found)) entries.add(entry);
  return entries.end();
}

/** Returns a record that has a report where no line of the log is, so that it is named. */
function misplaced({ line, leaves }: LogRecord): readonly LogEntry[] {
  if (!leaves.some(({ value }) => String(value).includes("REPORT RequestId:"))) return [];
  const fields = Object.fromEntries(leaves.map(({ name, value }) => [name, value]));
  return [{ line, text: JSON.stringify(fields) }];
}

/**
 * Reads rows of Logs Insights, or of a log group's events, by their columns. Throws InvalidInput naming line and column,
 * also if the columns cannot tell cold from warm.
 */
export function readInsights({ name }: SourceText, records: readonly LogRecord[]): ReadSource {
  const rows = records.filter(({ leaves }) => leaves.some((leaf) => isColumn(leaf.name)));
  const header = [...new Set(rows.flatMap(({ leaves }) => leaves.map((leaf) => leaf.name)))];
  requireColumns(name, header);
  const entries = new LogEntries(name, "insights");
  const found = rows.map((record): LogEntry => {
    const message = record.leaves.find((leaf) => isMessage(leaf.name))?.value ?? "";
    const row = readRow(name, record);
    const { line } = record;
    return { line, text: String(message), isMessage: true, row, ...contextOf(record) };
  });
  for (const entry of oldestFirst(found)) entries.add(entry);
  const read = entries.end();
  return { ...read, warnings: [...withoutStatus(name, header), ...read.warnings] };
}

/**
 * Returns entries in the order of their times, if all have one: queries return the newest first unless asked
 * otherwise, and some lines belong to the call that their place tells. In one millisecond, a START precedes and a
 * REPORT follows the other lines.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/CWL_QuerySyntax-Sort.html
 */
function oldestFirst(entries: readonly LogEntry[]): readonly LogEntry[] {
  const timed = entries.map((entry) => {
    const rank = entry.text.startsWith("START ") ? 0 : isReportText(entry.text) ? 2 : 1;
    return { entry, time: isoTime(entry.time) ?? "", rank };
  });
  const isSorted = timed.every(({ time }, index) => (timed[index - 1]?.time ?? "") <= time);
  if (isSorted || timed.some(({ time }) => time === "")) return entries;
  return timed
    .toSorted((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : a.rank - b.rank))
    .map(({ entry }) => entry);
}
