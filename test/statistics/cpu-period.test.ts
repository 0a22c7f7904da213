import { describe, expect, it } from "vitest";
import {
  isWithinCpuPeriod,
  shareOnPeriods,
  waitingShare,
} from "../../lib/statistics/cpu-period.ts";
import { judge } from "../../lib/statistics/verdict.ts";

const three = [60.1, 59.9, 60.2, 80.1, 79.9, 60, 59.8, 60.3, 60.1];
const four = three.map((ms) => ms + 20);
const six = three.map((ms) => ms + 60);
/** 5% more or less than 65 ms. */
const spread = [61.8, 68.2, 63.1, 66.6, 64.4, 67.3, 65.2, 62.5, 69.9];

describe("times that count the CPU quota's period", () => {
  it("are known by where they lie, and by more than one multiple", () => {
    expect(shareOnPeriods(three)).toBe(1);
    expect(shareOnPeriods([...three, 71])).toBe(0.9);
    expect(shareOnPeriods([...three, 71, 0.2, 0.3])).toBeUndefined();
    expect(shareOnPeriods(spread)).toBeUndefined();
    expect(shareOnPeriods([60, 60.1, 59.9, 60, 60.2, 60, 60])).toBeUndefined();
  });

  it.each([
    ["equal", three, three, true],
    ["of times that lie anywhere, against them", three, spread, true],
    ["of one period, which more work may have taken", three, four, false],
    ["of three periods", three, six, false],
    ["of times neither of which counts them", spread, spread, false],
  ])("differ by less than one or not: %s", (_, above, below, isWithin) => {
    expect(isWithinCpuPeriod(above, below)).toBe(isWithin);
    expect(isWithinCpuPeriod(below, above)).toBe(isWithin);
  });

  it("differ by nothing known where a side has no times", () => {
    expect(isWithinCpuPeriod(three, [])).toBe(false);
    expect(isWithinCpuPeriod([], three)).toBe(false);
  });

  it("have no verdict within one, and keep that of another reason", () => {
    const ratio = { kind: "ratio", ratio: 1.15, low: 1.1, high: 1.2, confidence: 0.95 } as const;
    const whole = { ...ratio, draws: 1, numeratorN: 9, denominatorN: 9, pairedBlocks: 9 };
    expect(judge(whole, { isWithinCpuPeriod: true })).toMatchObject({
      kind: "undecided",
      reason: "within-cpu-period",
    });
    expect(judge(whole).kind).toBe("slower");
    const open = { ...whole, low: 0.9 };
    expect(judge(open, { isWithinCpuPeriod: true })).toMatchObject({
      reason: "interval-crosses-margin",
    });
  });
});

describe("the share of calls that wait for the next period", () => {
  const share = 128 / 1769;
  const seriesOf = (values: readonly number[]) => ({ units: [{ block: 0, values }] });
  /** So many of ten calls longer by so many ms. */
  const longer = (tenths: number, ms: number) =>
    seriesOf(
      Array.from(
        { length: 100 },
        (_, call) => 3 + (call % 10) / 20 + (call % 10 < tenths ? ms : 0),
      ),
    );

  it.each([1, 4, 9])("is that of the calls that take a wait longer: %i of 10", (tenths) => {
    expect(waitingShare(longer(tenths, 18.6), share)).toBeCloseTo(tenths / 10, 9);
  });

  it("leaves out calls that take longer for another reason", () => {
    expect(waitingShare(longer(3, 8), share)).toBe(0);
    expect(waitingShare(longer(3, 100), share)).toBe(0);
  });

  it("is none of a whole CPU, and of no calls", () => {
    expect(waitingShare(longer(4, 18.6), 1)).toBeUndefined();
    expect(waitingShare(seriesOf([]), share)).toBeUndefined();
  });
});
