import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { contractProblem } from "../../lib/contract/validate.ts";
import { dynamodb } from "../../lib/experiments/dynamodb/definition.ts";
import { multicore } from "../../lib/experiments/multicore/definition.ts";
import { s3Fanout } from "../../lib/experiments/s3-fanout/definition.ts";
import { expand, plannedSamples } from "../../lib/plan/expand.ts";
import type { ExperimentProtocol } from "../../lib/plan/experiment.ts";
import { isSameSize, matrix } from "../../lib/plan/matrix.ts";
import { smallPlan } from "../support/small-plan.ts";

const everything = {
  variants: dynamodb.variants.map((variant) => variant.id),
  memoryMb: dynamodb.memoryMb,
  architectures: ["arm64", "x86_64"],
} as const;

describe("the matrix", () => {
  it("is variant x memory x architecture, and one replica", () => {
    const cells = matrix(dynamodb, everything);
    expect(cells).toHaveLength(3 * 6 * 2 + 1);
    expect(new Set(cells.map((cell) => cell.id)).size).toBe(cells.length);
    expect(cells.filter((cell) => cell.replicaOf !== undefined)).toEqual([
      expect.objectContaining({
        id: "rust-arm64-128-replica",
        replicaOf: "rust-arm64-128",
        memoryMb: 128,
      }),
    ]);
  });

  it("gives a function the pool of its size, and has no other sizes then", () => {
    const variants = ["rust"];
    const cells = matrix(multicore, { ...everything, variants, memoryMb: [1536, 10_240] });
    expect(cells.map(({ workers }) => workers)).toEqual([1, 6, 1, 6, 1]);
    expect(() => matrix(multicore, { ...everything, variants, memoryMb: [1769] })).toThrow(
      "memoryMb: found 1769; allowed: different ones of 1536, 2048, 4096, 6144, 8192, 10240",
    );
  });

  it("is refused as a plan where it has more cells than a report is made of", () => {
    const [cell] = smallPlan().cells;
    const cells = Array.from({ length: 301 }, (_, n) => ({ ...Object(cell), id: `a-${n}` }));
    const choice = { ...smallPlan(), target: "fake", preset: "quick", lanes: 1 } as const;
    expect(() => expand(dynamodb, cells, choice)).toThrow(
      "cells: found 301; allowed: at most 300: fewer sizes or variants",
    );
  });

  it("has cells of one size where memory, architecture and workers are the same", () => {
    const [cell] = smallPlan().cells;
    if (cell === undefined) throw new Error("a plan has cells");
    expect(isSameSize(cell, { ...cell, variant: "python" })).toBe(true);
    for (const other of [{ memoryMb: 512 }, { architecture: "x86_64" as const }, { workers: 2 }]) {
      expect(isSameSize(cell, { ...cell, ...other })).toBe(false);
    }
  });

  it("has no replica where the replica's variant is not chosen", () => {
    const cells = matrix(dynamodb, { ...everything, variants: ["python"] });
    expect(cells.some((cell) => cell.replicaOf !== undefined)).toBe(false);
  });

  it.each([
    [{ variants: ["java"] }, 'variants: found "java"; allowed: rust, rust-tuned, python'],
    [{ variants: [] }, "variants: found []; allowed: rust, rust-tuned, python"],
    [{ memoryMb: [64] }, "memoryMb: found 64; allowed: different whole numbers from 128 to 10240"],
    [{ memoryMb: [128, 128] }, "memoryMb: found [128,128]; allowed: different"],
    [{ memoryMb: [128.5] }, "memoryMb: found 128.5"],
    [{ memoryMb: [10_241] }, "memoryMb: found 10241"],
    [{ memoryMb: [] }, "memoryMb: found []"],
    [{ architectures: [] }, "architectures: found []; allowed: arm64, x86_64"],
    [
      { architectures: ["mips" as "arm64"] },
      "there is no architecture mips; there are arm64 and x86_64",
    ],
  ])("refuses %j, and names the option", (wrong, message) => {
    const refused = () => matrix(dynamodb, { ...everything, ...wrong });
    expect(refused).toThrow(message);
    expect(refused).toThrow(expect.objectContaining({ field: Object.keys(wrong)[0] }));
  });

  it("has Lambda's smallest size and its largest one", () => {
    const memoryMb = [128, 10_240];
    const cells = matrix(dynamodb, { ...everything, variants: ["python"], memoryMb });
    expect(new Set(cells.map((cell) => cell.memoryMb))).toEqual(new Set(memoryMb));
  });
});

describe("the plan", () => {
  it("keeps its contract", () => {
    expect(contractProblem("plan", JSON.parse(JSON.stringify(smallPlan())))).toBeUndefined();
  });

  it("trials every cell once in every block, for every seed", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4_294_967_295 }), (seed) => {
        const plan = smallPlan({ seed, cold: 3, variants: ["rust", "rust-tuned", "python"] });
        const expected = plan.cells.map((cell) => cell.id).sort();
        for (const block of plan.blocks) {
          expect(block.trials.map((trial) => trial.cellId).sort()).toEqual(expected);
        }
      }),
    );
  });

  it("is the same for the same seed and another for another", () => {
    const memoryMb = [128, 256, 512];
    expect(smallPlan({ seed: 7, memoryMb })).toEqual(smallPlan({ seed: 7, memoryMb }));
    expect(smallPlan({ seed: 7, memoryMb }).blocks).not.toEqual(
      smallPlan({ seed: 8, memoryMb }).blocks,
    );
  });

  it("raises warm calls that would all be discarded to the fewest that count, and says so", () => {
    const { sizes, warnings } = smallPlan({ cold: 2, warm: 6 });
    expect(sizes).toMatchObject({ warmEnvironments: 2, warmCalls: 4, discardedCalls: 3 });
    expect(warnings[0]).toBe(
      "6 warm calls were asked for; 8 are made: the first 3 in each of 2 environments are discarded",
    );
    expect(smallPlan({ cold: 2, warm: 7 }).warnings.join()).not.toContain("asked for");
  });

  it("spreads the warm environments evenly over the blocks", () => {
    const plan = smallPlan({ preset: "standard", cold: 180, warm: 600 });
    const warm = plan.blocks.map((block) =>
      block.trials.every((trial) => trial.warmOrder.length === 4),
    );
    expect(warm.filter(Boolean)).toHaveLength(60);
    for (let start = 0; start < 180; start += 10) {
      expect(warm.slice(start, start + 10).filter(Boolean).length).toBeGreaterThanOrEqual(3);
    }
  });

  it("takes the sizes of its preset where none are given", () => {
    const cells = matrix(dynamodb, { ...everything, memoryMb: [128] });
    const choice = { runId: "r", target: "fake", createdAt: "t", seed: 1, lanes: 1 } as const;
    const sizes = (preset: "quick" | "standard") =>
      expand(dynamodb, cells, { ...choice, preset }).sizes;
    expect(sizes("quick")).toMatchObject({ environments: 9, warmEnvironments: 9, warmCalls: 10 });
    expect(sizes("standard")).toMatchObject({
      environments: 60,
      warmEnvironments: 60,
      warmCalls: 8,
    });
  });

  it("says which data its functions work on, and which declared factors it can tell", () => {
    const planOf = (experiment: ExperimentProtocol, variants: readonly string[]) => {
      const cells = smallPlan({ variants }).cells;
      const choice = { runId: "r", target: "fake", createdAt: "t", seed: 1, lanes: 1 } as const;
      return expand(experiment, cells, { ...choice, preset: "quick" });
    };
    const both = ["rust", "rust-tuned"];
    const { table: _, ...bare } = dynamodb;
    expect(planOf(dynamodb, both)).not.toHaveProperty("withoutTable");
    expect(planOf(dynamodb, both)).not.toHaveProperty("withBucket");
    expect(planOf(bare, both)).toMatchObject({ withoutTable: true });
    const { bucket } = s3Fanout;
    expect(planOf({ ...dynamodb, ...(bucket && { bucket }) }, both).withBucket).toBe(true);
    const factors = [{ factor: "build", variant: "rust-tuned", baseline: "rust" }];
    expect(planOf({ ...dynamodb, factors }, both).factors).toEqual(factors);
    expect(planOf({ ...dynamodb, factors }, ["rust"])).not.toHaveProperty("factors");
    expect(planOf({ ...dynamodb, factors }, ["rust-tuned"])).not.toHaveProperty("factors");
  });

  it("takes what the experiment declares of its calls, and nothing that it leaves out", () => {
    const choice = { ...smallPlan(), preset: "quick" } as const;
    const { requests: _, priors: __, ...bare } = dynamodb;
    const priors = { rust: { memoryMb: 128, initMs: 9, firstMs: 9, secondMs: 3, warmMs: 3 } };
    const declared = {
      requests: { query: { discardedCalls: 9 } },
      priors,
      ownResults: true as const,
    };
    expect(expand({ ...bare, ...declared }, choice.cells, choice)).toMatchObject(declared);
    const left = Object.keys(expand(bare, choice.cells, choice));
    expect(left.filter((field) => Object.hasOwn(declared, field))).toEqual([]);
  });

  it("counts the samples that it promises", () => {
    const plan = smallPlan({ cold: 3, warm: 15 });
    expect(plannedSamples(plan)).toBe(3 * 3 * (2 + 4 * 5));
    expect(plannedSamples(smallPlan({ cold: 3, warm: 0 }))).toBe(3 * 3 * 2);
  });

  it("warns of what its sizes cannot give", () => {
    expect(smallPlan({ cold: 2 }).warnings.join()).toContain("needs 6");
    expect(smallPlan({ variants: ["python"] }).warnings.join()).toContain("no A/A pair");
    for (const warm of [0, 30]) expect(smallPlan({ cold: 6, warm }).warnings).toEqual([]);
  });

  it.each([
    [{ cold: 0 }, "cold: found 0; allowed: a whole number from 1 to 1000"],
    [{ cold: 1.5 }, "cold: found 1.5"],
    [{ cold: 1001 }, "cold: found 1001"],
    [{ warm: -1 }, "warm: found -1; allowed: a whole number from 0"],
    [{ seed: -1 }, "seed: found -1"],
    [{ seed: 4_294_967_296 }, "seed: found 4294967296"],
    [{ lanes: 0 }, "lanes: found 0"],
    [{ preset: "slow" as "quick" }, 'preset: found "slow"; allowed: quick, standard'],
  ])("refuses %j before anything is spent", (wrong, message) => {
    expect(() => smallPlan(wrong)).toThrow(message);
  });
});
