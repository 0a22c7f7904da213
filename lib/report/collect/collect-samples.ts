import type { Cell, Plan, Sample } from "../../contract/types/contract.ts";
import type { RunCostTotal } from "../../cost/run-cost.ts";
import { CollectedSeries } from "./collected-series.ts";
import { flagsOf } from "./flags.ts";
import { QualityCounts } from "./quality-counts.ts";
import { quantitiesOf } from "./quantities.ts";

/** A run's samples, reduced to the numbers that a report needs. */
export interface CollectedSamples {
  readonly quality: QualityCounts;
  /** The kept samples; a series without any is empty. */
  series(cellId: string, operation: string, phase: Sample["phase"]): CollectedSeries;
}

/**
 * Reads every sample once and holds none of them. Rejected ones are counted and were billed like
 * the others; they are in no statistic.
 */
export async function collectSamples(
  plan: Plan,
  samples: AsyncIterable<Sample>,
  runCost: RunCostTotal,
): Promise<CollectedSamples> {
  const quality = new QualityCounts();
  const all = new Map<string, CollectedSeries>();
  const cells = new Map(plan.cells.map((cell) => [cell.id, cell]));
  for await (const sample of samples) {
    const cell = cells.get(sample.cell.id);
    const foreign = foreignReason(plan, cell, sample);
    const reason = foreign ?? sample.rejected?.reason;
    quality.add(sample, reason, flagsOf(sample));
    if (foreign === undefined && cell !== undefined) runCost.add(billable(sample, cell));
    if (reason !== undefined) continue;
    const key = seriesKey(sample.cell.id, sample.operation, sample.phase);
    const series = all.get(key) ?? new CollectedSeries();
    all.set(key, series);
    series.add(sample);
  }
  const empty = new CollectedSeries();
  return {
    quality,
    series: (cellId, operation, phase) => all.get(seriesKey(cellId, operation, phase)) ?? empty,
  };
}

/** A sample that is not of this run counts in none of its statistics, whatever its own label. */
function foreignReason(plan: Plan, cell: Cell | undefined, sample: Sample): string | undefined {
  if (sample.runId !== plan.runId || sample.target !== plan.target) return "of-another-run";
  return cell === undefined ? "cell-not-in-plan" : undefined;
}

/** As it is billed: by the plan's memory, and not by a bill that no clock can give. */
function billable(sample: Sample, cell: Cell): Sample {
  const { telemetry, ...rest } = sample;
  const { billedDurationMs } = quantitiesOf(sample);
  const isUsable = telemetry !== undefined && billedDurationMs !== undefined;
  return { ...rest, cell, ...(isUsable && { telemetry }) };
}

function seriesKey(cellId: string, operation: string, phase: string): string {
  return JSON.stringify([cellId, operation, phase]);
}
