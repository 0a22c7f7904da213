import type {
  FailedInit,
  ImportedAverage,
  ImportedSource,
  Telemetry,
} from "../contract/types/contract.ts";

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
export type SizeAverage = Omit<ImportedAverage, "cellId"> & { readonly memoryMb: number };

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

/** Most of what is left out for one reason that is listed individually. */
const mostNamed = 5;

/** Counts what is left out by reason, and lists the first of each. */
export class LeftOut {
  readonly counts = new Map<string, number>();
  readonly named: string[] = [];

  add(reason: string, name?: string): void {
    const count = (this.counts.get(reason) ?? 0) + 1;
    this.counts.set(reason, count);
    if (name !== undefined && count <= mostNamed) this.named.push(name);
  }
}

/** Copies a value, because a substring would keep its whole text in memory. */
export function copied<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value)) as Value;
}
