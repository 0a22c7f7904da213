import { describe, expect, it } from "vitest";
import { tableText } from "../../bench/comparison-text.ts";
import { figuresOf } from "../../bench/figures.ts";
import type { Sample } from "../../lib/contract/types/contract.ts";

const base: Sample = {
  runId: "x",
  experiment: "dynamodb",
  target: "local",
  cell: {
    id: "rust-x86-64-128",
    variant: "rust",
    runtime: "provided.al2023",
    architecture: "x86_64",
    memoryMb: 128,
  },
  operation: "get",
  phase: "cold",
  block: 0,
  sequence: 0,
  startedAt: "2026-01-02T03:04:05.000Z",
};

function timedCold(firstMs: number): Sample {
  const telemetry = { durationMs: firstMs, initDurationMs: 20, maxMemoryUsedMb: 14 };
  return { ...base, telemetry, cpu: { initCpuMs: 5, invocationCpuMs: 58 } };
}

function counted(invocation: number, init?: number): Sample {
  const instructions = { ...(init !== undefined && { init }), invocation };
  return {
    ...base,
    phase: init === undefined ? "warm" : "cold",
    telemetry: { durationMs: 99_999, initDurationMs: 99_999, maxMemoryUsedMb: 999 },
    instructions,
    rejected: { reason: "instrumented" },
  };
}

const samples = [
  ...[710, 700, 720].map(timedCold),
  ...[1, 2, 3].map((offset) => counted(424e6 + offset, 12e6)),
  ...[620_000, 610_000, 630_000].map((count) => counted(count)),
];

describe("the figures of a variant", () => {
  const figures = figuresOf({
    samples,
    artefact: { variant: "rust", architecture: "x86_64", sizeBytes: 14e6, zipBytes: 5.5e6 },
  });

  it("are medians of every environment, with the smallest and the largest", () => {
    expect(figures.firstMs).toEqual({ n: 3, median: 710, smallest: 700, largest: 720 });
    expect(figures.warmInstructions).toEqual({
      n: 3,
      median: 620_000,
      smallest: 610_000,
      largest: 630_000,
    });
  });

  it("add Init and the first request environment by environment", () => {
    expect(figures.initAndFirstInstructions?.median).toBe(436e6 + 2);
  });

  it("take no time of a call that was counted, and no memory", () => {
    expect(figures.initMs?.largest).toBe(20);
    expect(figures.peakMb?.largest).toBe(14);
  });

  it("leave out what was not measured", () => {
    expect(figures).not.toHaveProperty("warmMs");
    expect(figuresOf({ samples: [] })).toEqual({});
    const withoutCpu = samples.map(({ cpu: _, ...sample }) => sample);
    expect(figuresOf({ samples: withoutCpu })).not.toHaveProperty("firstCpuMs");
  });

  it("stand in a table beside each other, with their ratio and what of them is the rig's own", () => {
    const tuned = figuresOf({ samples: samples.filter(({ phase }) => phase === "warm") });
    const timed = figuresOf({ samples: [timedCold(1420)] });
    const text = tableText({ usual: figures, tuned, python: timed, rig: {} });
    const row = (label: string) => text.split("\n").find((line) => line.startsWith(label));
    expect(row("first request, instructions")).toMatch(/424\.0 M +– +– +– +– +–$/);
    expect(row("warm request, instructions")).toMatch(
      /0\.620 M \[0\.610 M, 0\.630 M\] +0\.620 M \[0\.610 M, 0\.630 M\] +1\.00 +– +– +–$/,
    );
    expect(row("zip")).toMatch(/5\.50 MB +– +– +– +– +–$/);
    expect(row("first request, wall")).toMatch(/710 ms \[.*\] +– +– +1,?420 ms +– +–$/);
  });
});
