import { defined } from "../contract/defined.ts";
import { InvalidInput } from "../contract/errors.ts";
import { parseJson } from "../contract/lines.ts";
import { contractProblem } from "../contract/validate.ts";
import { FailedCalls } from "./failed-calls.ts";
import { startedCall } from "./function-facts.ts";
import { amountsIn, hasColumn, type Row, requireColumns } from "./insights-columns.ts";
import { functionOfGroup, isoTime, parseStream, unknownTimeText } from "./log-entries.ts";
import { readReport } from "./report-line.ts";
import { ReportsPerStart } from "./reports-per-start.ts";
import {
  formatPlace,
  type ImportedInvocation,
  type ReadSource,
  reasons,
  type SourceText,
  Tally,
} from "./source.ts";
import { readTable } from "./table-rows.ts";

const reportTypes = ["REPORT", "platform.report"];

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
    [...cells.keys()].some((name) => /^@|\(@/.test(name)),
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
 * Reads a CSV, JSON or table in Markdown of CloudWatch Logs Insights, or a CSV of a log group's events, with any columns. Throws
 * InvalidInput naming line and column, also if the header cannot distinguish cold from warm.
 */
export function readInsights(source: SourceText): ReadSource {
  const rows = oldestFirst(requireRows(source) ?? readRows(source));
  const invocations: ImportedInvocation[] = [];
  const notTaken = new Tally();
  const failed = new FailedCalls();
  const starts = new ReportsPerStart();
  const warnings = [...unknownTimes(source.name, rows), ...withoutStatus(source.name, rows)];
  for (const row of rows) {
    const invocation = readInvocation(source, row);
    if ("telemetry" in invocation) {
      invocations.push(invocation);
      failed.addReport(invocation);
      continue;
    }
    notTaken.add(invocation.reason);
    if (invocation.warning !== undefined) warnings.push(invocation.warning);
    addOtherLine(row, failed, starts);
  }
  const sound = starts.withoutContradictions(source.name, failed.marked(invocations));
  notTaken.add(reasons.unreadable, sound.leftOut);
  warnings.push(...sound.warnings);
  const names = sound.invocations.flatMap(({ functionName }) => functionName ?? []);
  return {
    name: source.name,
    format: "insights",
    read: rows.length,
    invocations: sound.invocations,
    averages: [],
    notTaken: notTaken.counts,
    functionNames: [...new Set(names)],
    regions: [],
    runtimeVersions: [],
    warnings: [...warnings.slice(0, mostNamed), ...failed.warnings(source.name)],
  };
}

/** Adds a row that is not a report: it may start a call, or tell that one failed. */
function addOtherLine(row: Row, failed: FailedCalls, starts: ReportsPerStart): void {
  const [message, stream] = [messageOf(row), streamOf(row)?.name];
  const started = startedCall(message);
  if (started !== undefined) {
    failed.addStart(started, stream);
    starts.add(started);
  }
  failed.add(row.line, message, stream);
}

/**
 * Returns the rows in the order of their times, if all have one: queries return the newest first unless asked
 * otherwise, and some lines belong to the call that their place tells. In one millisecond, a START precedes and a
 * REPORT follows the other lines.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/CWL_QuerySyntax-Sort.html
 */
function oldestFirst(rows: readonly Row[]): readonly Row[] {
  const timed = rows.flatMap((row) => {
    const time = timeIn(row.cells);
    const message = messageOf(row);
    const rank = message.startsWith("START ") ? 0 : message.startsWith("REPORT ") ? 2 : 1;
    return time === undefined ? [] : [{ row, time, rank }];
  });
  const isSorted = timed.every(
    ({ time }, index) => index === 0 || (timed[index - 1]?.time ?? "") <= time,
  );
  if (isSorted || timed.length < rows.length) return rows;
  const byTime = timed.toSorted((a, b) =>
    a.time < b.time ? -1 : a.time > b.time ? 1 : a.rank - b.rank,
  );
  return byTime.map(({ row }) => row);
}

function requireRows(source: SourceText): readonly Row[] | undefined {
  const rows = insightsRows(source.text);
  if (rows === undefined) return undefined;
  // A row omits fields without a value: a warm call has no Init Duration.
  requireColumns(source, [...new Set(rows.flatMap(({ cells }) => [...cells.keys()]))]);
  return rows;
}

function readRows(source: SourceText): readonly Row[] {
  const [header, ...rows] = readTable(source);
  const names = header?.cells ?? [];
  requireColumns(source, names);
  return rows.map(({ line, cells }) => {
    const named = cells.map((text, index) => [names[index] ?? "", text.trim()] as const);
    return { line, cells: new Map(named.filter(([, text]) => text !== "")) };
  });
}

/** Most unread rows that are listed individually. */
const mostNamed = 5;

function messageOf({ cells }: Row): string {
  return cells.get("@message") ?? cells.get("message") ?? "";
}

function streamOf({ cells }: Row): ReturnType<typeof parseStream> {
  return parseStream(streamNameOf(cells));
}

function streamNameOf(cells: Row["cells"]): string | undefined {
  return cells.get("@logStream") ?? cells.get("logStreamName") ?? cells.get("logStream");
}

interface LeftOut {
  readonly reason: string;
  /** Says why a report cannot be read with certainty. */
  readonly warning?: string;
}

/** Returns the row's invocation, or the reason why it is not a report. */
function readInvocation(source: SourceText, row: Row): ImportedInvocation | LeftOut {
  const { line, cells } = row;
  const type = cells.get("@type") ?? cells.get("type");
  if (type !== undefined && !reportTypes.includes(type)) return { reason: reasons.otherType };
  const message = messageOf(row);
  const read = readReport(message);
  if (read?.kind === "unreadable") {
    const warning = `${formatPlace(source, line, "@message")} is not read: ${read.why}`;
    return { reason: reasons.unreadable, warning };
  }
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
  const group = cells.get("@log") ?? cells.get("logGroup") ?? cells.get("logGroupName") ?? "";
  const functionName = functionOfGroup(group, streamNameOf(cells)) ?? stream?.functionName;
  return {
    line,
    ...defined({ requestId, reportedAt, functionName }),
    ...(stream !== undefined && { stream: stream.name }),
    telemetry: { ...telemetry, durationMs, ...(status !== "success" && { status }) },
  };
}

/** Returns the row's time. Insights prints UTC without a zone; a log group's events have ms since 1970. */
function timeIn(cells: Row["cells"]): string | undefined {
  const text = timeTextOf(cells);
  return isoTime(text !== undefined && /^\d+$/.test(text) ? Number(text) : text);
}

function timeTextOf(cells: Row["cells"]): string | undefined {
  return cells.get("@timestamp") ?? cells.get("timestamp");
}

/** Names the first row whose time is in an unknown form. */
function unknownTimes(name: string, rows: readonly Row[]): readonly string[] {
  const first = rows.find(
    ({ cells }) => timeTextOf(cells) !== undefined && timeIn(cells) === undefined,
  );
  return first === undefined
    ? []
    : [unknownTimeText(name, first.line, timeTextOf(first.cells) ?? "")];
}

/** Says that failed calls cannot be told, if no column of a source tells them. */
function withoutStatus(name: string, rows: readonly Row[]): readonly string[] {
  const tells = ["@message", "message", "record.status"];
  if (rows.some(({ cells }) => tells.some((column) => cells.has(column)))) return [];
  return [
    `${name}: no column (@message or record.status) tells which calls failed: a timeout in it counts as a call that succeeded`,
  ];
}
