import type { Cell, Plan } from "../../lib/contract/types/contract.ts";

export const rust128: Cell = {
  id: "rust-arm64-128",
  variant: "rust",
  runtime: "provided.al2023",
  architecture: "arm64",
  memoryMb: 128,
};
export const python128: Cell = {
  id: "python-arm64-128",
  variant: "python",
  runtime: "python3.13",
  architecture: "arm64",
  memoryMb: 128,
};

/** Every cell once in every block; the first `warmEnvironments` blocks go on to warm calls. */
export function planOf(changes: Partial<Plan> = {}): Plan {
  const { cells = [rust128, python128], warmOperations = ["get", "put"] } = changes;
  const sizes = changes.sizes ?? {
    environments: 6,
    warmEnvironments: 2,
    warmCalls: 13,
    discardedCalls: 3,
  };
  const blocks = Array.from({ length: sizes.environments }, (_, index) => ({
    index,
    trials: cells.map((cell) => ({
      cellId: cell.id,
      warmOrder: index < sizes.warmEnvironments ? [...warmOperations] : [],
    })),
  }));
  return {
    schemaVersion: 2,
    runId: "run",
    experiment: "dynamodb",
    target: "aws",
    preset: "quick",
    seed: 1,
    createdAt: "2026-01-01T00:00:00.000Z",
    cells,
    coldOperation: "get",
    warmOperations,
    sizes,
    blocks: blocks as unknown as Plan["blocks"],
    lanes: 2,
    timeoutSeconds: 30,
    warnings: [],
    ...changes,
  };
}
