import { defined } from "../contract/defined.ts";
import { InvalidInput } from "../contract/errors.ts";
import { type Amount, reportFields } from "../sampler/telemetry.ts";
import type { LogRecord, RowFigures } from "./source.ts";

type Unit = "ms" | "MB" | "bytes";

/**
 * Insights' own fields of a REPORT line, durations in ms and memory in bytes, with 1,000,000 bytes per MB (as AWS's
 * own queries divide: "Determine the amount of overprovisioned memory" in
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/CWL_QuerySyntax-examples.html); and the fields of a JSON
 * platform.report, in the units of their names.
 */
const amounts: ReadonlyMap<string, readonly [field: Amount, unit: Unit]> = new Map(
  reportFields.flatMap(({ field, jsonKey, unit }): [string, readonly [Amount, Unit]][] => [
    [`@${jsonKey.replace(/(?:Ms|MB)$/, "")}`, [field, unit === "MB" ? "bytes" : unit]],
    [`record.metrics.${jsonKey}`, [field, unit]],
  ]),
);

const bytesInMb = 1_000_000;

/** A column that the query computed from several rows. */
const aggregated =
  /^(?:avg|bin|count|count_distinct|earliest|latest|max|median|min|pct|percentile|stddev|sum)\(/;

/** Returns whether one of the columns may have reports, or figures computed from them. */
export function hasColumn(names: readonly string[]): boolean {
  return names.some((name) => amounts.has(name) || isMessage(name) || aggregated.test(name));
}

/** Returns whether JSON is rows of Logs Insights: its own columns are named @duration, avg(@duration) and so on. */
export function areOfInsights(records: readonly LogRecord[]): boolean {
  const names = records.flatMap(({ leaves }) => leaves.map(({ name }) => name));
  return names.some((name) => /^@|\(@/.test(name)) && hasColumn(names);
}

/** Returns whether a name is that of a column of Logs Insights, or of a log group's events. */
export function isColumn(name: string): boolean {
  return name.startsWith("@") || hasColumn([name]);
}

/** Returns whether a column has the lines of the log. */
export function isMessage(name: string): boolean {
  return name === "@message" || name === "message";
}

/** Throws InvalidInput naming the header, if its columns have no single invocations or cannot tell cold from warm. */
export function requireColumns(source: string, header: readonly string[]): void {
  const has = (field: Amount) => header.some((name) => amounts.get(name)?.[0] === field);
  const aggregate = header.find((name) => aggregated.test(name));
  const isTold = header.some(isMessage) || (has("durationMs") && has("initDurationMs"));
  if (aggregate === undefined && isTold) return;
  const allowed =
    aggregate === undefined
      ? "@duration and @initDuration (without it, cold starts cannot be distinguished from warm calls), or @message"
      : "one row for each invocation: this is a table of aggregates (stats), from which no call can be told";
  throw new InvalidInput(`${source} line 1: header`, aggregate ?? header, allowed);
}

/** Returns the columns of a row that describe a report. Throws InvalidInput naming line and column. */
export function readRow(source: string, { line, leaves }: LogRecord): RowFigures {
  const telemetry: Partial<Record<Amount, number>> = {};
  for (const { name, value } of leaves) {
    const [field, unit] = amounts.get(name) ?? [];
    if (field === undefined || unit === undefined || value === "") continue;
    const figure = Number(value) / (unit === "bytes" ? bytesInMb : 1);
    const isWhole = unit !== "bytes" || Number.isInteger(figure);
    if (!(figure >= 0 && figure <= largest[unit]) || !isWhole) {
      throw new InvalidInput(`${source} line ${line}: ${name}`, value, allowedIn[unit]);
    }
    telemetry[field] = figure;
  }
  const cell = (...names: readonly string[]) =>
    leaves.find(({ name, value }) => names.includes(name) && value !== "")?.value.toString();
  const type = cell("@type", "type");
  const status = cell("record.status") ?? "success";
  return {
    telemetry: { ...telemetry, ...(status !== "success" && { status }) },
    ...defined({ requestId: cell("@requestId", "record.requestId") }),
    ...(type !== undefined && { type: reportTypes.includes(type) ? "report" : "other" }),
  };
}

const reportTypes = ["REPORT", "platform.report"];

/** The contract's bounds, in ms and in MB. */
const largest = { ms: 1e9, MB: 1e7, bytes: 1e7 } as const;

const allowedIn = {
  ms: `milliseconds from 0 to ${largest.ms}, or nothing`,
  MB: `megabytes from 0 to ${largest.MB}, or nothing`,
  bytes: "bytes, the unit that Insights uses (128000000 for 128 MB), or nothing",
} as const;

/** Says that failed calls cannot be told, if no column of a source tells them. */
export function withoutStatus(name: string, header: readonly string[]): readonly string[] {
  if (header.some((column) => isMessage(column) || column === "record.status")) return [];
  return [
    `${name}: no column (@message or record.status) tells which calls failed: a timeout in it counts as a call that succeeded`,
  ];
}
