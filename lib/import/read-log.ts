import { parseReportLine } from "../telemetry/parse-report.ts";
import {
  type FunctionFacts,
  type ImportedInvocation,
  type ReadSource,
  reasons,
  type SourceText,
  Tally,
} from "./source.ts";

/** What stands before a line that `aws logs tail` prints: the time, and the log stream. */
const prefix =
  /^\s*(?:(\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:?\d\d)?)\s+)?(?:\d{4}\/\d\d\/\d\d\/\S*\[[^\]\s]+\]\S+\s+)?/;

/** A REPORT line that was copied with spaces where Lambda prints tabs. */
const keyAfterSpaces =
  / +(?=(?:Duration|Billed Duration|Memory Size|Max Memory Used|Init Duration|Restore Duration|Billed Restore Duration|Status|Error Type|XRAY TraceId): )(?<!\b(?:Billed|Init|Restore|RequestId:) )/g;

/**
 * Lambda's reports in a log, as text or as JSON, among whatever else was logged; never throws. Two
 * formats of a log: https://docs.aws.amazon.com/lambda/latest/dg/monitoring-cloudwatchlogs-logformat.html
 */
export function readLog(source: SourceText): ReadSource {
  const invocations: ImportedInvocation[] = [];
  const notTaken = new Tally();
  const facts = new Facts();
  let failedInits = 0;
  let read = 0;
  for (const [index, whole] of source.text.split(/\r?\n/).entries()) {
    if (whole.trim() === "") continue;
    read += 1;
    const [before, time] = prefix.exec(whole) ?? [""];
    const line = whole.slice(before.length);
    const report = parseReportLine(tabbed(line));
    if (report !== undefined) {
      invocations.push(invocationOf(index + 1, report, time));
      continue;
    }
    facts.add(line);
    const init = initReport(line);
    if (init?.failed === true) failedInits += 1;
    notTaken.add(init === undefined ? reasonOf(line) : reasons.initReport);
  }
  return {
    name: source.name,
    format: "report",
    read,
    invocations,
    averages: [],
    notTaken: notTaken.counts,
    ...facts.all(),
    warnings: failedInits === 0 ? [] : [failedInitsText(source, failedInits)],
  };
}

function invocationOf(
  line: number,
  { requestId, telemetry, time }: NonNullable<ReturnType<typeof parseReportLine>>,
  printedTime: string | undefined,
): ImportedInvocation {
  const reportedAt = isoTime(time ?? printedTime);
  return { line, requestId, ...(reportedAt !== undefined && { reportedAt }), telemetry };
}

export function isoTime(text: string | number | undefined): string | undefined {
  if (text === undefined || text === "") return undefined;
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

function tabbed(line: string): string {
  if (!line.startsWith("REPORT ") || line.includes("\t")) return line;
  return line.replace(keyAfterSpaces, "\t");
}

function reasonOf(line: string): string {
  return line.startsWith("REPORT RequestId: ") ? reasons.withoutDuration : reasons.otherLine;
}

function initReport(line: string): { readonly failed: boolean } | undefined {
  if (line.startsWith("INIT_REPORT ")) return { failed: /\tStatus: |\sStatus: /.test(line) };
  const record = platformRecord(line, "platform.initReport");
  if (record === undefined) return undefined;
  return { failed: record.status !== undefined && record.status !== "success" };
}

function failedInitsText({ name }: SourceText, n: number): string {
  return `${name}: ${n} Inits failed or timed out (INIT_REPORT); Lambda runs Init again within the next invocation, which reports no Init Duration then and stands among the warm ones`;
}

interface PlatformRecord {
  readonly status?: unknown;
  readonly runtimeVersion?: unknown;
  readonly runtimeVersionArn?: unknown;
  readonly functionName?: unknown;
}

function platformRecord(line: string, type: string): PlatformRecord | undefined {
  if (!line.startsWith("{") || !line.includes(type)) return undefined;
  try {
    const event = JSON.parse(line) as { readonly type?: unknown; readonly record?: unknown };
    return event.type === type ? (Object(event.record) as PlatformRecord) : undefined;
  } catch {
    return undefined;
  }
}

/** What INIT_START tells of the function. */
class Facts {
  readonly #functionNames = new Set<string>();
  readonly #regions = new Set<string>();
  readonly #runtimeVersions = new Set<string>();

  add(line: string): void {
    const [, version, arn] =
      /^INIT_START Runtime Version: (\S+)\s+Runtime Version ARN: (\S+)/.exec(line) ?? [];
    const record = platformRecord(line, "platform.initStart");
    addText(this.#runtimeVersions, version ?? record?.runtimeVersion);
    addText(this.#functionNames, record?.functionName);
    const found = arn ?? record?.runtimeVersionArn;
    const [, region] = /^arn:[\w-]+:lambda:([\w-]+):/.exec(String(found)) ?? [];
    addText(this.#regions, region);
  }

  all(): FunctionFacts {
    return {
      functionNames: [...this.#functionNames],
      regions: [...this.#regions],
      runtimeVersions: [...this.#runtimeVersions],
    };
  }
}

function addText(set: Set<string>, value: unknown): void {
  if (typeof value === "string" && value !== "") set.add(value);
}
