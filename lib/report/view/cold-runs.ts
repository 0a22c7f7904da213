import type { Cell, Plan } from "../../contract/types/contract.ts";
import type { CollectedSamples } from "../collect/collect-samples.ts";
import { orderedCells } from "./series-view.ts";

/** One new execution environment: its first two invocations. Absent: rejected or not made. */
export interface ColdRun {
  readonly cell: Cell;
  readonly block: number;
  /** Present when the visit was made again. */
  readonly attempt?: number;
  readonly initDurationMs?: number;
  readonly firstDurationMs?: number;
  readonly firstBilledDurationMs?: number;
  readonly firstMaxMemoryUsedMb?: number;
  readonly secondDurationMs?: number;
}

/** Every environment with a kept cold sample, by cell and block. */
export function coldRuns(plan: Plan, samples: CollectedSamples): readonly ColdRun[] {
  return orderedCells(plan).flatMap((cell) => runsOf(cell, plan.coldOperation, samples));
}

function runsOf(cell: Cell, operation: string, samples: CollectedSamples): readonly ColdRun[] {
  const cold = samples.series(cell.id, operation, "cold");
  const second = samples.series(cell.id, operation, "second");
  const environments = [...cold.environments].sort(
    (a, b) => a.block - b.block || a.attempt - b.attempt,
  );
  return environments.map((environment) => {
    const { block, attempt } = environment;
    return {
      cell,
      block,
      ...(attempt > 0 && { attempt }),
      ...present("initDurationMs", cold.firstIn(environment, "initDurationMs")),
      ...present("firstDurationMs", cold.firstIn(environment, "durationMs")),
      ...present("firstBilledDurationMs", cold.firstIn(environment, "billedDurationMs")),
      ...present("firstMaxMemoryUsedMb", cold.firstIn(environment, "maxMemoryUsedMb")),
      ...present("secondDurationMs", second.firstIn(environment, "durationMs")),
    };
  });
}

function present<Key extends keyof ColdRun>(
  key: Key,
  value: number | undefined,
): { readonly [Name in Key]?: number } {
  return (value === undefined ? {} : { [key]: value }) as { readonly [Name in Key]?: number };
}
