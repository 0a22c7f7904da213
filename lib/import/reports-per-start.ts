import type { StartedCall } from "./function-facts.ts";
import { copied, type ImportedInvocation } from "./source.ts";

interface SoundInvocations {
  readonly invocations: readonly ImportedInvocation[];
  readonly leftOut: number;
  readonly warnings: readonly string[];
}

/** Limit on memory: twice as many requests as a run may have reports. Starts of others are not counted. */
const mostStarted = 400_000;

/**
 * Finds reports that a function wrote itself, in the form of Lambda's: Lambda writes one report for each start of a
 * request, so that of more reports than starts at least one is not Lambda's, and which of them is not known.
 */
export class ReportsPerStart {
  readonly #starts = new Map<string, number>();

  add({ requestId }: StartedCall): void {
    const starts = this.starts(requestId);
    if (starts === 0 && this.#starts.size >= mostStarted) return;
    this.#starts.set(copied(requestId), starts + 1);
  }

  /** Returns the number of starts of a request that the log has; 0 if its starts were filtered out. */
  starts(requestId: string): number {
    return this.#starts.get(requestId) ?? 0;
  }

  /**
   * Returns the invocations without those whose reports contradict each other, and why these are left out.
   * @param name the source's, for the warnings
   */
  withoutContradictions(name: string, all: readonly ImportedInvocation[]): SoundInvocations {
    const contradictions = this.#contradictions(all);
    const invocations = all.filter(({ requestId = "" }) => !contradictions.has(requestId));
    return {
      invocations,
      leftOut: all.length - invocations.length,
      warnings: contradictionTexts(name, contradictions),
    };
  }

  /** Returns the requests with more reports that differ than starts, each with the line of its first report. */
  #contradictions(invocations: readonly ImportedInvocation[]): ReadonlyMap<string, number> {
    const reports = new Map<string, { readonly line: number; readonly figures: Set<string> }>();
    for (const { requestId, line, telemetry } of invocations) {
      if (requestId === undefined || this.starts(requestId) === 0) continue;
      const found = reports.get(requestId) ?? { line, figures: new Set() };
      found.figures.add(JSON.stringify(Object.entries(telemetry).sort()));
      reports.set(requestId, found);
    }
    return new Map(
      [...reports]
        .filter(([requestId, { figures }]) => figures.size > this.starts(requestId))
        .map(([requestId, { line }]) => [requestId, line]),
    );
  }
}

/** Most contradicting reports that are listed individually. */
const mostNamed = 5;

/** Returns why the reports of these requests are left out. */
function contradictionTexts(
  name: string,
  contradictions: ReadonlyMap<string, number>,
): readonly string[] {
  return [...contradictions]
    .slice(0, mostNamed)
    .map(
      ([requestId, line]) =>
        `${name} line ${line}: the reports of ${requestId} were skipped: they differ, and Lambda writes one for each start, so that the function wrote another itself`,
    );
}
