import { InvalidInput } from "../contract/errors.ts";
import type { FailedInit, ImportedSource, Telemetry } from "../contract/types/contract.ts";

export type SourceFormat = ImportedSource["format"];

/** The content of a file or of stdin. */
export interface SourceText {
  readonly name: string;
  readonly text: string;
}

/** A text or a number of a record. */
export interface Leaf {
  /** The names that lead to it in its record: `attributes.message`. */
  readonly name: string;
  /** The names that lead to it in its source: `data[].attributes.message`. */
  readonly path: string;
  readonly value: string | number;
}

/** A JSON object or a row of a table: one line of a log, with what is known of it. */
export interface LogRecord {
  /** Its line, or its position in its list, from 1. */
  readonly line: number;
  readonly leaves: readonly Leaf[];
  /** What the objects around it say of all their records. */
  readonly outer: readonly Leaf[];
}

/** A line of a log, or the message of an event, with what the source says of it. */
export interface LogEntry {
  /** Its number in the source, from 1. */
  readonly line: number;
  /** Text without what a tool printed before it. */
  readonly text: string;
  /** Time printed next to the text, as text or in ms since 1970. */
  readonly time?: string | number;
  /** Name of the log stream, if the source contains it. */
  readonly stream?: string;
  /** Name of the function, if the source has it next to the entry. */
  readonly functionName?: string;
  /** True for a whole message: a report starts it, or is the function's own. */
  readonly isMessage?: true;
  readonly row?: RowFigures;
}

/** What a row of Logs Insights says of a report in columns of its own. */
export interface RowFigures {
  readonly telemetry: Partial<Telemetry>;
  readonly requestId?: string;
  readonly type?: "report" | "other";
}

/** Lambda's report of one invocation. Fields that the source lacks are absent. */
export interface ImportedInvocation {
  /** Line number, from 1. */
  readonly line: number;
  readonly requestId?: string;
  /** Time of the report, ISO 8601, UTC. */
  readonly reportedAt?: string;
  readonly functionName?: string;
  /** Name of the log stream, which identifies the environment. */
  readonly stream?: string;
  readonly telemetry: Telemetry;
  /** Why it failed, from a line other than its report. */
  readonly failure?: string;
  /** Inits that had failed before it, and ran again within its Duration. */
  readonly failedInits?: FailedInit[];
  /** True if a local emulator printed the report, and not Lambda. */
  readonly isEmulated?: true;
}

/** A mean that another tool computed for one memory size. */
export interface SizeAverage {
  readonly memoryMb: number;
  readonly durationMs: number;
  /** Cost of one invocation in USD. */
  readonly costUsd?: number;
}

/** Facts about the function in the whole source, each distinct value once. */
export interface FunctionFacts {
  readonly functionNames: readonly string[];
  readonly regions: readonly string[];
  /** Versions in Lambda's own format: python:3.13.v10. */
  readonly runtimeVersions: readonly string[];
}

/** Content read from a source: invocations, or another tool's averages. */
export interface ReadSource extends FunctionFacts {
  readonly name: string;
  readonly format: SourceFormat;
  /** Number of log lines, CSV rows or averages. */
  readonly read: number;
  readonly invocations: readonly ImportedInvocation[];
  readonly averages: readonly SizeAverage[];
  /** Count by reason. */
  readonly notTaken: ReadonlyMap<string, number>;
  readonly warnings: readonly string[];
}

/** Limit on memory: each invocation is a sample, perhaps an environment; a report on so many needs less than 1 GB. */
const mostInvocations = 200_000;

/** Throws InvalidInput if a source has more invocations than a run may have. */
export function requireRoom({ name }: Pick<SourceText, "name">, invocations: number): void {
  if (invocations <= mostInvocations) return;
  const allowed = `at most ${mostInvocations}: import a part of it, for example fewer days or one function`;
  throw new InvalidInput(name, `more than ${mostInvocations} reports of invocations`, allowed);
}

/** Formats the location of an error in a form that editors recognise. */
export function formatPlace(
  { name }: Pick<SourceText, "name">,
  line: number,
  field: string,
): string {
  return `${name} line ${line}: ${field}`;
}

/** Counts by name; a name that was counted 0 times is absent. */
export class Tally {
  readonly counts = new Map<string, number>();

  add(name: string, times = 1): void {
    if (times === 0) return;
    this.counts.set(name, (this.counts.get(name) ?? 0) + times);
  }
}

/** Copies a value, because a substring would keep its whole text in memory. */
export function copied<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value)) as Value;
}
