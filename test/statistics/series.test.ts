import { describe, expect, it } from "vitest";
import type { Sample } from "../../lib/contract/types/contract.ts";
import {
  environmentMeans,
  environmentMedians,
  inSharedBlocks,
  makeSeries,
  meanPerEnvironment,
  medianPerEnvironment,
} from "../../lib/statistics/series.ts";

const cell = {
  id: "rust-arm64-128",
  variant: "rust",
  runtime: "provided.al2023",
  architecture: "arm64",
  memoryMb: 128,
} as const;

function sample(block: number, durationMs: number, rejected?: Sample["rejected"]): Sample {
  return {
    runId: "run",
    experiment: "dynamodb",
    target: "fake",
    cell,
    operation: "get",
    phase: "warm",
    block,
    sequence: 0,
    startedAt: "2026-01-01T00:00:00.000Z",
    telemetry: { durationMs },
    ...(rejected === undefined ? {} : { rejected }),
  };
}

describe("a series", () => {
  it("has one unit a block, and no rejected sample in it", () => {
    const samples = [
      sample(1, 5),
      sample(0, 1),
      sample(1, 7),
      sample(1, 99, { reason: "warm-up" }),
    ];
    const series = makeSeries(samples, ({ telemetry }) => telemetry?.durationMs);
    expect(series.units).toEqual([
      { block: 1, values: [5, 7] },
      { block: 0, values: [1] },
    ]);
  });

  it("leaves out what was not measured, and never takes it for 0", () => {
    const series = makeSeries([sample(0, 1)], ({ telemetry }) => telemetry?.initDurationMs);
    expect(series.units).toEqual([]);
  });

  it("has its environments in the order of blocks and values, with the CPU models that are known", () => {
    const fast = { cpuModel: "fast" };
    const units = [
      { block: 1, values: [9] },
      { block: 0, values: [5, 7], ...fast },
      { block: 0, values: [4] },
    ];
    for (const of of [environmentMeans, environmentMedians]) {
      expect(of({ units })).toStrictEqual([
        { block: 0, value: 4 },
        { block: 0, value: 6, ...fast },
        { block: 1, value: 9 },
      ]);
    }
  });

  it("is cut to the blocks that the other has, unless one of them is empty", () => {
    const [one, other] = [
      [0, 1, 1, 3],
      [1, 2, 3],
    ].map((blocks) => blocks.map((block) => ({ block })));
    expect(inSharedBlocks(one ?? [], other ?? [])).toEqual([
      [{ block: 1 }, { block: 1 }, { block: 3 }],
      [{ block: 1 }, { block: 3 }],
    ]);
    expect(inSharedBlocks(one ?? [], [])).toEqual([one, []]);
    expect(inSharedBlocks([], other ?? [])).toEqual([[], other]);
  });

  it("counts an environment once, however many calls it had", () => {
    const units = [
      { block: 2, values: [10, 50, 20] },
      { block: 0, values: [1] },
      { block: 1, values: [] },
    ];
    expect(environmentMedians({ units })).toEqual([
      { block: 0, value: 1 },
      { block: 2, value: 20 },
    ]);
    expect(medianPerEnvironment({ units })).toEqual([1, 20]);
    expect(environmentMeans({ units })).toEqual([
      { block: 0, value: 1 },
      { block: 2, value: 80 / 3 },
    ]);
    expect(meanPerEnvironment({ units })).toEqual([1, 80 / 3]);
  });
});
