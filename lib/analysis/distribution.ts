import { defined } from "../contract/defined.ts";
import type { Cell, Plan } from "../contract/types/contract.ts";
import { ascending, quantileOfSorted } from "../statistics/order-statistics.ts";
import type { CollectedSamples } from "./collect-samples.ts";
import { listCells, listOperations, makeTail, orderedCells, type Tail } from "./series-view.ts";

/** Distribution of a series' kept samples: Init plus first Duration of cold ones, Duration of warm ones. */
export interface Distribution {
  readonly cell: Cell;
  readonly phase: "cold" | "warm";
  readonly operation: string;
  readonly environments: number;
  readonly n: number;
  /** Evenly spaced quantiles from minimum to maximum; every sample if there are few. */
  readonly quantilesMs: readonly number[];
  readonly p95Ms: Tail;
  readonly p99Ms: Tail;
}

/** Maximum number of quantiles per series. They include the quartiles and the median. */
const most = 41;

/** Returns the distribution of every non-empty series in the reports' order, without the A/A replica. */
export function listDistributions(plan: Plan, samples: CollectedSamples): readonly Distribution[] {
  return (["cold", "warm"] as const).flatMap((phase) =>
    listOperations(plan, phase).flatMap((operation) =>
      listCells(plan, phase, operation)
        .filter((cell) => cell.replicaOf === undefined)
        .flatMap((cell) => makeDistribution(samples, cell, { phase, operation })),
    ),
  );
}

function makeDistribution(
  samples: CollectedSamples,
  cell: Cell,
  { phase, operation }: Pick<Distribution, "phase" | "operation">,
): readonly Distribution[] {
  const quantity = phase === "cold" ? "initAndDurationMs" : "durationMs";
  const collected = samples.series(cell.id, operation, phase);
  const sorted = ascending(collected.values(quantity));
  const n = sorted.length;
  if (n === 0) return [];
  const steps = Math.min(n, most);
  const quantilesMs = Array.from({ length: steps }, (_, index) =>
    quantileOfSorted(sorted, steps === 1 ? 0 : index / (steps - 1)),
  );
  const tails = {
    p95Ms: makeTail(collected, quantity, "p95"),
    p99Ms: makeTail(collected, quantity, "p99"),
  };
  const environments = collected.environments.length;
  return [{ cell, phase, operation, environments, n, quantilesMs, ...tails }];
}

/** Returns a quantile of the samples. Minimum, quartiles, median and maximum are exact. */
export function quantileIn({ quantilesMs }: Distribution, probability: number): number {
  return quantileOfSorted(Float64Array.from(quantilesMs), probability);
}

/** The first two invocations of one new execution environment. Figures of a rejected or unmade call are absent. */
export interface ColdRun {
  readonly cell: Cell;
  readonly block: number;
  /** Present if the trial was repeated. */
  readonly attempt?: number;
  readonly initDurationMs?: number;
  readonly firstDurationMs?: number;
  readonly firstBilledDurationMs?: number;
  readonly firstMaxMemoryUsedMb?: number;
  readonly secondDurationMs?: number;
}

/** Returns every environment with a kept cold sample, by cell and block. */
export function coldRuns(plan: Plan, samples: CollectedSamples): readonly ColdRun[] {
  return orderedCells(plan).flatMap((cell) => listColdRuns(cell, plan.coldOperation, samples));
}

function listColdRuns(
  cell: Cell,
  operation: string,
  samples: CollectedSamples,
): readonly ColdRun[] {
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
      ...defined({
        initDurationMs: cold.firstIn(environment, "initDurationMs"),
        firstDurationMs: cold.firstIn(environment, "durationMs"),
        firstBilledDurationMs: cold.firstIn(environment, "billedDurationMs"),
        firstMaxMemoryUsedMb: cold.firstIn(environment, "maxMemoryUsedMb"),
        secondDurationMs: second.firstIn(environment, "durationMs"),
      }),
    };
  });
}
