import { parseJson } from "../contract/lines.ts";
import type { FailedInit, Telemetry } from "../contract/types/contract.ts";
import { contractProblem } from "../contract/validate.ts";

/** A figure of a report: all that Lambda says of an invocation but its status. */
export type Amount = Exclude<keyof Telemetry, "status" | "errorType">;

/** A figure of a report, in the forms in which Lambda writes it. */
interface ReportField {
  /** Name in a REPORT line. */
  readonly key: string;
  readonly field: Amount;
  /** Name in a platform.report record. */
  readonly jsonKey: string;
  readonly unit: "ms" | "MB";
  /** True if a REPORT line has it with decimals. */
  readonly hasDecimals?: true;
}

/** Every figure of Lambda's reports. */
export const reportFields: readonly ReportField[] = [
  { key: "Duration", ...sameKey("durationMs"), hasDecimals: true },
  { key: "Billed Duration", ...sameKey("billedDurationMs") },
  { key: "Memory Size", field: "memorySizeMb", jsonKey: "memorySizeMB", unit: "MB" },
  { key: "Max Memory Used", field: "maxMemoryUsedMb", jsonKey: "maxMemoryUsedMB", unit: "MB" },
  { key: "Init Duration", ...sameKey("initDurationMs"), hasDecimals: true },
  { key: "Restore Duration", ...sameKey("restoreDurationMs"), hasDecimals: true },
  { key: "Billed Restore Duration", ...sameKey("billedRestoreDurationMs") },
];

function sameKey<Name extends Amount>(field: Name) {
  return { field, jsonKey: field, unit: "ms" } as const;
}

/** These are maps because a log may have keys such as `constructor` or `__proto__`, which every object has. */
const byKey = new Map(reportFields.map((each) => [each.key, each]));
const byJsonKey = new Map(reportFields.map((each) => [each.jsonKey, each]));

/** Lambda's report of one invocation, with its request id. */
interface ReportedInvocation {
  readonly requestId: string;
  readonly telemetry: Telemetry;
  /** Time when the report was written; only the JSON format has it. */
  readonly time?: string;
}

/** Lambda's report of one invocation, as found in a log. Both fields are absent if the log has none. */
export interface FoundReport {
  readonly telemetry?: Telemetry;
  /** Why the report was refused. */
  readonly refused?: string;
}

/**
 * Reads Lambda's report of the invocation `requestId` from its log: its REPORT line (text format) or its
 * platform.report record (JSON format). Returns an empty object if there is neither, as when the function's own
 * output pushed it out of the 4 KB tail: a missing value is absent, never 0.
 *
 * A function can write the same text, before Lambda does or in a later invocation, and in both formats, since Lambda
 * passes on JSON unchanged. But Lambda writes one report per invocation: if two differ, one is not Lambda's, and both
 * are refused. A report with figures outside the contract's bounds is refused too, because Lambda never writes one.
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
 * Parses a REPORT line or a platform.report record, even if its figures are outside the contract's bounds. Undefined
 * for any other line, and for one without a Duration.
 */
export function parseReportLine(line: string): ReportedInvocation | undefined {
  return parseTextLine(line) ?? parseJsonLine(line);
}

/** Lambda's report of an Init that ended, before any invocation or within one. */
interface InitReport {
  readonly isWithinInvocation: boolean;
  /** Absent if it succeeded. */
  readonly failed?: FailedInit;
}

/**
 * Parses an INIT_REPORT line or a platform.initReport record. Undefined for any other line.
 * https://docs.aws.amazon.com/lambda/latest/dg/lambda-runtime-environment.html
 */
export function parseInitReport(line: string): InitReport | undefined {
  const [text, printed, ...words] =
    /^INIT_REPORT Init Duration: ([\d.]+) ms(?:\s+Phase: (\w+))?(?:\s+Status: (\w+))?(?:\s+Error Type: (\S+))?/.exec(
      line,
    ) ?? [];
  const record = platformEvent(line, "platform.initReport")?.record;
  if (text === undefined && record === undefined) return undefined;
  const durationMs = record?.metrics?.durationMs ?? Number(printed);
  const [phase, status, errorType] = record
    ? [record.phase, record.status, record.errorType]
    : words;
  const isWithinInvocation = phase === "invoke";
  if (status === undefined || status === "success") return { isWithinInvocation };
  const failed: FailedInit = {
    status: status === "timeout" ? "timeout" : "error",
    ...(isAmount(durationMs) && { durationMs }),
    ...(typeof errorType === "string" && { errorType }),
  };
  return { isWithinInvocation, failed };
}

/**
 * Returns the Inits that failed before an invocation, by the part of its log that lies before its first line: what
 * its handler prints comes later. A line may come twice.
 */
export function failedInitsBefore(log: string, requestId: string): FailedInit[] {
  const lines = log.slice(0, Math.max(0, log.indexOf(requestId))).split("\n");
  return withoutRepeats(lines.flatMap((line) => parseInitReport(line)?.failed ?? []));
}

/** Leaves out an Init that is reported a second time: Lambda may write the line twice, and a console shows two views. */
export function withoutRepeats(inits: readonly FailedInit[]): FailedInit[] {
  return [...new Map(inits.map((init) => [JSON.stringify(init), init])).values()];
}

function parseTextLine(line: string): ReportedInvocation | undefined {
  const [head = "", ...parts] = line.trimEnd().split("\t");
  const [, requestId] = /^REPORT RequestId: (\S+)\s*$/.exec(head) ?? [];
  if (requestId === undefined) return undefined;
  const fields: Partial<Record<Amount, number>> = {};
  const remarks: { status?: string; errorType?: string } = {};
  for (const part of parts) {
    const colon = part.indexOf(": ");
    if (colon < 0) continue;
    const key = part.slice(0, colon);
    const text = part.slice(colon + 2).trim();
    if (key === "Status") remarks.status = text;
    if (key === "Error Type") remarks.errorType = text;
    const field = byKey.get(key)?.field;
    const value = /^(\d+(?:\.\d+)?) (?:ms|MB)$/.exec(text)?.[1];
    if (field !== undefined && value !== undefined) fields[field] = Number(value);
  }
  const telemetry = withDuration(fields, remarks);
  return telemetry && { requestId, telemetry };
}

function parseJsonLine(line: string): ReportedInvocation | undefined {
  const { time, record } = platformEvent(line, "platform.report") ?? {};
  if (typeof record?.requestId !== "string") return undefined;
  const { requestId, metrics, status, errorType } = record;
  const fields: Partial<Record<Amount, number>> = {};
  for (const [key, value] of Object.entries(metrics ?? {})) {
    const field = byJsonKey.get(key)?.field;
    if (field !== undefined && isAmount(value)) fields[field] = value;
  }
  const remarks = {
    ...(typeof status === "string" && status !== "success" && { status }),
    ...(typeof errorType === "string" && { errorType }),
  };
  const telemetry = withDuration(fields, remarks);
  return telemetry && { requestId, telemetry, ...(typeof time === "string" && { time }) };
}

/** A line of Lambda's JSON format. */
interface PlatformEvent {
  readonly time?: unknown;
  readonly type?: string;
  readonly record?: {
    readonly metrics?: Readonly<Record<string, unknown>>;
    readonly [field: string]: unknown;
  };
}

/** Parses a line of the JSON format. Undefined for any other line, and for one of another type. */
export function platformEvent(line: string, type: string): PlatformEvent | undefined {
  if (!line.startsWith("{") || !line.includes(type)) return undefined;
  const event = Object(parseJson(line)) as PlatformEvent;
  return event.type === type ? event : undefined;
}

/** Infinity, the result of parsing 1e400, passes: such a figure must be refused later, not dropped. */
function isAmount(value: unknown): value is number {
  return typeof value === "number" && value >= 0;
}

function withDuration(
  fields: Partial<Record<Amount, number>>,
  remarks: { status?: string; errorType?: string },
): Telemetry | undefined {
  const { durationMs } = fields;
  return durationMs === undefined ? undefined : { ...fields, durationMs, ...remarks };
}
