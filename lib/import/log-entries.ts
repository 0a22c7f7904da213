import { defined } from "../contract/defined.ts";
import { contractProblem } from "../contract/validate.ts";
import { FailedCalls } from "./failed-calls.ts";
import { isEmulated, type ReadReport, readReport, whyNoReport } from "./report-line.ts";
import {
  type FunctionFacts,
  type ImportedInvocation,
  type ReadSource,
  reasons,
  requireRoom,
  type SourceFormat,
  Tally,
} from "./source.ts";

export interface LogEntry {
  /** Text without the prefix that a tool printed. */
  readonly text: string;
  /** Time printed next to the text, as text or in ms since 1970. */
  readonly time?: string | number;
  /** Name of the log stream, if the source contains it. */
  readonly stream?: string;
  /** Name of the function, if the source has it next to the entry. */
  readonly functionName?: string;
  /** True for a table cell: fields of its event may be in other rows. */
  readonly isCell?: true;
  /** True if a later line of the event's message starts like a report. */
  readonly hasLaterReport?: true;
}

/** Most unreadable reports that are listed individually. */
const mostNamed = 5;

/**
 * Collects Lambda's reports, as text or JSON, from a log that may have any other lines too. The two log formats:
 * https://docs.aws.amazon.com/lambda/latest/dg/monitoring-cloudwatchlogs-logformat.html
 */
export class LogEntries {
  readonly #name: string;
  readonly #format: SourceFormat;
  readonly #invocations: ImportedInvocation[] = [];
  readonly #notTaken = new Tally();
  readonly #facts = new Facts();
  readonly #failed = new FailedCalls();
  readonly #warnings: string[] = [];
  /** Parsed streams by name; thousands of invocations share one. */
  readonly #streams = new Map<string, ReturnType<typeof parseStream>>();
  #failedInits = 0;
  #read = 0;

  constructor(name: string, format: SourceFormat) {
    this.#name = name;
    this.#format = format;
  }

  get invocations(): number {
    return this.#invocations.length;
  }

  /** Returns the number of log streams that reports came from. */
  get streams(): number {
    return this.#streams.size;
  }

  /**
   * @param line its number in the source, from 1. Throws InvalidInput only if the source has more reports than a run
   * may have.
   */
  add(line: number, entry: LogEntry): void {
    this.#read += 1;
    if (!this.#addReport(line, entry)) this.#addOther(line, entry);
  }

  addTooLong(): void {
    this.#read += 1;
    this.#notTaken.add(reasons.longLine);
  }

  end(known: Partial<FunctionFacts> = {}): ReadSource {
    const failed = this.#failedInits;
    const emulated = this.#invocations.filter(({ isEmulated }) => isEmulated === true).length;
    const found = this.#facts.all();
    const both = (fact: keyof FunctionFacts) => [
      ...new Set([...(known[fact] ?? []), ...found[fact]]),
    ];
    return {
      name: this.#name,
      format: this.#format,
      read: this.#read,
      invocations: this.#failed.marked(this.#invocations),
      averages: [],
      notTaken: this.#notTaken.counts,
      functionNames: both("functionNames"),
      regions: both("regions"),
      runtimeVersions: both("runtimeVersions"),
      warnings: [
        ...this.#warnings,
        ...this.#failed.warnings(this.#name),
        ...(failed === 0 ? [] : [failedInitsText(this.#name, failed)]),
        ...(emulated === 0 ? [] : [emulatedText(this.#name, emulated)]),
      ],
    };
  }

  #addReport(line: number, { text, time, stream, functionName }: LogEntry): boolean {
    const report = readReport(text);
    if (report === undefined) return false;
    if (report.kind === "without-duration") this.#notTaken.add(reasons.withoutDuration);
    else if (report.kind === "unreadable") this.#addUnreadable(line, report.why);
    else {
      const problem = contractProblem("telemetry", report.telemetry);
      if (problem === undefined) {
        const own = functionName === undefined ? {} : { functionName: copied(functionName) };
        if (functionName !== undefined) this.#facts.addFunction(copied(functionName));
        const found: ImportedInvocation = {
          ...{ ...describe(line, report, time), ...own, ...this.#streamOf(stream) },
          ...(isEmulated(text) && { isEmulated: true }),
        };
        this.#invocations.push(found);
        this.#failed.addReport(found);
        requireRoom({ name: this.#name }, this.#invocations.length);
      } else this.#addOutOfBounds(line, problem.message);
    }
    return true;
  }

  #addOutOfBounds(line: number, message: string): void {
    this.#notTaken.add(reasons.outOfBounds);
    const isFirst = this.#notTaken.counts.get(reasons.outOfBounds) === 1;
    if (isFirst) this.#warnings.push(`${this.#name} line ${line}: ${message}`);
  }

  /** Lists a report that is left out: cut lines may be those of cold starts, which are longer. */
  #addUnreadable(line: number, why: string): void {
    this.#notTaken.add(reasons.unreadable);
    const n = this.#notTaken.counts.get(reasons.unreadable) ?? 0;
    if (n > mostNamed) return;
    this.#warnings.push(`${this.#name} line ${line}: this REPORT was skipped: ${why}`);
  }

  #streamOf(name: string | undefined): Pick<ImportedInvocation, "stream" | "functionName"> {
    if (name === undefined) return {};
    const known = this.#streams.get(name) ?? parseStream(copied(name));
    if (known === undefined) return {};
    this.#streams.set(known.name, known);
    const { functionName } = known;
    if (functionName !== undefined) this.#facts.addFunction(functionName);
    return { stream: known.name, ...defined({ functionName }) };
  }

  #addOther(line: number, { text, stream, hasLaterReport }: LogEntry): void {
    this.#facts.add(text);
    this.#failed.add(line, text, this.#streamOf(stream).stream);
    const init = initReport(text);
    if (init?.failed === true) this.#failedInits += 1;
    const why = hasLaterReport ? "it does not start its event's message" : whyNoReport(text);
    if (init !== undefined) this.#notTaken.add(reasons.initReport);
    else if (why === undefined) this.#notTaken.add(reasons.otherLine);
    else this.#addUnreadable(line, why);
  }
}

function describe(
  line: number,
  { requestId, telemetry, time }: ReadReport,
  printedTime: LogEntry["time"],
): ImportedInvocation {
  const reportedAt = isoTime(time ?? printedTime);
  return copied({ line, requestId, ...defined({ reportedAt }), telemetry });
}

/** Copies a value, because a substring would keep its whole text in memory. */
function copied<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value)) as Value;
}

export function isoTime(text: string | number | undefined): string | undefined {
  if (text === undefined || text === "") return undefined;
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

function initReport(line: string): { readonly failed: boolean } | undefined {
  if (line.startsWith("INIT_REPORT ")) return { failed: /\tStatus: |\sStatus: /.test(line) };
  const record = platformRecord(line, "platform.initReport");
  if (record === undefined) return undefined;
  return { failed: record.status !== undefined && record.status !== "success" };
}

function failedInitsText(name: string, n: number): string {
  return `${name}: ${n} Inits failed or timed out (INIT_REPORT); Lambda runs Init again within the next invocation, which then reports no Init Duration and is counted as warm`;
}

function emulatedText(name: string, n: number): string {
  return `${name}: a local emulator (sam local or the Runtime Interface Emulator, which print Init Duration first) printed ${n === 1 ? "a report" : `${n} reports`}: the times are those of the machine that it ran on, not Lambda's`;
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

/** Facts about the function from INIT_START. */
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

  addFunction(name: string): void {
    this.#functionNames.add(name);
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

/**
 * A log stream. It contains the logs of one execution environment, from Init to its end ("A single execution
 * environment writes to the same log stream during its lifetime", and a new environment generates a new one).
 * https://docs.aws.amazon.com/lambda/latest/operatorguide/log-structure.html
 */
interface LogStream {
  /** Name in CloudWatch Logs. */
  readonly name: string;
  /** Name of the function, which only stream names of a custom log group contain. */
  readonly functionName?: string;
}

const streamName = /^\d{4}\/\d\d\/\d\d\/([^\s[\]]+)\[[^\]\s]+\]\[[^\]\s]+\]$/;

/**
 * A stream that all environments of a capacity provider share.
 * https://docs.aws.amazon.com/lambda/latest/dg/lambda-managed-instances-cwl-configure.html
 */
const shared = /\/managed-instances$/;

/** Parses a stream's name. Undefined without a name, and for a stream that several environments write to. */
export function parseStream(name: string | undefined): LogStream | undefined {
  if (name === undefined || name === "" || shared.test(name)) return undefined;
  const [, functionName] = streamName.exec(name) ?? [];
  return { name, ...defined({ functionName }) };
}
