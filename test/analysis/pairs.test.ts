import { describe, expect, it } from "vitest";
import {
  hasDeployments,
  type Pair,
  replicaPairAt,
  replicaPairs,
  sizePairs,
  variantPairs,
} from "../../lib/analysis/cell-pairs.ts";
import { factorPairsBeside, listFactorPairs } from "../../lib/analysis/factor-pairs.ts";
import { orderedCells } from "../../lib/analysis/series-view.ts";
import type { Plan } from "../../lib/contract/types/contract.ts";
import { smallPlan } from "../support/small-plan.ts";

const plan = smallPlan({
  ...{ variants: ["rust", "rust-tuned", "python"], memoryMb: [512, 128] },
  architectures: ["arm64", "x86_64"],
});
const ids = (pairs: readonly Pair[]) =>
  pairs.map(({ cell, baselineCell }) => `${cell.id} / ${baselineCell.id}`);
const cellsOf = (memoryMb: number, architecture: "arm64" | "x86_64") =>
  plan.cells.filter((cell) => cell.memoryMb === memoryMb && cell.architecture === architecture);

describe("the pairs that a report compares", () => {
  it("are of each variant with the baseline of its size and architecture, without replicas", () => {
    expect(ids(variantPairs(plan, "rust"))).toEqual(
      ["arm64-128", "arm64-512", "x86-64-128", "x86-64-512"].flatMap((size) =>
        ["rust-tuned", "python"].map((variant) => `${variant}-${size} / rust-${size}`),
      ),
    );
    expect(variantPairs(plan, "java")).toEqual([]);
  });

  it("are of cells of one size by their workers, and else as planned", () => {
    const cells = [2, 3, undefined, 2].map((workers, id) => ({ ...plan.cells[0], id, workers }));
    const ordered = orderedCells({ cells: cells as unknown as Plan["cells"] });
    expect(ordered.map(({ id }) => id)).toEqual([2, 0, 3, 1]);
  });

  it("are of sizes with the same workers alone", () => {
    const cells = plan.cells.map((cell) => ({
      ...cell,
      ...(cell.variant === "python" && { workers: 2 }),
    }));
    expect(ids(variantPairs({ ...plan, cells }, "rust")).join()).not.toContain("python");
  });

  it("are of each size of a variant with the next smaller one on its architecture", () => {
    const three = smallPlan({ variants: ["rust", "python"], memoryMb: [1024, 128, 512] });
    expect(ids(sizePairs(three))).toEqual(
      [
        [512, 128],
        [1024, 512],
      ].flatMap(([larger, smaller]) =>
        ["rust", "python"].map((each) => `${each}-arm64-${larger} / ${each}-arm64-${smaller}`),
      ),
    );
    expect(ids(sizePairs(plan))).not.toContainEqual(expect.stringMatching(/arm64.*x86-64/));
  });

  it("are of a replica with its original, which holds for its size and architecture alone", () => {
    const [replica] = replicaPairs(plan);
    expect(ids(replicaPairs(plan))).toEqual(["rust-arm64-128-replica / rust-arm64-128"]);
    const [small, large] = [cellsOf(128, "arm64"), cellsOf(512, "arm64")];
    expect(replicaPairAt(plan, small)).toEqual(replica);
    expect(replicaPairAt(plan, [...large, ...small])).toEqual(replica);
    expect(replicaPairAt(plan, large)).toBeUndefined();
    expect(replicaPairAt(plan, cellsOf(128, "x86_64"))).toBeUndefined();
    expect([hasDeployments({ target: "aws" }), hasDeployments({ target: "local" })]).toEqual([
      ...[true, false],
    ]);
  });
});

describe("the pairs that differ in one factor", () => {
  const factors = [
    { factor: "build", variant: "python", baseline: "rust-tuned" },
    { factor: "language", variant: "java", baseline: "rust" },
  ];

  it("are arm64 with x86_64, and the variants that the plan declares, at each size", () => {
    const found = listFactorPairs({ ...plan, factors });
    const named = found.map((pair) => `${pair.factor}: ${ids([pair])[0]}`);
    expect(named).toEqual([
      ...[128, 512].flatMap((size) =>
        ["rust", "rust-tuned", "python"].map(
          (each) => `architecture: ${each}-arm64-${size} / ${each}-x86-64-${size}`,
        ),
      ),
      ...["arm64-128", "arm64-512", "x86-64-128", "x86-64-512"].map(
        (size) => `build: python-${size} / rust-tuned-${size}`,
      ),
    ]);
  });

  it("are none of an import, whose cells share no blocks, nor those that are compared already", () => {
    expect(listFactorPairs({ ...plan, factors, target: "imported" })).toEqual([]);
    const known = variantPairs(plan, "rust-tuned");
    const beside = factorPairsBeside({ ...plan, factors }, known);
    expect(new Set(beside.map(({ factor }) => factor))).toEqual(new Set(["architecture"]));
    expect(beside).toHaveLength(6);
  });
});
