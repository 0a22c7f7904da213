import { describe, expect, it } from "vitest";
import type { CollectedSamples } from "../../lib/analysis/collect-samples.ts";
import { makeLimitContinuation } from "../../lib/analysis/sizes-for-limits.ts";
import { parseLimit } from "../../lib/plan/limits.ts";
import { smallPlan } from "../support/small-plan.ts";

const blocks = 120;
/** Returns a quantity of about 10 in each block, with so much of a spread. */
const about10 = (spread: number) => (block: number) => 10 + spread * (((7 * block) % 5) - 2);

interface Sized {
  readonly msOf?: (block: number) => number;
  readonly usd?: number | undefined;
}

/** Returns which of the sizes of 128 MB and of 512 MB are still measured for the limits after so many blocks. */
function neededAfter(until: number, limits: readonly string[], one: Sized = {}, other?: Sized) {
  const sizeChoice = {
    ...{ coldShare: 0.01, gbSecondUsd: 0.0000133334, requestUsd: 0.0000002 },
    ...(limits.length > 0 && { limits: limits.map(parseLimit) }),
  };
  const plan = smallPlan({
    ...{ variants: ["python"], memoryMb: [128, 512], cold: 6, warm: 48 },
    stopping: { untilPrecision: 0.1, sizeChoice },
  });
  const sized = (id: string) => (id.endsWith("-128") ? one : (other ?? {}));
  const units = (msOf: Sized["msOf"] = about10(0.1)) =>
    Array.from({ length: blocks }, (_, block) => ({ block, values: [msOf(block)] }));
  const samples = {
    series: (id: string, _: string, phase: string) => ({
      series: (metric: string) => {
        const time = phase === "cold" ? "initAndDurationMs" : "durationMs";
        const isAsked = metric === time || metric === "maxMemoryUsedMb";
        return { units: isAsked ? units(sized(id).msOf) : [] };
      },
    }),
  } as unknown as CollectedSamples;
  const cells = other === undefined ? plan.cells.slice(0, 1) : plan.cells;
  const priced = cells.map((cell) => ({ cell, usd: () => sized(cell.id).usd }));
  const isNeeded = makeLimitContinuation(plan, samples, priced);
  return isNeeded && plan.cells.map(({ id }) => isNeeded(id, until));
}

describe("a size that a limit may need", () => {
  it.each([
    ["a mean below it has been seen in 38 environments", "warm.mean < 20 ms", 37, 38],
    ["a median is below it, in as many as an interval takes", "warm.median < 20 ms", 5, 6],
    ["a mean is above it", "warm.mean < 5 ms", 5, 6],
    ["a P95 has its upper bound", "cold.p95 < 20 ms", 58, 59],
    ["a P95 has its upper bound, above it", "second.p95 < 10.1 ms", 58, 59],
    ["memory has an interval below it", "memory < 20 MB", 5, 6],
  ])("is measured until %s", (_, limit, open, closed) => {
    expect(neededAfter(open, [limit])).toEqual([true, false]);
    expect(neededAfter(closed, [limit])).toEqual([false, false]);
  });

  it.each([
    ["a mean whose interval, half as wide again, holds it", "warm.mean < 10 ms", 100, true],
    ["a P95 that is above it, but not by three tenths", "cold.p95 < 9 ms", 30, true],
    ["a P95 that is above it by three tenths", "cold.p95 < 7.5 ms", 30, false],
    ["memory that reached it once", "memory < 10.2 MB", 5, false],
  ])("is measured or not by %s", (_, limit, until, isNeeded) => {
    expect(neededAfter(until, [limit])).toEqual([isNeeded, false]);
  });

  it("widens a mean's interval before it decides: a look is not the only one", () => {
    // The mean is 10, the ends of its interval about 0.3 from it.
    const spread = { msOf: about10(1) };
    const needed = (limit: string) => neededAfter(80, [limit], spread)?.[0];
    expect(needed("warm.mean < 10.4 ms")).toBe(true);
    expect(needed("warm.mean < 10.6 ms")).toBe(false);
    expect(needed("warm.mean < 9.6 ms")).toBe(true);
    expect(needed("warm.mean < 9.4 ms")).toBe(false);
  });

  it("is measured while any of its limits is open, unless it misses another", () => {
    expect(neededAfter(30, ["warm.mean < 20 ms", "memory < 20 MB"])?.[0]).toBe(true);
    expect(neededAfter(30, ["warm.mean < 20 ms", "memory < 5 MB"])?.[0]).toBe(false);
    expect(neededAfter(60, ["second.p95 < 10.1 ms", "memory < 20 MB"])?.[0]).toBe(false);
  });

  it("is not measured where one that costs less is within all limits", () => {
    const open = { msOf: about10(5), usd: 2 };
    const needed = (within: Sized, size: Sized = open) =>
      neededAfter(60, ["warm.mean < 11 ms"], within, size);
    expect(needed({ usd: 1 })).toEqual([false, false]);
    expect(needed({ usd: 3 })).toEqual([false, true]);
    expect(needed({ usd: 2 })).toEqual([false, true]);
    expect(needed({ usd: undefined })).toEqual([false, true]);
    expect(needed({ usd: 1 }, { msOf: about10(5) })).toEqual([false, false]);
    // A cheaper one that may be within them decides nothing.
    expect(needed({ ...open, usd: 1 })).toEqual([true, true]);
  });

  it("is none where there are no limits, or limits on the package alone", () => {
    expect(neededAfter(30, [])).toBeUndefined();
    expect(neededAfter(30, ["package < 50 MB"])).toBeUndefined();
  });
});
