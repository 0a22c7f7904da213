import { parseJson } from "../contract/lines.ts";
import type { Telemetry } from "../contract/types/contract.ts";
import { contractProblem } from "../contract/validate.ts";

type Field = Exclude<keyof Telemetry, "status" | "errorType">;

/** Maps, because a log may have `constructor` or `__proto__` as a key, which every object has. */
const textKeys = keys({
  Duration: "durationMs",
  "Billed Duration": "billedDurationMs",
  "Memory Size": "memorySizeMb",
  "Max Memory Used": "maxMemoryUsedMb",
  "Init Duration": "initDurationMs",
  "Restore Duration": "restoreDurationMs",
  "Billed Restore Duration": "billedRestoreDurationMs",
});

const jsonKeys = keys({
  durationMs: "durationMs",
  billedDurationMs: "billedDurationMs",
  memorySizeMB: "memorySizeMb",
  maxMemoryUsedMB: "maxMemoryUsedMb",
  initDurationMs: "initDurationMs",
  restoreDurationMs: "restoreDurationMs",
  billedRestoreDurationMs: "billedRestoreDurationMs",
});

function keys(fields: Readonly<Record<string, Field>>): ReadonlyMap<string, Field> {
  return new Map(Object.entries(fields));
}

/** Lambda's report of one invocation, with its request id. */
interface ReportedInvocation {
  readonly requestId: string;
  readonly telemetry: Telemetry;
  /** Time at which the report was written; only the JSON format has it. */
  readonly time?: string;
}

/** A log's report of one invocation. With neither field set, the log has none. */
export interface FoundReport {
  readonly telemetry?: Telemetry;
  /** The reason why an existing report is refused. */
  readonly refused?: string;
}

/**
 * Reads Lambda's report of the invocation `requestId` from its log: its REPORT line (text format) or its
 * platform.report record (JSON format). Empty if neither is in the text, as when a chatty function
 * pushed it out of the 4 KB tail: missing is absent, never 0.
 *
 * A function can write the same words, before Lambda does or in a later invocation, and in both formats:
 * Lambda passes on JSON unchanged. But Lambda writes one report per invocation, so that of two that differ
 * one is not Lambda's, and both are refused. So is one whose figures are out of the contract's bounds,
 * for Lambda never wrote it.
 * https://docs.aws.amazon.com/lambda/latest/dg/monitoring-cloudwatchlogs.html
 * https://docs.aws.amazon.com/lambda/latest/dg/monitoring-cloudwatchlogs-logformat.html
 */
export function readReport(log: string, requestId: string): FoundReport {
  const reports = new Map<string, Telemetry>();
  for (const line of log.split("\n")) {
    if (!line.includes(requestId)) continue;
    const found = parseReportLine(line);
    if (found?.requestId === requestId)
      reports.set(JSON.stringify(found.telemetry), found.telemetry);
  }
  if (reports.size > 1) {
    return { refused: `${reports.size} reports of ${requestId} differ; Lambda writes one` };
  }
  const [telemetry] = reports.values();
  if (telemetry === undefined) return {};
  const problem = contractProblem("telemetry", telemetry);
  return problem === undefined ? { telemetry } : { refused: problem.message };
}

/**
 * Parses a REPORT line or a platform.report record, whether or not its figures are within the contract's
 * bounds; undefined for any other line, and for one without a Duration.
 */
export function parseReportLine(line: string): ReportedInvocation | undefined {
  return parseTextLine(line) ?? parseJsonLine(line);
}

function parseTextLine(line: string): ReportedInvocation | undefined {
  const [head = "", ...parts] = line.trimEnd().split("\t");
  const [, requestId] = /^REPORT RequestId: (\S+)\s*$/.exec(head) ?? [];
  if (requestId === undefined) return undefined;
  const fields: Partial<Record<Field, number>> = {};
  const remarks: { status?: string; errorType?: string } = {};
  for (const part of parts) {
    const colon = part.indexOf(": ");
    if (colon < 0) continue;
    const key = part.slice(0, colon);
    const text = part.slice(colon + 2).trim();
    if (key === "Status") remarks.status = text;
    if (key === "Error Type") remarks.errorType = text;
    const field = textKeys.get(key);
    const value = /^(\d+(?:\.\d+)?) (?:ms|MB)$/.exec(text)?.[1];
    if (field !== undefined && value !== undefined) fields[field] = Number(value);
  }
  const telemetry = withDuration(fields, remarks);
  return telemetry && { requestId, telemetry };
}

function parseJsonLine(line: string): ReportedInvocation | undefined {
  if (!line.startsWith("{") || !line.includes("platform.report")) return undefined;
  const event = parseJson(line) as PlatformReport | undefined;
  if (event?.type !== "platform.report") return undefined;
  const { time, record } = event;
  if (typeof record?.requestId !== "string") return undefined;
  const { requestId, metrics, status, errorType } = record;
  const fields: Partial<Record<Field, number>> = {};
  for (const [key, value] of Object.entries(metrics ?? {})) {
    const field = jsonKeys.get(key);
    if (field !== undefined && isAmount(value)) fields[field] = value;
  }
  const remarks = {
    ...(typeof status === "string" && status !== "success" && { status }),
    ...(typeof errorType === "string" && { errorType }),
  };
  const telemetry = withDuration(fields, remarks);
  return telemetry && { requestId, telemetry, ...(typeof time === "string" && { time }) };
}

interface PlatformReport {
  readonly time?: unknown;
  readonly type?: string;
  readonly record?: {
    readonly requestId?: unknown;
    readonly status?: unknown;
    readonly errorType?: unknown;
    readonly metrics?: Readonly<Record<string, unknown>>;
  };
}

/** Infinity, as which 1e400 is read, is an amount: a figure beyond all bounds is refused later, not dropped. */
function isAmount(value: unknown): value is number {
  return typeof value === "number" && value >= 0;
}

function withDuration(
  fields: Partial<Record<Field, number>>,
  remarks: { status?: string; errorType?: string },
): Telemetry | undefined {
  const { durationMs } = fields;
  return durationMs === undefined ? undefined : { ...fields, durationMs, ...remarks };
}
