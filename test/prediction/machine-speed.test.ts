import { describe, expect, it } from "vitest";
import study from "../../lib/contract/prediction.json" with { type: "json" };
import type { Machine, SpeedProbe } from "../../lib/contract/types/contract.ts";
import type { Family, Work } from "../../lib/prediction/function-kind.ts";
import type { LocalCall } from "../../lib/prediction/local-times.ts";
import {
  atStudySpeed,
  isComparable,
  slownessOf,
  speedChangeOf,
  speedOf,
} from "../../lib/prediction/machine-speed.ts";

const kind = (family: Family, work: Work = "service") => ({ family, work });

const studied: SpeedProbe = {
  schemaVersion: 2,
  handshakeMs: 0.3,
  interpreterMs: 8,
  allocationMs: 16,
};

describe("the speed of a machine beside the study's", () => {
  it("is told by Python's parts for Python, and by a handshake for all others", () => {
    const machine = { ...studied, handshakeMs: 0.6, interpreterMs: 12, allocationMs: 96 };
    expect(slownessOf(machine, kind("native"), studied)).toBeCloseTo(2, 12);
    expect(slownessOf(machine, kind("node"), studied)).toBeCloseTo(2, 12);
    expect(slownessOf(machine, kind("python"), studied)).toBeCloseTo(3, 12);
  });

  it("is told by the handshake where a run used no Python of this project", () => {
    const { interpreterMs: _, ...withoutPython } = { ...studied, handshakeMs: 0.9 };
    expect(slownessOf(withoutPython, kind("python"), studied)).toBeCloseTo(3, 12);
  });

  it("is that of a studied machine with the same processor where a run stored none", () => {
    const [first] = study.studies;
    const [cpuModel = ""] = first?.machine.split(",") ?? [];
    const machine = { cpuModel } as Machine;
    expect(speedOf({ machine })).toEqual(first?.speed);
    expect(speedOf({ machine: { cpuModel: "Another processor" } as Machine })).toBeUndefined();
    expect(speedOf({ machine, speed: studied })).toEqual(studied);
  });

  it("is told by hashing for native computing, where both probes have it", () => {
    const machine = { ...studied, handshakeMs: 0.6, hashMs: 12 };
    const reference = { ...studied, hashMs: 3 };
    expect(slownessOf(machine, kind("native", "compute"), reference)).toBeCloseTo(4, 12);
    expect(slownessOf(machine, kind("native"), reference)).toBeCloseTo(2, 12);
    expect(slownessOf(machine, kind("python", "compute"), reference)).toBeCloseTo(1, 12);
    expect(slownessOf(machine, kind("native", "compute"), studied)).toBeCloseTo(2, 12);
  });

  it("is the median of the probes at the start and after the blocks of a run", () => {
    const probed = (handshakeMs: number) => ({
      ...{ block: 0, seconds: 1, otherCpus: 0, stolenCpus: 0 },
      speed: { schemaVersion: 2 as const, handshakeMs, hashMs: 1 },
    });
    const noise = { intervals: [0.6, 0.5, 0.7, 0.9].map(probed) };
    // A part that the start lacks is not known of the whole run.
    expect(speedOf({ speed: studied, noise })).toEqual({ ...studied, handshakeMs: 0.6 });
  });

  it("changes by its slowest probe over its fastest, by the parts that all have", () => {
    const later = (parts: Partial<SpeedProbe>) => ({
      ...{ block: 0, seconds: 1, otherCpus: 0, stolenCpus: 0 },
      speed: { schemaVersion: 2 as const, handshakeMs: 0.3, ...parts },
    });
    const noise = (...parts: readonly Partial<SpeedProbe>[]) => ({ intervals: parts.map(later) });
    const twice = { handshakeMs: 0.6, interpreterMs: 16, allocationMs: 32 };
    const { schemaVersion: _, ...even } = studied;
    expect(speedChangeOf({ speed: studied, noise: noise(even, twice) })).toBeCloseTo(2, 12);
    expect(speedChangeOf({ speed: studied, noise: noise({ handshakeMs: 0.15 }) })).toBeCloseTo(
      2,
      12,
    );
    expect(speedChangeOf({ speed: studied })).toBeUndefined();
  });

  it("must be that of a machine that made hundreds of requests, for such calls alone", () => {
    const made = study.studies.find(({ series }) =>
      series.some(({ experiment }) => experiment === "s3-fanout"),
    );
    const speed = made?.speed as SpeedProbe;
    const kind = { family: "python", work: "fan-out", gathersJitter: false } as const;
    expect(isComparable(speed, kind)).toBe(true);
    const slower = { ...speed, interpreterMs: 2 * (speed.interpreterMs ?? 0) };
    expect(isComparable(slower, kind)).toBe(false);
    expect(isComparable(slower, { ...kind, work: "service" })).toBe(true);
  });

  it("does not change what a call waits for", () => {
    const first: LocalCall = {
      kind: { family: "python", work: "service", gathersJitter: false },
      ...{ memoryMb: 128, call: "first", durationMs: 110, initMs: 200 },
      ...{ networkMs: 10, answerMs: 2 },
    };
    expect(atStudySpeed(first, 2)).toMatchObject({ durationMs: 60, initMs: 100 });
    const warm: LocalCall = { ...first, call: "warm", durationMs: 8 };
    expect(atStudySpeed(warm, 2).durationMs).toBe(5);
    expect(atStudySpeed({ ...warm, durationMs: 1 }, 2).durationMs).toBe(1);
    const warmed = { ...first, durationMs: 4, initMs: 230, warmupMs: 30 };
    expect(atStudySpeed(warmed, 2)).toMatchObject({ durationMs: 3, initMs: 120, warmupMs: 20 });
    const fanOut = { ...warm, kind: { ...warm.kind, work: "fan-out" as const } };
    expect(atStudySpeed(fanOut, 2)).toBe(fanOut);
  });
});
