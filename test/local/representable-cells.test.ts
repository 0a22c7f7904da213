import { describe, expect, it } from "vitest";
import { compute } from "../../lib/experiments/compute/definition.ts";
import { multicore } from "../../lib/experiments/multicore/definition.ts";
import { representableCells } from "../../lib/local/machine.ts";
import type { Experiment } from "../../lib/plan/experiment.ts";
import { matrix } from "../../lib/plan/matrix.ts";

const cellsOf = ({ memoryMb, ...experiment }: Experiment) =>
  matrix(
    { ...experiment, memoryMb },
    { variants: experiment.variants.map(({ id }) => id), memoryMb, architectures: ["x86_64"] },
  );

describe("the cells that a machine can represent", () => {
  it("are those whose workers and vCPUs it has; the others are named once with the reason", () => {
    const { cells, leftOut } = representableCells(cellsOf(multicore), 2);
    expect(new Set(cells.map(({ memoryMb }) => memoryMb))).toEqual(new Set([1536, 2048]));
    expect(cells.some(({ replicaOf }) => replicaOf !== undefined)).toBe(true);
    expect(leftOut).toHaveLength(4);
    expect(leftOut[0]).toBe("4096 MB with 3 workers: 2.32 vCPUs, and this machine has 2");
  });

  it("are all where the machine is large enough, or a function has no pool", () => {
    expect(representableCells(cellsOf(multicore), 6).leftOut).toEqual([]);
    expect(representableCells(cellsOf(compute), 1).leftOut).toEqual([]);
  });

  it("must be at least one", () => {
    const large = cellsOf(multicore).filter(({ memoryMb }) => memoryMb > 4096);
    expect(() => representableCells(large, 2)).toThrow("memory: found [6144,8192,10240]");
  });
});
