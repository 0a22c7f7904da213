import type { Telemetry } from "../contract/types/contract.ts";

type Field = Exclude<keyof Telemetry, "status" | "errorType">;

const textKeys: Readonly<Record<string, Field>> = {
  Duration: "durationMs",
  "Billed Duration": "billedDurationMs",
  "Memory Size": "memorySizeMb",
  "Max Memory Used": "maxMemoryUsedMb",
  "Init Duration": "initDurationMs",
  "Restore Duration": "restoreDurationMs",
  "Billed Restore Duration": "billedRestoreDurationMs",
};

const jsonKeys: Readonly<Record<string, Field>> = {
  durationMs: "durationMs",
  billedDurationMs: "billedDurationMs",
  memorySizeMB: "memorySizeMb",
  maxMemoryUsedMB: "maxMemoryUsedMb",
  initDurationMs: "initDurationMs",
  restoreDurationMs: "restoreDurationMs",
  billedRestoreDurationMs: "billedRestoreDurationMs",
};

/**
 * What Lambda's log says of the invocation `requestId`: its REPORT line (text format) or its
 * platform.report record (JSON format). Undefined when neither is in the text, as when a chatty
 * function pushed it out of the 4 KB tail: missing is absent, never 0.
 * https://docs.aws.amazon.com/lambda/latest/dg/monitoring-cloudwatchlogs.html
 */
export function parseReport(log: string, requestId: string): Telemetry | undefined {
  const lines = log.split("\n");
  for (let index = lines.length - 1; index >= 0; index -= 1) {
    const line = lines[index] ?? "";
    const found = parseTextLine(line, requestId) ?? parseJsonLine(line, requestId);
    if (found !== undefined) return found;
  }
  return undefined;
}

function parseTextLine(line: string, requestId: string): Telemetry | undefined {
  const [head, ...parts] = line.trimEnd().split("\t");
  if (head?.trimEnd() !== `REPORT RequestId: ${requestId}`) return undefined;
  const fields: Partial<Record<Field, number>> = {};
  const remarks: { status?: string; errorType?: string } = {};
  for (const part of parts) {
    const colon = part.indexOf(": ");
    if (colon < 0) continue;
    const key = part.slice(0, colon);
    const text = part.slice(colon + 2).trim();
    if (key === "Status") remarks.status = text;
    if (key === "Error Type") remarks.errorType = text;
    const field = textKeys[key];
    const value = /^(\d+(?:\.\d+)?) (?:ms|MB)$/.exec(text)?.[1];
    if (field !== undefined && value !== undefined) fields[field] = Number(value);
  }
  return withDuration(fields, remarks);
}

function parseJsonLine(line: string, requestId: string): Telemetry | undefined {
  if (!line.startsWith("{") || !line.includes("platform.report")) return undefined;
  const event = parseJson(line) as PlatformReport | undefined;
  if (event?.type !== "platform.report" || event.record?.requestId !== requestId) return undefined;
  const { metrics, status, errorType } = event.record;
  const fields: Partial<Record<Field, number>> = {};
  for (const [key, value] of Object.entries(metrics ?? {})) {
    const field = jsonKeys[key];
    if (field !== undefined && typeof value === "number" && value >= 0) fields[field] = value;
  }
  const remarks = {
    ...(status !== undefined && status !== "success" && { status }),
    ...(errorType !== undefined && { errorType }),
  };
  return withDuration(fields, remarks);
}

interface PlatformReport {
  readonly type?: string;
  readonly record?: {
    readonly requestId?: string;
    readonly status?: string;
    readonly errorType?: string;
    readonly metrics?: Readonly<Record<string, unknown>>;
  };
}

function withDuration(
  fields: Partial<Record<Field, number>>,
  remarks: { status?: string; errorType?: string },
): Telemetry | undefined {
  const { durationMs } = fields;
  return durationMs === undefined ? undefined : { ...fields, durationMs, ...remarks };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
