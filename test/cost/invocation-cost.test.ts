import { assert, double, integer, property } from "fast-check";
import { describe, expect, it } from "vitest";
import type { Plan } from "../../lib/contract/types/contract.ts";
import {
  costPerMillionUsd,
  dataCostUsd,
  invocationCostUsd,
  studyCostPerMillionUsd,
} from "../../lib/cost/invocation-cost.ts";

const arm64 = { kind: "lambda-price", gbSecondUsd: 0.0000133334, requestUsd: 0.0000002 } as const;
const x86 = { kind: "lambda-price", gbSecondUsd: 0.0000166667, requestUsd: 0.0000002 } as const;

/** The multicore study: memory MB, duration ms, published USD a million (arm64, then x86_64). */
const study = [
  [arm64, 1536, 1885, 38.6],
  [arm64, 2048, 1334, 36.46],
  [arm64, 4096, 685, 37.47],
  [arm64, 6144, 463, 37.97],
  [arm64, 8192, 338, 36.94],
  [arm64, 10240, 280, 38.27],
  [x86, 1536, 1671, 42.78],
  [x86, 2048, 1253, 42.77],
  [x86, 4096, 892, 60.8],
  [x86, 6144, 429, 44.0],
  [x86, 8192, 330, 45.1],
  [x86, 10240, 292, 49.87],
] as const;

const durations = integer({ min: 0, max: 900_000 });
const memory = integer({ min: 128, max: 10_240 });

describe("the cost of an invocation", () => {
  it("is its GB-seconds, a GB of 1,024 MB, and its request", () => {
    const usd = invocationCostUsd({ billedDurationMs: 1000, memoryMb: 1024 }, arm64);
    expect(usd).toBeCloseTo(0.0000133334 + 0.0000002, 15);
  });

  it("is the request alone when nothing was billed", () => {
    expect(invocationCostUsd({ billedDurationMs: 0, memoryMb: 128 }, arm64)).toBe(0.0000002);
  });

  it("never falls with duration or memory", () => {
    assert(
      property(durations, durations, memory, memory, (oneMs, otherMs, oneMb, otherMb) => {
        const less = {
          billedDurationMs: Math.min(oneMs, otherMs),
          memoryMb: Math.min(oneMb, otherMb),
        };
        const more = {
          billedDurationMs: Math.max(oneMs, otherMs),
          memoryMb: Math.max(oneMb, otherMb),
        };
        expect(invocationCostUsd(more, x86)).toBeGreaterThanOrEqual(invocationCostUsd(less, x86));
      }),
    );
  });

  it("refuses what was not measured instead of taking it for 0", () => {
    const missing = { billedDurationMs: Number.NaN, memoryMb: 128 };
    expect(() => invocationCostUsd(missing, arm64)).toThrow(/billedDurationMs: found NaN/);
    expect(() => invocationCostUsd({ ...missing, billedDurationMs: -1 }, arm64)).toThrow(
      /found -1/,
    );
  });
});

describe("the cost of a million", () => {
  it.each([
    [1536, 1885, 37.9],
    [2048, 1334, 35.77],
  ])(
    "of the study's row of %i MB and %i ms is, by AWS's own arithmetic, %d USD",
    (memoryMb, ms, usd) => {
      const means = { coldBilledMs: ms, warmBilledMs: ms, memoryMb };
      expect(costPerMillionUsd(means, 0, arm64)).toBeCloseTo(usd, 2);
    },
  );

  it("lies between all warm and all cold, in step with the share", () => {
    const share = double({ min: 0, max: 1, noNaN: true });
    assert(
      property(durations, durations, memory, share, (coldBilledMs, warmBilledMs, memoryMb, at) => {
        const means = { coldBilledMs, warmBilledMs, memoryMb };
        const cold = costPerMillionUsd(means, 1, arm64);
        const warm = costPerMillionUsd(means, 0, arm64);
        expect(costPerMillionUsd(means, at, arm64)).toBeCloseTo(warm + at * (cold - warm), 6);
      }),
    );
  });

  it("is a cold invocation's alone where every one is cold, and a warm one's where none is", () => {
    const means = { coldBilledMs: 700, warmBilledMs: 3, memoryMb: 512 };
    const each = (billedDurationMs: number) =>
      1e6 * invocationCostUsd({ billedDurationMs, memoryMb: 512 }, arm64);
    expect(costPerMillionUsd(means, 1, arm64)).toBeCloseTo(each(700), 9);
    expect(costPerMillionUsd(means, 0, arm64)).toBeCloseTo(each(3), 9);
  });

  it("is refused of a size or a time that was not measured, by its name", () => {
    const means = { coldBilledMs: 1, warmBilledMs: 1, memoryMb: 128 };
    for (const name of ["coldBilledMs", "warmBilledMs", "memoryMb"] as const) {
      const field = name === "memoryMb" ? name : "billedDurationMs";
      const lacking = { ...means, [name]: Number.NaN };
      expect(() => costPerMillionUsd(lacking, 0.5, arm64)).toThrow(`${field}: found NaN`);
    }
    expect(() => invocationCostUsd({ billedDurationMs: 1, memoryMb: -1 }, arm64)).toThrow(
      "memoryMb: found -1",
    );
  });

  it.each([-0.1, 1.1, Number.NaN])("refuses the cold share %d", (share) => {
    const means = { coldBilledMs: 1, warmBilledMs: 1, memoryMb: 128 };
    expect(() => costPerMillionUsd(means, share, arm64)).toThrow(/coldShare: found/);
  });
});

describe("what the services charge for calls", () => {
  const dynamodb = { readRequestUnitUsd: 0.25, writeRequestUnitUsd: 1.25 };
  const s3 = { putRequestUsd: 5, getRequestUsd: 0.4 };
  const calls = (...names: readonly string[]) => new Map(names.map((name) => [name, 2]));

  it("is a price for each request that an operation makes: S3 lists at the price of a put", () => {
    expect(dataCostUsd(calls("get", "put"), { dynamodb })).toBe(2 * (0.5 * 0.25 + 2 * 1.25));
    expect(dataCostUsd(calls("batch_write_get"), { dynamodb })).toBe(2 * (5 * 0.25 + 5 * 1.25));
    const ten = { fanout: { event: {}, operation: "fanout", parameters: { count: 10 } } };
    expect(dataCostUsd(calls("fanout"), { s3 }, ten as Plan["requests"])).toBe(2 * (5 + 10 * 0.4));
  });

  it("is not known where a service is not priced, whatever the other one costs", () => {
    for (const operation of ["get", "put", "batch_write_get"]) {
      expect(dataCostUsd(calls(operation), { s3 })).toBeUndefined();
    }
    expect(dataCostUsd(calls("fanout"), { dynamodb })).toBeUndefined();
    expect(dataCostUsd(calls("none-such"), { dynamodb, s3 })).toBeUndefined();
  });

  it("is nothing of an operation that asks no service, with prices or without", () => {
    for (const prices of [undefined, {}, { dynamodb }, { s3 }]) {
      expect(dataCostUsd(calls("noop"), prices)).toBe(0);
    }
  });
});

describe("the study's arithmetic", () => {
  it.each(study)(
    "reproduces its figure: %o, %i MB, %i ms, %d USD",
    (price, memoryMb, durationMs, usd) => {
      // Within 0.16%: the study printed rounded durations beside its costs.
      const reproduced = studyCostPerMillionUsd({ durationMs, memoryMb }, price);
      expect(Math.abs(reproduced / usd - 1)).toBeLessThan(0.002);
      // AWS's own GB would be 2.3% away.
      expect(Math.abs((reproduced * 1000) / 1024 / usd - 1)).toBeGreaterThan(0.02);
    },
  );
});
