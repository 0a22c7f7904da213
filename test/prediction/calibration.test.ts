import { describe, expect, it } from "vitest";
import {
  type CalibratingCall,
  type Model,
  makeCalibrator,
} from "../../lib/prediction/calibration.ts";
import type { FunctionKind } from "../../lib/prediction/function-kind.ts";
import type { LocalCall } from "../../lib/prediction/local-times.ts";
import { predictTimes } from "../../lib/prediction/model.ts";
import { ratioRange, timeRange } from "../../lib/prediction/ranges.ts";
import { truth } from "./support/made-up.ts";

const python: FunctionKind = { family: "python", work: "service", gathersJitter: false };
const rust: FunctionKind = { family: "native", work: "service", gathersJitter: true };
const hash: FunctionKind = { family: "native", work: "compute", gathersJitter: false };
const spread = 0.3;
const model: Model = { constants: truth, spread: { of: () => spread } };
const warm = { memoryMb: 512, call: "warm", durationMs: 10, networkMs: 10 } as const;

interface Calibrating extends Partial<Omit<LocalCall, "kind">> {
  readonly kinds?: readonly FunctionKind[];
  /** Standard deviation of the logarithms that both runs have together. */
  readonly noise?: number;
}

/** A call that took so many times as long on Lambda as the model has it. */
function calibrating(
  name: string,
  times: number,
  { kinds = [python], noise = 0, ...of }: Calibrating = {},
): CalibratingCall {
  const local = { ...warm, ...of };
  const [kind = python] = kinds;
  const predicted = predictTimes({ ...local, kind }, truth);
  return {
    ...{ function: name, calls: kinds.map((each) => ({ ...local, kind: each })) },
    lambda: {
      durationMs: times * predicted.durationMs,
      ...(predicted.initMs !== undefined && { initMs: times * predicted.initMs }),
    },
    runSpread: { durationMs: noise, initMs: noise },
  };
}

const learned = (...calls: readonly CalibratingCall[]) =>
  makeCalibrator(calls, model).factorOf("warm", python);

describe("a calibration", () => {
  it("says nothing without a call of the family and the part", () => {
    expect(learned()).toBeUndefined();
    const calibrator = makeCalibrator([calibrating("a", 2)], model);
    expect(calibrator.factorOf("warm", rust)).toBeUndefined();
    expect(calibrator.factorOf("first", python)).toBeUndefined();
    expect(calibrator.factorOf("init", python)).toBeUndefined();
    expect(calibrator.factorOf("warm", { ...python, work: "compute" })).toBeUndefined();
  });

  it("goes half the way with one function, whatever its sizes, and keeps most of the spread", () => {
    const one = learned(calibrating("a", 2));
    expect(one?.factor).toBeCloseTo(Math.SQRT2, 9);
    expect(one?.remaining).toBeCloseTo(0.75, 9);
    expect(one?.spread).toBeCloseTo(spread * Math.sqrt(0.75), 9);
    const sizes = learned(calibrating("a", 2), calibrating("a", 2, { memoryMb: 128 }));
    expect(sizes).toEqual({ ...one, calls: 2 });
  });

  it("goes nearly all the way with functions that agree, and is then sure of it", () => {
    const many = learned(...Array.from({ length: 12 }, (_, index) => calibrating(`f${index}`, 2)));
    expect(many?.factor).toBeGreaterThan(1.98);
    expect(many?.remaining).toBeLessThan(0.1);
  });

  it("believes functions that differ less, and is as wide as they are apart", () => {
    const apart = learned(calibrating("a", 4), calibrating("b", 1));
    const alike = learned(calibrating("a", 2), calibrating("b", 2));
    expect(apart?.factor).toBeLessThan(alike?.factor ?? 0);
    expect(apart?.spread).toBeGreaterThan(Math.log(2) * 0.7);
    expect(apart?.remaining).toBeGreaterThan(1);
  });

  it("is wider where the sizes of its one function say different things", () => {
    const even = learned(calibrating("a", 2), calibrating("a", 2, { memoryMb: 128 }));
    const uneven = learned(calibrating("a", 3), calibrating("a", 4 / 3, { memoryMb: 128 }));
    expect(uneven?.spread).toBeGreaterThan(even?.spread ?? 0);
    expect(uneven?.factor).toBeLessThan(even?.factor ?? 0);
  });

  it("goes less far where the runs themselves know less", () => {
    const sure = learned(calibrating("a", 2));
    const unsure = learned(calibrating("a", 2, { noise: 0.5 }));
    expect(unsure?.factor).toBeLessThan(sure?.factor ?? 0);
    expect(unsure?.remaining).toBeGreaterThan(sure?.remaining ?? 1);
    expect(unsure?.remaining).toBeLessThan(1);
  });

  it("holds a function of unknown work against each work that it may be", () => {
    const kinds = [python, { ...python, work: "compute" as const }];
    const calibrator = makeCalibrator([calibrating("own", 1.5, { kinds })], model);
    const onLambda = 1.5 * 0.9 * warm.durationMs;
    for (const kind of kinds) {
      const plain = timeRange({ ...warm, kind }, "warm", 0, { model })?.expected ?? 0;
      const moved = timeRange({ ...warm, kind }, "warm", 0, { model, calibrator })?.expected;
      expect(moved).toBeCloseTo(Math.sqrt(plain * onLambda), 9);
    }
  });

  it("takes computing of first calls and of warm ones as one part", () => {
    const calls = [calibrating("a", 2, { kinds: [hash], call: "first", initMs: 4 })];
    const calibrator = makeCalibrator(calls, model);
    expect(calibrator.factorOf("warm", hash)?.factor).toBeCloseTo(Math.SQRT2, 9);
    expect(calibrator.factorOf("init", hash)?.factor).toBeCloseTo(Math.SQRT2, 9);
  });

  it("takes the first call after an Init that made a request for neither a first one nor a warm one", () => {
    const of = { kinds: [rust], call: "first", initMs: 60, warmupMs: 50 } as const;
    const calibrator = makeCalibrator([calibrating("warmed", 2, of)], model);
    expect(calibrator.factorOf("first", rust)).toBeUndefined();
    expect(calibrator.factorOf("warm", rust)).toBeUndefined();
    expect(calibrator.factorOf("warmed", rust)?.factor).toBeCloseTo(Math.SQRT2, 9);
  });
});

const first = { memoryMb: 512, call: "first", networkMs: 10 } as const;
const starts: Readonly<Record<"rust" | "python", LocalCall>> = {
  rust: { ...first, kind: rust, durationMs: 80, initMs: 7, artefactMb: 17 },
  python: { ...first, kind: python, durationMs: 60, initMs: 240 },
};

describe("a calibrated range", () => {
  it("moves by the factor, is narrower, and says that it is calibrated", () => {
    const calibrator = makeCalibrator([calibrating("a", 2)], model);
    const call = { ...warm, kind: python };
    const plain = timeRange(call, "warm", 0, { model });
    const moved = timeRange(call, "warm", 0, { model, calibrator });
    expect((moved?.expected ?? 0) / (plain?.expected ?? 1)).toBeCloseTo(Math.SQRT2, 9);
    const width = (range = plain) => (range?.high ?? 0) / (range?.low ?? 1);
    expect(width(moved)).toBeCloseTo(width(plain) ** Math.sqrt(0.75), 9);
    expect([plain?.isCalibrated, moved?.isCalibrated]).toEqual([undefined, true]);
  });

  it("of a cold start moves by the factors of its parts", () => {
    const calls = [calibrating("a", 2, { ...starts.python, kinds: [python] })];
    const calibrator = makeCalibrator(calls, model);
    const plain = timeRange(starts.python, "cold", 0, { model })?.expected ?? 0;
    const moved = timeRange(starts.python, "cold", 0, { model, calibrator });
    expect((moved?.expected ?? 0) / plain).toBeCloseTo(Math.SQRT2, 9);
  });

  it("of a ratio is left alone where only one of its functions is calibrated", () => {
    const calls = [calibrating("a", 2, { ...starts.python, kinds: [python] })];
    const calibrator = makeCalibrator(calls, model);
    const of = (basis: Parameters<typeof ratioRange>[4]) =>
      ratioRange(starts.python, starts.rust, "cold", 0.1, basis);
    expect(of({ model, calibrator })).toEqual(of({ model }));
  });

  it("of a ratio loses what both functions have in common", () => {
    const calls = [
      calibrating("a", 2, { ...starts.python, kinds: [python] }),
      calibrating("b", 2, { ...starts.rust, kinds: [rust] }),
    ];
    const calibrator = makeCalibrator(calls, model);
    const of = (basis: Parameters<typeof ratioRange>[4]) =>
      ratioRange(starts.python, starts.rust, "cold", 0, basis);
    const [plain, moved] = [of({ model }), of({ model, calibrator })];
    expect(moved?.expected).toBeCloseTo(plain?.expected ?? 0, 9);
    expect(moved?.high).toBeLessThan(plain?.high ?? 0);
  });

  it("of two functions of one family is as wide as without", () => {
    const calibrator = makeCalibrator([calibrating("a", 2)], model);
    const above = { ...warm, kind: python, durationMs: 20 };
    const below = { ...warm, kind: python };
    const range = ratioRange(above, below, "warm", 0, { model, calibrator });
    expect(range).toEqual({
      ...ratioRange(above, below, "warm", 0, { model }),
      isCalibrated: true,
    });
  });
});
