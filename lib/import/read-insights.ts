import { type CsvError, parse } from "csv-parse/sync";
import { defined } from "../contract/defined.ts";
import { InvalidInput } from "../contract/errors.ts";
import { parseJson } from "../contract/lines.ts";
import type { Telemetry } from "../contract/types/contract.ts";
import { contractProblem } from "../contract/validate.ts";
import { FailedCalls } from "./failed-calls.ts";
import { isoTime, parseStream } from "./log-entries.ts";
import { readReport } from "./report-line.ts";
import {
  formatPlace,
  type ImportedInvocation,
  type ReadSource,
  reasons,
  type SourceText,
  Tally,
} from "./source.ts";

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
const reportTypes = ["REPORT", "platform.report"];

/** A row, with its text by column; an empty cell is absent. */
interface Row {
  readonly line: number;
  readonly cells: ReadonlyMap<string, string>;
}

/** Returns whether a line is the header of a CSV with reports. */
export function isInsightsHeader(line: string): boolean {
  return hasColumn(line.split(",").map((name) => name.trim().replaceAll('"', "")));
}

function hasColumn(names: readonly string[]): boolean {
  return names.some((name) => amounts.has(name) || name === "@message" || name === "message");
}

/**
 * Returns the rows in the output of `aws logs get-query-results`, or in the list of objects that the console exports;
 * undefined for any other JSON.
 * https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_GetQueryResults.html
 */
export function insightsRows(text: string): readonly Row[] | undefined {
  const value = parseJson(text);
  const { results } = Object(value) as { readonly results?: unknown };
  const list = Array.isArray(value) ? value : results;
  if (!Array.isArray(list)) return undefined;
  const rows = list.map((item, index) => ({ line: index + 1, cells: jsonCells(item) }));
  const isInsights = rows.some(({ cells }) =>
    [...cells.keys()].some((name) => name.startsWith("@")),
  );
  return isInsights && rows.some(({ cells }) => hasColumn([...cells.keys()])) ? rows : undefined;
}

/** Returns the cells of a row, which is a list of `{ field, value }`, or an object. */
function jsonCells(item: unknown): Row["cells"] {
  const pairs: readonly (readonly [unknown, unknown])[] = Array.isArray(item)
    ? item.map((each) => {
        const { field, value } = Object(each) as {
          readonly field?: unknown;
          readonly value?: unknown;
        };
        return [field, value] as const;
      })
    : Object.entries(Object(item));
  return new Map(
    pairs.flatMap(([name, value]) => {
      const text = typeof value === "object" && value !== null ? JSON.stringify(value) : value;
      const trimmed = text === null || text === undefined ? "" : String(text).trim();
      return typeof name === "string" && trimmed !== "" ? [[name, trimmed] as const] : [];
    }),
  );
}

/**
 * Reads a CSV or JSON of CloudWatch Logs Insights, or a CSV of a log group's events, with any columns. Throws
 * InvalidInput naming line and column, also if the header cannot distinguish cold from warm.
 */
export function readInsights(source: SourceText): ReadSource {
  const rows = requireRows(source) ?? readRows(source);
  const invocations: ImportedInvocation[] = [];
  const notTaken = new Tally();
  const failed = new FailedCalls();
  const warnings: string[] = [];
  for (const row of rows) {
    const invocation = readInvocation(source, row);
    if ("telemetry" in invocation) {
      invocations.push(invocation);
      failed.addReport(invocation);
      continue;
    }
    notTaken.add(invocation.reason);
    if (invocation.why !== undefined)
      warnings.push(`${formatPlace(source, row.line, "@message")} is not read: ${invocation.why}`);
    failed.add(row.line, messageOf(row), streamOf(row)?.name);
  }
  const names = invocations.flatMap(({ functionName }) => functionName ?? []);
  return {
    name: source.name,
    format: "insights",
    read: rows.length,
    invocations: failed.marked(invocations),
    averages: [],
    notTaken: notTaken.counts,
    functionNames: [...new Set(names)],
    regions: [],
    runtimeVersions: [],
    warnings: [...warnings.slice(0, mostNamed), ...failed.warnings(source.name)],
  };
}

function requireRows(source: SourceText): readonly Row[] | undefined {
  const rows = insightsRows(source.text);
  if (rows === undefined) return undefined;
  // A row omits fields without a value: a warm call has no Init Duration.
  requireColumns(source, [...new Set(rows.flatMap(({ cells }) => [...cells.keys()]))]);
  return rows;
}

function readRows(source: SourceText): readonly Row[] {
  const [head, ...records] = readRecords(source);
  const header = head?.record ?? [];
  requireColumns(source, header);
  let endOfLast = head?.info.lines ?? 1;
  return records.map(({ record, info }) => {
    const line = endOfLast + 1;
    endOfLast = info.lines;
    const cells = record.map((text, index) => [header[index] ?? "", text.trim()] as const);
    return { line, cells: new Map(cells.filter(([, text]) => text !== "")) };
  });
}

interface CsvRecord {
  readonly record: readonly string[];
  /** Number of lines up to the end of the record, which may contain newlines. */
  readonly info: { readonly lines: number };
}

function readRecords({ name, text }: SourceText): readonly CsvRecord[] {
  try {
    const options = { bom: true, info: true, skip_empty_lines: true };
    return parse(text, options) as unknown as readonly CsvRecord[];
  } catch (error) {
    const { code, message, lines } = error as CsvError & { readonly lines?: number };
    throw new InvalidInput(`${name} line ${lines ?? 1}`, code, `a row of CSV (${message})`);
  }
}

function requireColumns(source: SourceText, header: readonly string[]): void {
  const has = (field: Amount) => header.some((name) => amounts.get(name)?.[0] === field);
  const hasMessage = header.includes("@message") || header.includes("message");
  if (hasMessage || (has("durationMs") && has("initDurationMs"))) return;
  throw new InvalidInput(
    formatPlace(source, 1, "header"),
    header,
    "@duration and @initDuration (without it, cold starts cannot be distinguished from warm calls), or @message",
  );
}

/** Most unread rows that are listed individually. */
const mostNamed = 5;

function messageOf({ cells }: Row): string {
  return cells.get("@message") ?? cells.get("message") ?? "";
}

function streamOf({ cells }: Row): ReturnType<typeof parseStream> {
  return parseStream(cells.get("@logStream") ?? cells.get("logStreamName"));
}

interface LeftOut {
  readonly reason: string;
  /** Why a report cannot be read with certainty. */
  readonly why?: string;
}

/** Returns the row's invocation, or the reason why it is not a report. */
function readInvocation(source: SourceText, row: Row): ImportedInvocation | LeftOut {
  const { line, cells } = row;
  const type = cells.get("@type") ?? cells.get("type");
  if (type !== undefined && !reportTypes.includes(type)) return { reason: reasons.otherType };
  const message = messageOf(row);
  const read = readReport(message);
  if (read?.kind === "unreadable") return { reason: reasons.unreadable, why: read.why };
  const reported = read?.kind === "report" ? read : undefined;
  const telemetry = { ...reported?.telemetry, ...amountsIn(source, { line, cells }) };
  const { durationMs } = telemetry;
  if (durationMs === undefined) {
    const isReport = type !== undefined || read !== undefined;
    return { reason: isReport ? reasons.withoutDuration : reasons.otherLine };
  }
  const problem = contractProblem("telemetry", { ...telemetry, durationMs });
  if (problem !== undefined) {
    throw new InvalidInput(formatPlace(source, line, problem.field), message, problem.allowed);
  }
  const status = cells.get("record.status") ?? "success";
  const requestId = cells.get("@requestId") ?? cells.get("record.requestId") ?? reported?.requestId;
  const reportedAt = timeIn(cells) ?? isoTime(reported?.time);
  const stream = streamOf(row);
  const [, ofGroup] = /:\/aws\/lambda\/(.+)$/.exec(cells.get("@log") ?? "") ?? [];
  const functionName = ofGroup ?? stream?.functionName;
  return {
    line,
    ...defined({ requestId, reportedAt, functionName }),
    ...(stream !== undefined && { stream: stream.name }),
    telemetry: { ...telemetry, durationMs, ...(status !== "success" && { status }) },
  };
}

function amountsIn(source: SourceText, { line, cells }: Row): Partial<Record<Amount, number>> {
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

/** Returns the row's time. Insights prints UTC without a zone; a log group's events have ms since 1970. */
function timeIn(cells: Row["cells"]): string | undefined {
  const text = cells.get("@timestamp") ?? cells.get("timestamp");
  if (text === undefined) return undefined;
  if (/^\d+$/.test(text)) return isoTime(Number(text));
  const isBare = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(\.\d+)?$/.test(text);
  return isoTime(isBare ? `${text.replace(" ", "T")}Z` : text);
}
