import type { StartedCall } from "./function-facts.ts";
import { copied, type ImportedInvocation } from "./source.ts";

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
