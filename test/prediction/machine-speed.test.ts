import { describe, expect, it } from "vitest";
import study from "../../lib/contract/prediction.json" with { type: "json" };
import type { Machine, SpeedProbe } from "../../lib/contract/types/contract.ts";
import type { LocalCall } from "../../lib/prediction/local-times.ts";
import {
  atStudySpeed,
  isComparable,
  slownessOf,
  speedOf,
} from "../../lib/prediction/machine-speed.ts";

const studied: SpeedProbe = {
  schemaVersion: 2,
  handshakeMs: 0.3,
  interpreterMs: 8,
  allocationMs: 16,
};

describe("the speed of a machine beside the study's", () => {
  it("is told by Python's parts for Python, and by a handshake for all others", () => {
    const machine = { ...studied, handshakeMs: 0.6, interpreterMs: 12, allocationMs: 96 };
    expect(slownessOf(machine, "native", studied)).toBeCloseTo(2, 12);
    expect(slownessOf(machine, "node", studied)).toBeCloseTo(2, 12);
    expect(slownessOf(machine, "python", studied)).toBeCloseTo(3, 12);
  });

  it("is told by the handshake where a run used no Python of this project", () => {
    const { interpreterMs: _, ...withoutPython } = { ...studied, handshakeMs: 0.9 };
    expect(slownessOf(withoutPython, "python", studied)).toBeCloseTo(3, 12);
  });

  it("is that of a studied machine with the same processor where a run stored none", () => {
    const [first] = study.studies;
    const [cpuModel = ""] = first?.machine.split(",") ?? [];
    const machine = { cpuModel } as Machine;
    expect(speedOf({ machine })).toEqual(first?.speed);
    expect(speedOf({ machine: { cpuModel: "Another processor" } as Machine })).toBeUndefined();
    expect(speedOf({ machine, speed: studied })).toBe(studied);
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
