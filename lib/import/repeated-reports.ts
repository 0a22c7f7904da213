import type { StartedCall } from "./function-facts.ts";
import { copied, type ImportedInvocation, type ReadSource } from "./source.ts";

/** An invocation, with the source that it was first read from. */
interface ImportedCall {
  readonly source: ReadSource;
  invocation: ImportedInvocation;
}

interface DistinctCalls {
  readonly calls: readonly Readonly<ImportedCall>[];
  /** Reports that had been read already, by source. */
  readonly repeated: ReadonlyMap<ReadSource, readonly ImportedInvocation[]>;
}

/**
 * Lambda retries a failed event a minute later; two views of one report are written within the same second.
 * https://docs.aws.amazon.com/lambda/latest/dg/invocation-async-error-handling.html
 */
const soonestRetryMs = 30_000;

/**
 * Returns each invocation once, though two sources, or the formatted and the raw view of one, may have its report. A
 * retried event keeps its request id, so that a report is a repetition only if its figures are the same too, and its
 * time where it is known: all attempts of an event that time out have the same figures. Sources of two formats need
 * only agree in the figures that both have, and the invocation then has those of both.
 */
export function distinctCalls(sources: readonly ReadSource[]): DistinctCalls {
  const calls: ImportedCall[] = [];
  const byRequest = new Map<string, ImportedCall[]>();
  const repeated = new Map(sources.map((source) => [source, [] as ImportedInvocation[]]));
  for (const source of sources) {
    for (const invocation of source.invocations) {
      const { requestId } = invocation;
      const known = requestId === undefined ? [] : (byRequest.get(requestId) ?? []);
      const same = known.find((each) => isSame(each, source, invocation));
      if (same !== undefined) {
        repeated.get(source)?.push(invocation);
        same.invocation = joined(same.invocation, invocation);
        continue;
      }
      const call = { source, invocation };
      if (requestId !== undefined) byRequest.set(requestId, [...known, call]);
      calls.push(call);
    }
  }
  return { calls, repeated };
}

function isSame(
  known: ImportedCall,
  { format }: ReadSource,
  { telemetry, reportedAt }: ImportedInvocation,
): boolean {
  const apartMs = Date.parse(reportedAt ?? "") - Date.parse(known.invocation.reportedAt ?? "");
  if (Math.abs(apartMs) >= soonestRetryMs) return false;
  const ours = new Map<string, unknown>(Object.entries(known.invocation.telemetry));
  const theirs = new Map<string, unknown>(Object.entries(telemetry));
  const isOneFormat = known.source.format === format;
  return [...ours.keys(), ...theirs.keys()]
    .filter((name) => isOneFormat || (ours.has(name) && theirs.has(name)))
    .every((name) => ours.get(name) === theirs.get(name));
}

function joined(known: ImportedInvocation, other: ImportedInvocation): ImportedInvocation {
  return { ...other, ...known, telemetry: { ...other.telemetry, ...known.telemetry } };
}

/** Limit on memory: twice as many requests as a run may have reports. Starts of others are not counted. */
const mostStarted = 400_000;

/**
 * Finds reports that a function wrote itself, in the form of Lambda's: Lambda writes one report for each start of a
 * request, so that of more reports than starts at least one is not Lambda's, and which of them is not known.
 */
export class ReportsPerStart {
  /** Starts by request; one without any has been filtered out of the log. */
  readonly #starts = new Map<string, number>();

  add({ requestId }: StartedCall): void {
    const starts = this.#starts.get(requestId) ?? 0;
    if (starts > 0 || this.#starts.size < mostStarted) {
      this.#starts.set(copied(requestId), starts + 1);
    }
  }

  /** Returns the requests with more reports that differ than starts. */
  contradicted(invocations: readonly ImportedInvocation[]): ReadonlySet<string> {
    const reports = new Map<string, Set<string>>();
    for (const { requestId = "", telemetry } of invocations) {
      if (!this.#starts.has(requestId)) continue;
      const figures = JSON.stringify(Object.entries(telemetry).sort());
      reports.set(requestId, (reports.get(requestId) ?? new Set()).add(figures));
    }
    const starts = (requestId: string) => this.#starts.get(requestId) ?? 0;
    return new Set([...reports.keys()].filter((id) => (reports.get(id)?.size ?? 0) > starts(id)));
  }
}
