import { assert, constantFrom, integer, property } from "fast-check";
import { describe, expect, it } from "vitest";
import { checkBilled } from "../../lib/cost/invocation-cost.ts";

describe("Billed Duration", () => {
  it("is the ceiling of init plus duration, and not the sum of two ceilings", () => {
    const cold = { durationMs: 912.3, initDurationMs: 112.3 };
    expect(checkBilled({ ...cold, billedDurationMs: 1025 })).toEqual({ kind: "ok" });
    expect(checkBilled({ ...cold, billedDurationMs: 1026 })).toEqual({
      kind: "mismatch",
      billedDurationMs: 1026,
      expectedMs: 1025,
    });
  });

  it("without Init in the bill is a mismatch", () => {
    const unbilled = { durationMs: 912.3, initDurationMs: 112.3, billedDurationMs: 913 };
    expect(checkBilled(unbilled)).toMatchObject({ kind: "mismatch", expectedMs: 1025 });
  });

  it("of a warm invocation is the ceiling of its duration", () => {
    expect(checkBilled({ durationMs: 2.01, billedDurationMs: 3 })).toEqual({ kind: "ok" });
    expect(checkBilled({ durationMs: 2.2, billedDurationMs: 2 }).kind).toBe("mismatch");
  });

  it("may be off by the last printed digit of each of its parts, and by no more", () => {
    expect(checkBilled({ durationMs: 2.01, billedDurationMs: 2 })).toEqual({ kind: "ok" });
    expect(checkBilled({ durationMs: 2.02, billedDurationMs: 2 }).kind).toBe("mismatch");
    const cold = { initDurationMs: 1.01, durationMs: 1.01 };
    expect(checkBilled({ ...cold, billedDurationMs: 2 })).toEqual({ kind: "ok" });
    expect(checkBilled({ ...cold, durationMs: 1.02, billedDurationMs: 2 }).kind).toBe("mismatch");
  });

  it("is right whether init and duration were rounded or cut for the log", () => {
    const microseconds = integer({ min: 0, max: 60_000_000 });
    const roundings = constantFrom(Math.round, Math.floor);
    assert(
      property(microseconds, microseconds, roundings, (initUs, durationUs, round) => {
        const telemetry = {
          initDurationMs: round(initUs / 10) / 100,
          durationMs: round(durationUs / 10) / 100,
          billedDurationMs: Math.ceil((initUs + durationUs) / 1000),
        };
        expect(checkBilled(telemetry)).toEqual({ kind: "ok" });
      }),
      { numRuns: 5000, examples: [[59_999_995, 48_519_005, Math.round]] },
    );
  });

  it("is not judged where it is not said, after a restore, or after a failure", () => {
    const said = { durationMs: 5, billedDurationMs: 99 };
    expect(checkBilled({ durationMs: 5 })).toEqual({
      kind: "unknown",
      reason: "no-billed-duration",
    });
    expect(checkBilled({ ...said, restoreDurationMs: 80, billedRestoreDurationMs: 94 })).toEqual({
      kind: "unknown",
      reason: "restored",
    });
    for (const failure of [{ status: "timeout" }, { errorType: "Runtime.ExitError" }]) {
      expect(checkBilled({ ...said, ...failure })).toEqual({
        ...{ kind: "unknown", reason: "not-successful" },
      });
    }
  });
});
