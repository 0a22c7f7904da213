import type { Population } from "../interval-study/populations.ts";
import { line, percent } from "../interval-study/study-table.ts";
import {
  noises,
  type SizeStudyOptions,
  sizeRow,
  troubles,
  usualNoise,
  type Workload,
  workloads,
} from "./study.ts";

/** Options of the table published in docs/coverage.md. */
export const publishedSizes: SizeStudyOptions = { runs: 200, seed: 20_261_123 };

export const sizesHead: readonly string[] = [
  "| the function | noise | cheapest wrong | fastest wrong | balanced wrong | choices left open | environments | every size to the end | saved |",
  "| --- | --- | --: | --: | --: | --: | --: | --: | --: |",
];

/** One row per workload and noise, then one per trouble, as they are computed. */
export function* sizesRows(options: SizeStudyOptions): Generator<string> {
  for (const workload of workloads) {
    for (const noise of noises) yield sizesText(workload, noise, options);
  }
  for (const trouble of troubles) yield sizesText(trouble, usualNoise, options);
}

export function sizesText(
  workload: Workload,
  noise: Population,
  options: SizeStudyOptions,
): string {
  const { wrong, open, environments, environmentsOfAll } = sizeRow(workload, noise, options);
  const shares = [wrong.cheapest, wrong.fastest, wrong.balanced, open].map(percent);
  const counts = [environments, environmentsOfAll].map((value) => value.toFixed(0));
  const saved = percent(1 - environments / environmentsOfAll);
  return line([workload.label, noise.id, ...shares, ...counts, saved]);
}
