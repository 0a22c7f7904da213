import { expect, it } from "vitest";
import { describeShare, isBelowBar, killedShare } from "./killed-share.ts";

/** Returns a report with so many mutants of each status, in two files. */
function report(counts: Readonly<Record<string, number>>) {
  const mutants = Object.entries(counts).flatMap(([status, count]) =>
    Array.from({ length: count }, () => ({ status })),
  );
  return {
    files: { "a.ts": { mutants: mutants.slice(0, 3) }, "b.ts": { mutants: mutants.slice(3) } },
  };
}

it("counts a mutant that no test ran as missed, and one that never ends as seen", () => {
  const { drawn, killed } = killedShare(
    report({ Killed: 5, Timeout: 1, Survived: 2, NoCoverage: 3 }),
  );
  expect({ drawn, killed }).toEqual({ drawn: 11, killed: 6 });
});

it("leaves out of the share what was not drawn, and tells how many mutants there were", () => {
  const few = { Killed: 9, Survived: 1 };
  const { all, ...share } = killedShare(report({ ...few, CompileError: 90 }));
  expect(all).toBe(100);
  const { all: _, ...alone } = killedShare(report(few));
  expect(share).toEqual(alone);
});

it("has an interval within 0 and 100% that narrows with more mutants", () => {
  const small = killedShare(report({ Killed: 20 }));
  const large = killedShare(report({ Killed: 200 }));
  expect(small.high).toBeCloseTo(1, 9);
  expect(small.low).toBeLessThan(large.low);
  // By hand: n / (n + z * z) for n of n.
  expect(small.low).toBeCloseTo(20 / (20 + 1.96 ** 2), 9);
});

it("says so where nothing was drawn", () => {
  expect(describeShare(killedShare(report({ CompileError: 4 })))).toBe("none of 4 mutants drawn");
  expect(describeShare(killedShare(report({ Killed: 9, Survived: 1 })))).toBe(
    "9 of 10 mutants killed, drawn from 10: 90.0% (95% CI: 59.6% to 98.2%)",
  );
});

it("shows a room to be below the bar of 90% where chance hardly makes so few, and shows nothing without mutants", () => {
  const isBelow = (killed: number, drawn: number) => isBelowBar({ killed, drawn });
  // By hand, of 3: none in 1 of 1,000, one or none in 28 of 1,000.
  expect([0, 1].map((killed) => isBelow(killed, 3))).toEqual([true, false]);
  // By tables of the binomial distribution: of 18, at most 11 in 12 of 10,000, and at most 12 in 64 of 10,000.
  expect([11, 12].map((killed) => isBelow(killed, 18))).toEqual([true, false]);
  // 9.5 is the standard deviation: far below, a little below and above.
  expect([800, 880, 950].map((killed) => isBelow(killed, 1000))).toEqual([true, false, false]);
  expect(isBelow(0, 0)).toBe(true);
});
