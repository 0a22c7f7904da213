import type { Cell, Plan } from "../contract/types/contract.ts";
import type { CollectedSamples } from "./collect-samples.ts";
import {
  listCells,
  listOperations,
  type Measure,
  makeMeasure,
  type Phase,
  phases,
} from "./series-view.ts";

/** A series, of the environments that had one CPU model alone. */
export interface CpuSeries {
  readonly cell: Cell;
  readonly operation: string;
  readonly phase: Phase;
  /** Absent of those that did not say it. */
  readonly cpuModel?: string;
  readonly durationMs: Measure;
  /** Cold only. */
  readonly initDurationMs?: Measure;
}

/** Every series by CPU model, those without a sample left out; undefined where samples were not collected so. */
export function seriesByCpuModel(
  plan: Plan,
  { byCpuModel }: CollectedSamples,
): readonly CpuSeries[] | undefined {
  if (byCpuModel === undefined) return undefined;
  const models = [...byCpuModel].sort(([a = "\uffff"], [b = "\uffff"]) => (a < b ? -1 : 1));
  return phases.flatMap((phase) =>
    listOperations(plan, phase).flatMap((operation) =>
      listCells(plan, phase, operation).flatMap((cell) =>
        models.flatMap(([cpuModel, samples]) => {
          const collected = samples.get(cell.id, operation, phase);
          if (collected.n === 0) return [];
          return {
            cell,
            operation,
            phase,
            ...(cpuModel !== undefined && { cpuModel }),
            durationMs: makeMeasure(collected, "durationMs"),
            ...(phase === "cold" && { initDurationMs: makeMeasure(collected, "initDurationMs") }),
          };
        }),
      ),
    ),
  );
}
