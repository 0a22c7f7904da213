import { InvalidInput } from "../contract/errors.ts";
import type { Telemetry } from "../contract/types/contract.ts";
import { formatPlace, type SourceText } from "./source.ts";

type Amount = Exclude<keyof Telemetry, "status" | "errorType">;

/**
 * Insights' own fields of a REPORT line, durations in ms and memory in bytes, with 1,000,000 bytes per MB (as AWS's
 * own queries divide: "Determine the amount of overprovisioned memory" in
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/CWL_QuerySyntax-examples.html); and the fields of a JSON
 * platform.report, in the units of their names.
 */
const amounts: ReadonlyMap<string, readonly [field: Amount, unit: "ms" | "bytes" | "MB"]> = new Map(
  [
    ["@duration", ["durationMs", "ms"]],
    ["@billedDuration", ["billedDurationMs", "ms"]],
    ["@initDuration", ["initDurationMs", "ms"]],
    ["@memorySize", ["memorySizeMb", "bytes"]],
    ["@maxMemoryUsed", ["maxMemoryUsedMb", "bytes"]],
    ["record.metrics.durationMs", ["durationMs", "ms"]],
    ["record.metrics.billedDurationMs", ["billedDurationMs", "ms"]],
    ["record.metrics.initDurationMs", ["initDurationMs", "ms"]],
    ["record.metrics.restoreDurationMs", ["restoreDurationMs", "ms"]],
    ["record.metrics.billedRestoreDurationMs", ["billedRestoreDurationMs", "ms"]],
    ["record.metrics.memorySizeMB", ["memorySizeMb", "MB"]],
    ["record.metrics.maxMemoryUsedMB", ["maxMemoryUsedMb", "MB"]],
  ],
);

const bytesInMb = 1_000_000;

/** A row, with its text by column; an empty cell is absent. */
export interface Row {
  readonly line: number;
  readonly cells: ReadonlyMap<string, string>;
}

/** A column that the query computed from several rows. */
const aggregated =
  /^(?:avg|bin|count|count_distinct|earliest|latest|max|median|min|pct|percentile|stddev|sum)\(/;

/** Returns whether one of the columns may have reports, or figures computed from them. */
export function hasColumn(names: readonly string[]): boolean {
  return names.some(
    (name) =>
      amounts.has(name) || name === "@message" || name === "message" || aggregated.test(name),
  );
}

/** Throws InvalidInput naming the header, if its columns have no single invocations or cannot tell cold from warm. */
export function requireColumns(source: SourceText, header: readonly string[]): void {
  const has = (field: Amount) => header.some((name) => amounts.get(name)?.[0] === field);
  const hasMessage = header.includes("@message") || header.includes("message");
  const aggregate = header.find((name) => aggregated.test(name));
  if (aggregate !== undefined) {
    throw new InvalidInput(
      formatPlace(source, 1, "header"),
      aggregate,
      "one row for each invocation: this is a table of aggregates (stats), from which no call can be told",
    );
  }
  if (hasMessage || (has("durationMs") && has("initDurationMs"))) return;
  throw new InvalidInput(
    formatPlace(source, 1, "header"),
    header,
    "@duration and @initDuration (without it, cold starts cannot be distinguished from warm calls), or @message",
  );
}

/** Returns the figures in the columns of a row. Throws InvalidInput naming line and column. */
export function amountsIn(
  source: SourceText,
  { line, cells }: Row,
): Partial<Record<Amount, number>> {
  const found: Partial<Record<Amount, number>> = {};
  for (const [column, [field, unit]] of amounts) {
    const text = cells.get(column);
    if (text === undefined) continue;
    const value = Number(text) / (unit === "bytes" ? bytesInMb : 1);
    const isWhole = unit !== "bytes" || Number.isInteger(value);
    if (!(value >= 0 && value <= largest[unit]) || !isWhole) {
      throw new InvalidInput(formatPlace(source, line, column), text, allowedIn[unit]);
    }
    found[field] = value;
  }
  return found;
}

/** The contract's bounds, in ms and in MB. */
const largest = { ms: 1e9, MB: 1e7, bytes: 1e7 } as const;

const allowedIn = {
  ms: `milliseconds from 0 to ${largest.ms}, or nothing`,
  MB: `megabytes from 0 to ${largest.MB}, or nothing`,
  bytes: "bytes, the unit that Insights uses (128000000 for 128 MB), or nothing",
} as const;
