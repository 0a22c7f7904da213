import type { StartedCall } from "./function-facts.ts";
import { copied, type ImportedInvocation } from "./source.ts";

/** Limit on memory: twice as many requests as a run may have reports. Starts of others are not counted. */
const mostStarted = 400_000;

/** Most contradicting reports that are listed individually. */
const mostNamed = 5;

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

  /** Returns the requests with more reports that differ than starts, each with the line of its first report. */
  contradictions(invocations: readonly ImportedInvocation[]): ReadonlyMap<string, number> {
    const reports = new Map<string, { readonly line: number; readonly figures: Set<string> }>();
    for (const { requestId = "", line, telemetry } of invocations) {
      if (!this.#starts.has(requestId)) continue;
      const found = reports.get(requestId) ?? { line, figures: new Set() };
      found.figures.add(JSON.stringify(Object.entries(telemetry).sort()));
      reports.set(requestId, found);
    }
    return new Map(
      [...reports]
        .filter(([requestId, { figures }]) => figures.size > (this.#starts.get(requestId) ?? 0))
        .map(([requestId, { line }]) => [requestId, line]),
    );
  }
}

/** Returns why the reports of these requests are left out. */
export function contradictionTexts(
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
