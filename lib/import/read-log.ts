import { type Line, LineSplitter } from "../contract/lines.ts";
import { contractProblem } from "../contract/validate.ts";
import { parseReportLine } from "../sampler/telemetry.ts";
import {
  type FunctionFacts,
  type ImportedInvocation,
  type ReadSource,
  reasons,
  requireRoom,
  type SourceText,
  Tally,
} from "./source.ts";

/** What stands before a line that `aws logs tail` prints: the time, and the log stream. */
const prefix =
  /^\s*(?:(\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:?\d\d)?)\s+)?(?:\d{4}\/\d\d\/\d\d\/\S*\[[^\]\s]+\]\S+\s+)?/;

/** Characters: an event of CloudWatch Logs has 1 MB at the most, so that a longer line is none of Lambda's. */
const longestLine = 1 << 20;

/** A REPORT line that was copied with spaces where Lambda prints tabs. */
const keyAfterSpaces =
  / +(?=(?:Duration|Billed Duration|Memory Size|Max Memory Used|Init Duration|Restore Duration|Billed Restore Duration|Status|Error Type|XRAY TraceId): )(?<!\b(?:Billed|Init|Restore|RequestId:) )/g;

/**
 * Lambda's reports in a log, as text or as JSON, among whatever else was logged. Throws InvalidInput of
 * a log with more reports than a run may have, and of nothing else. Two formats of a log:
 * https://docs.aws.amazon.com/lambda/latest/dg/monitoring-cloudwatchlogs-logformat.html
 */
export class LogReader {
  readonly #name: string;
  readonly #splitter = new LineSplitter(longestLine, (line) => this.#addLine(line));
  readonly #invocations: ImportedInvocation[] = [];
  readonly #notTaken = new Tally();
  readonly #facts = new Facts();
  readonly #warnings: string[] = [];
  #failedInits = 0;
  #line = 0;
  #read = 0;

  constructor(name: string) {
    this.#name = name;
  }

  /** A piece of the log, wherever it was cut. */
  add(piece: string): void {
    this.#splitter.add(piece);
  }

  end(): ReadSource {
    this.#splitter.end();
    const failed = this.#failedInits;
    return {
      name: this.#name,
      format: "report",
      read: this.#read,
      invocations: this.#invocations,
      averages: [],
      notTaken: this.#notTaken.counts,
      ...this.#facts.all(),
      warnings: [...this.#warnings, ...(failed === 0 ? [] : [failedInitsText(this.#name, failed)])],
    };
  }

  #addLine(whole: Line): void {
    this.#line += 1;
    if (whole?.trim() === "") return;
    this.#read += 1;
    if (whole === undefined) this.#notTaken.add(reasons.longLine);
    else if (!this.#addReport(whole)) this.#addOther(lineWithoutPrefix(whole).line);
  }

  #addReport(whole: string): boolean {
    const { line, time } = lineWithoutPrefix(whole);
    const report = parseReportLine(tabbed(line));
    if (report === undefined) return false;
    const problem = contractProblem("telemetry", report.telemetry);
    if (problem === undefined) {
      this.#invocations.push(readInvocation(this.#line, report, time));
      requireRoom({ name: this.#name }, this.#invocations.length);
    } else {
      this.#notTaken.add(reasons.outOfBounds);
      const isFirst = this.#notTaken.counts.get(reasons.outOfBounds) === 1;
      if (isFirst) this.#warnings.push(`${this.#name} line ${this.#line}: ${problem.message}`);
    }
    return true;
  }

  #addOther(line: string): void {
    this.#facts.add(line);
    const init = initReport(line);
    if (init?.failed === true) this.#failedInits += 1;
    this.#notTaken.add(init === undefined ? describeReason(line) : reasons.initReport);
  }
}

export function readLog({ name, text }: SourceText): ReadSource {
  const reader = new LogReader(name);
  reader.add(text);
  return reader.end();
}

function lineWithoutPrefix(whole: string): { readonly line: string; readonly time?: string } {
  const [before, time] = prefix.exec(whole) ?? [""];
  return { line: whole.slice(before.length), ...(time !== undefined && { time }) };
}

function readInvocation(
  line: number,
  { requestId, telemetry, time }: NonNullable<ReturnType<typeof parseReportLine>>,
  printedTime: string | undefined,
): ImportedInvocation {
  const reportedAt = isoTime(time ?? printedTime);
  const found = { line, requestId, ...(reportedAt !== undefined && { reportedAt }), telemetry };
  // A part of a text keeps all of that text in memory; this is a copy.
  return JSON.parse(JSON.stringify(found)) as ImportedInvocation;
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

function describeReason(line: string): string {
  return line.startsWith("REPORT RequestId: ") ? reasons.withoutDuration : reasons.otherLine;
}

function initReport(line: string): { readonly failed: boolean } | undefined {
  if (line.startsWith("INIT_REPORT ")) return { failed: /\tStatus: |\sStatus: /.test(line) };
  const record = platformRecord(line, "platform.initReport");
  if (record === undefined) return undefined;
  return { failed: record.status !== undefined && record.status !== "success" };
}

function failedInitsText(name: string, n: number): string {
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
