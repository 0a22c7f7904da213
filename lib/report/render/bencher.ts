import type { Measure, SeriesView } from "../../analysis/series-view.ts";

/**
 * Bencher's metric format: benchmarks by name, their measures by slug, each with a value and the
 * bounds of its interval. https://bencher.dev/docs/reference/bencher-metric-format
 */
export interface BencherMetrics {
  readonly [benchmark: string]: { readonly [measure: string]: BencherMetric };
}

interface BencherMetric {
  readonly value: number;
  readonly lower_value?: number;
  readonly upper_value?: number;
}

const measures = {
  durationMs: "duration-ms",
  billedDurationMs: "billed-duration-ms",
  initDurationMs: "init-duration-ms",
  initAndDurationMs: "init-and-duration-ms",
  maxMemoryUsedMb: "max-memory-used-mb",
} as const;

/**
 * Returns means with their 95% CIs. A benchmark is a cell's calls of one phase and operation. Measures without data
 * and the A/A replica are omitted.
 */
export function bencherMetrics(experiment: string, series: readonly SeriesView[]): BencherMetrics {
  const benchmarks = series
    .filter(({ cell }) => cell.replicaOf === undefined)
    .map((one) => {
      const { cell, phase, operation } = one;
      const found = Object.entries(measures).flatMap(([quantity, slug]) => {
        const metric = metricOf(one[quantity as keyof typeof measures]);
        return metric === undefined ? [] : [[slug, metric] as const];
      });
      return [`${experiment}/${cell.id}/${phase}/${operation}`, Object.fromEntries(found)] as const;
    });
  return Object.fromEntries(benchmarks.filter(([, found]) => Object.keys(found).length > 0));
}

function metricOf(measure: Measure | undefined): BencherMetric | undefined {
  if (measure?.mean === undefined) return undefined;
  const { mean, low, high } = measure;
  return {
    value: mean,
    ...(low !== undefined && high !== undefined && { lower_value: low, upper_value: high }),
  };
}
