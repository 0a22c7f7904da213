import { median } from "../../statistics/quantile.ts";
import { mediansOf } from "../../statistics/series.ts";
import type { CollectedSeries } from "../collect/collected-series.ts";
import type { QuantityName } from "../collect/quantities.ts";

/** Instructions of one series in user space: medians over environments. */
export interface InstructionCount {
  /** Samples under valgrind that count. */
  readonly n: number;
  readonly environments: number;
  /** Of cold alone. */
  readonly initMedian?: number;
  readonly invocationMedian?: number;
}

/** Counts of the instrumented samples, where there are any. */
export function instructionCount(instrumented: CollectedSeries): {
  readonly instructions?: InstructionCount;
} {
  const init = medianOf(instrumented, "initInstructions");
  const invocation = medianOf(instrumented, "invocationInstructions");
  if (init === undefined && invocation === undefined) return {};
  return {
    instructions: {
      n: instrumented.values("invocationInstructions").length,
      environments: instrumented.environments.length,
      ...(init !== undefined && { initMedian: init }),
      ...(invocation !== undefined && { invocationMedian: invocation }),
    },
  };
}

function medianOf(collected: CollectedSeries, quantity: QuantityName): number | undefined {
  const medians = mediansOf(collected.series(quantity));
  return medians.length === 0 ? undefined : median(medians);
}
