import type { Plan } from "../../lib/contract/types/contract.ts";
import { dynamodb } from "../../lib/experiments/dynamodb/definition.ts";
import { expand, type RunChoice } from "../../lib/plan/expand.ts";
import { type MatrixChoice, matrix } from "../../lib/plan/matrix.ts";

interface PlanChoice extends RunChoice, MatrixChoice {
  /**
   * The warm operations that are left in: a run on disk has a line of each call, and its report a chart of each
   * operation, where a test of a command tells no operation apart. @default all
   */
  readonly operations: readonly string[];
}

/** Returns a plan of the dynamodb experiment; by default for one memory size and two environments. */
export function smallPlan({ operations, ...choice }: Partial<PlanChoice> = {}): Plan {
  const cells = matrix(dynamodb, {
    variants: choice.variants ?? ["rust", "python"],
    memoryMb: choice.memoryMb ?? [128],
    architectures: choice.architectures ?? ["arm64"],
  });
  const plan = expand(dynamodb, cells, {
    runId: "20260101T0000Z-abcdef",
    target: "fake",
    createdAt: "2026-01-01T00:00:00.000Z",
    seed: 1,
    preset: "quick",
    cold: 2,
    warm: 10,
    lanes: 1,
    ...choice,
  });
  return operations === undefined ? plan : withWarmOrders(plan, operations);
}

/** The plan with these operations in the warm calls of every trial, each in the order that it has. */
function withWarmOrders(plan: Plan, operations: readonly string[]): Plan {
  const blocks = plan.blocks.map((block) => ({
    ...block,
    trials: block.trials.map((trial) => ({
      ...trial,
      warmOrder: trial.warmOrder.filter((operation) => operations.includes(operation)),
    })),
  }));
  return { ...plan, warmOperations: [...operations], blocks };
}
