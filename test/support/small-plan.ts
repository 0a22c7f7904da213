import type { Plan } from "../../lib/contract/types/contract.ts";
import { dynamodb } from "../../lib/experiments/dynamodb/definition.ts";
import { expand, type RunChoice } from "../../lib/plan/expand.ts";
import { type MatrixChoice, matrix } from "../../lib/plan/matrix.ts";

/** Returns a plan of the dynamodb experiment; by default for one memory size and two environments. */
export function smallPlan(choice: Partial<RunChoice & MatrixChoice> = {}): Plan {
  const cells = matrix(dynamodb, {
    variants: choice.variants ?? ["rust", "python"],
    memoryMb: choice.memoryMb ?? [128],
    architectures: choice.architectures ?? ["arm64"],
  });
  return expand(dynamodb, cells, {
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
}
