import type { Cell, Plan } from "../../contract/types/contract.ts";
import { ascending, quantileOfSorted } from "../../statistics/quantile.ts";
import type { CollectedSamples } from "../collect/collect-samples.ts";
import { type Tail, tailOf } from "./measure.ts";
import { cellsOf, operationsOf } from "./series-view.ts";

/** How the kept samples of a series lie: of cold ones Init and first Duration, of warm ones Duration. */
export interface Distribution {
  readonly cell: Cell;
  readonly phase: "cold" | "warm";
  readonly operation: string;
  readonly environments: number;
  readonly n: number;
  /** Ascending, from the least to the most, at even steps: each sample, where there are few. */
  readonly quantilesMs: readonly number[];
  readonly p95Ms: Tail;
  readonly p99Ms: Tail;
}

/** Quarters and the median are among them; a million samples take no more room than these. */
const most = 41;

const quantities = { cold: "initAndDurationMs", warm: "durationMs" } as const;

/** Every series with a sample, in the reports' order, without the A/A twin. */
export function distributionsOf(plan: Plan, samples: CollectedSamples): readonly Distribution[] {
  const warm = plan.sizes.warmEnvironments === 0 ? [] : (["warm"] as const);
  return (["cold", ...warm] as const).flatMap((phase) =>
    operationsOf(plan, phase).flatMap((operation) =>
      cellsOf(plan, phase, operation)
        .filter((cell) => cell.twinOf === undefined)
        .flatMap((cell) => distributionOf(samples, cell, phase, operation)),
    ),
  );
}

function distributionOf(
  samples: CollectedSamples,
  cell: Cell,
  phase: Distribution["phase"],
  operation: string,
): readonly Distribution[] {
  const quantity = quantities[phase];
  const collected = samples.series(cell.id, operation, phase);
  const sorted = ascending(collected.values(quantity));
  const n = sorted.length;
  if (n === 0) return [];
  const steps = Math.min(n, most);
  const quantilesMs = Array.from({ length: steps }, (_, index) =>
    quantileOfSorted(sorted, steps === 1 ? 0 : index / (steps - 1)),
  );
  const tails = {
    p95Ms: tailOf(collected, quantity, "p95"),
    p99Ms: tailOf(collected, quantity, "p99"),
  };
  const environments = collected.environments.length;
  return [{ cell, phase, operation, environments, n, quantilesMs, ...tails }];
}

/** A quantile of the samples: of least, quarters, median and most exactly. */
export function quantileIn({ quantilesMs }: Distribution, probability: number): number {
  return quantileOfSorted(Float64Array.from(quantilesMs), probability);
}
