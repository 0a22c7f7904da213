import { describe, expect, it } from "vitest";
import { type Baseline, isBroken } from "../../bench/baseline.ts";
import { changesText, compareCalls } from "../../bench/instruction-changes.ts";

const place = { processor: "AMD64-avx2", valgrind: "3.19.0", glibc: "2.36", rustc: "1.95.0" };
const baseline: Baseline = {
  place,
  versions: { "dynoxide-rs": "3.2.0" },
  machine: "a processor",
  measuredAt: "2026-01-02",
  instructions: { "dynoxide-embedded": { get: 1000, scan: 50_000 } },
};

describe("instructions of embedded calls", () => {
  it.each([
    [1200, false],
    [1201, true],
    [800, false],
    [799, true],
  ])("of 1,000 before and %i now are %s too far apart", (get, expected) => {
    const comparison = compareCalls([baseline], place, { get, scan: 50_000 });
    expect(comparison && isBroken(comparison)).toBe(expected);
  });

  it("fail nothing in another place, and say how it differs", () => {
    const elsewhere = { ...place, rustc: "1.96.0" };
    const comparison = compareCalls([baseline], elsewhere, { get: 5000 });
    expect(comparison && isBroken(comparison)).toBe(false);
    expect(changesText(comparison)).toContain("rustc 1.96.0, and not 1.95.0");
  });

  it("take the baseline of the place most like this one", () => {
    const other = {
      ...baseline,
      place: { ...place, valgrind: "3.20.0" },
      measuredAt: "2026-02-03",
    };
    const comparison = compareCalls([other, baseline], place, { get: 1000 });
    expect(comparison).toMatchObject({ baseline: { measuredAt: "2026-01-02" }, differences: [] });
  });

  it("of a call that the baseline does not know are told and break nothing", () => {
    const comparison = compareCalls([baseline], place, { query: 7 });
    expect(comparison && isBroken(comparison)).toBe(false);
    expect(changesText(comparison)).toContain("query: 7, not in the baseline");
  });

  it("are named where they changed too much, with how to accept them", () => {
    const text = changesText(compareCalls([baseline], place, { get: 1500 }));
    expect(text).toContain("get: 1000 -> 1500  +50.0%  more than 20%");
    expect(text).toContain("npm run bench:instructions -- --update-baseline");
  });

  it("have nothing to be held against where there is no baseline", () => {
    expect(compareCalls([], place, { get: 1 })).toBeUndefined();
    expect(changesText(undefined)).toContain("baseline: none");
  });
});
