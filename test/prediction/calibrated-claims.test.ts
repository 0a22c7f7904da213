import { describe, expect, it } from "vitest";
import { calibrateByWorkload } from "../../lib/prediction/calibrated-claims.ts";
import { isHeld, scoreClaims } from "../../lib/prediction/held-out.ts";
import { machineObservations } from "../../lib/prediction/study-calls.ts";
import { madeUpObservations } from "./support/made-up.ts";

/** Made-up sources, of which one has a machine and account on which all takes so many times as long. */
function withOneSlower(times: number) {
  return madeUpObservations(0.2, 1).map((each) => {
    const { published } = each;
    if (published.source !== "cebert") return each;
    const { durationMs = 0, initMs } = published;
    return {
      ...each,
      published: {
        ...published,
        durationMs: times * durationMs,
        ...(initMs !== undefined && { initMs: times * initMs }),
      },
    };
  });
}

describe("calibrating with one workload of a source", () => {
  it("goes half the way to a factor that the source's others have too", () => {
    const cebert = calibrateByWorkload([withOneSlower(4)]).filter(
      ({ source }) => source === "cebert",
    );
    expect(cebert.map(({ workload }) => workload)).toEqual(["dynamodb `get`", "sha256 `get`"]);
    for (const { before, after } of cebert) {
      // Of a cold start whose computing is not calibrated, only Init moves.
      const [plain, calibrated] = [before, after].map(
        (claims) => scoreClaims(claims.filter(({ kind }) => kind.quantity === "init")).meanFactor,
      );
      expect(plain).toBeGreaterThan(3);
      const way = Math.log(calibrated ?? 0) / Math.log(plain ?? 0);
      expect(way).toBeGreaterThan(0.4);
      expect(way).toBeLessThan(0.6);
    }
  });

  it("scores no claim of the workload that calibrates", () => {
    for (const { workload, before, after } of calibrateByWorkload([withOneSlower(2)])) {
      const [experiment = ""] = workload.split(" ");
      for (const { what } of [...before, ...after]) expect(what.startsWith(experiment)).toBe(false);
    }
  });

  it("scores the same claims before and after, and counts those that it says nothing of", () => {
    for (const { before, after, untouched } of calibrateByWorkload([withOneSlower(2)])) {
      const names = (claims: typeof before) => claims.map(({ what, memoryMb }) => [what, memoryMb]);
      expect(names(after)).toEqual(names(before));
      expect(untouched).toBeGreaterThan(0);
    }
  });

  it("is not possible with a source of one workload", () => {
    const all = madeUpObservations(0, 1).filter(({ local }) => local.kind.work !== "compute");
    expect(calibrateByWorkload([all])).toEqual([]);
  });
});

describe("what is published of Lambda", () => {
  const calibrated = calibrateByWorkload(machineObservations);
  const before = calibrated.flatMap((each) => each.before);
  const after = calibrated.flatMap((each) => each.after);

  it("is predicted better by a workload of its own source", () => {
    expect(new Set(calibrated.map(({ source }) => source)).size).toBeGreaterThanOrEqual(3);
    expect(scoreClaims(after).meanFactor).toBeLessThan(scoreClaims(before).meanFactor);
  });

  it("still lies in the ranges, which are narrower", () => {
    expect(after.filter(isHeld).length / after.length).toBeGreaterThan(0.8);
    expect(scoreClaims(after).meanWidth).toBeLessThan(scoreClaims(before).meanWidth);
  });
});
