import type { PublishedSeries, PublishedSource } from "../analysis/published.ts";
import { defined } from "../contract/defined.ts";
import kept from "../contract/published-2025-12.json" with { type: "json" };

const runtimes: Readonly<Record<string, string>> = { rust: "rust", python: "python3.13" };

/** Returns the public benchmark's figures of one of its workloads: means by memory size and architecture. */
export function publishedWorkload(
  workload: "light" | "cpu-intensive",
  operation: string,
): PublishedSource {
  return {
    source: kept.source,
    conditions: { region: "us-east-2" },
    baselineVariant: "rust",
    seriesOf: (cell, of, phase): PublishedSeries | undefined => {
      if (of !== operation || phase === "second") return undefined;
      const row = kept.rows.find(
        (each) =>
          each.workload === workload &&
          each.runtime === runtimes[cell.variant] &&
          each.architecture === cell.architecture &&
          each.memoryMb === cell.memoryMb &&
          each.phase === phase,
      );
      if (row === undefined) return undefined;
      const { durationMs, initMs } = row;
      return defined({ durationMs, initDurationMs: initMs });
    },
  };
}
