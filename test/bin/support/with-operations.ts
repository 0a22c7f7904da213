import type { Plan } from "../../../lib/contract/types/contract.ts";

/**
 * The plan with these warm operations alone: a run on disk has a line of each call, and its report a chart
 * of each operation, where a test of a command tells no operation apart.
 */
export function withOperations(plan: Plan, ...operations: readonly string[]): Plan {
  const blocks = plan.blocks.map((block) => ({
    ...block,
    trials: block.trials.map((trial) => ({
      ...trial,
      warmOrder: trial.warmOrder.filter((operation) => operations.includes(operation)),
    })),
  }));
  return { ...plan, warmOperations: [...operations], blocks };
}
