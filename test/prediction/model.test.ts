import { describe, expect, it } from "vitest";
import { familyOf } from "../../lib/prediction/function-kind.ts";
import type { LocalCall } from "../../lib/prediction/local-times.ts";
import { predictTimes } from "../../lib/prediction/model.ts";
import { truth } from "./support/made-up.ts";

const first: LocalCall = {
  kind: { family: "native", work: "service", gathersJitter: true },
  memoryMb: 128,
  call: "first",
  durationMs: 310,
  initMs: 7,
  networkMs: 10,
  artefactMb: 17,
};

describe("the model", () => {
  it("makes a first request of Lambda's wait and the time of code that runs for the first time", () => {
    expect(predictTimes(first, truth).durationMs).toBeCloseTo(40 + (63 * 1769) / 128, 9);
    const large = { ...first, memoryMb: 3008 };
    expect(predictTimes({ ...large, durationMs: 31 }, truth).durationMs).toBeCloseTo(40 + 63, 9);
    const python = { family: "python", work: "service", gathersJitter: false } as const;
    expect(predictTimes({ ...first, kind: python }, truth).durationMs).toBeCloseTo(
      40 + 1.6 * 300,
      9,
    );
  });

  it("makes a native Init of the sandbox, the own start and the binary's size, and an interpreter's of its start", () => {
    expect(predictTimes(first, truth).initMs).toBeCloseTo(9 + 1.6 * 7 + 17 * 5, 9);
    const python = { family: "python", work: "service", gathersJitter: false } as const;
    const interpreted = predictTimes({ ...first, kind: python, initMs: 200 }, truth);
    expect(interpreted.initMs).toBeCloseTo(1.8 * 200, 9);
  });

  it("moves the first request into Init where Init makes one", () => {
    const warmed = { ...first, durationMs: 3, initMs: 30, warmupMs: 23 };
    const { initMs, durationMs } = predictTimes(warmed, truth);
    expect(initMs).toBeCloseTo(9 + 1.6 * 7 + 17 * 5 + (40 + 63), 9);
    expect(durationMs).toBeCloseTo(1.3 * 3, 9);
  });

  it("changes a warm call by the factor of its work and language, and has no Init of it", () => {
    const warm = { ...first, call: "warm", durationMs: 5 } as const;
    expect(predictTimes(warm, truth).durationMs).toBeCloseTo(6.5, 9);
    expect(predictTimes({ ...warm, initMs: 7 }, truth).initMs).toBeUndefined();
    const node = { ...warm, kind: { ...warm.kind, family: "node" } } as const;
    expect(predictTimes(node, truth).durationMs).toBe(5);
    const compute = { ...warm, kind: { ...warm.kind, work: "compute" } } as const;
    expect(predictTimes(compute, truth).durationMs).toBeCloseTo(6, 9);
  });

  it("knows the families of Lambda's runtimes, and none of those of which nothing is published", () => {
    const families = ["provided.al2023", "python3.13", "nodejs24.x", "java21"].map(familyOf);
    expect(families).toEqual(["native", "python", "node", undefined]);
  });
});
