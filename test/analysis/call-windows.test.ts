import { describe, expect, it } from "vitest";
import { areApart, wholeWindow, windowText } from "../../lib/analysis/call-windows.ts";

const window = (from: number, to: number) => ({
  from: new Date(from * 60_000).toISOString(),
  to: new Date(to * 60_000).toISOString(),
});

describe("the period of an import's calls", () => {
  it.each([
    ["two thirds of the shorter one", window(0, 60), window(20, 80), false],
    ["half of it", window(0, 60), window(30, 90), false],
    ["less than half of it", window(0, 60), window(31, 91), true],
    ["the whole of a shorter one", window(0, 600), window(100, 101), false],
    ["nothing", window(0, 60), window(1440, 1500), true],
    ["a single moment within it", window(0, 60), window(30, 30), false],
    ["a single moment after it", window(0, 60), window(61, 61), true],
  ])("is apart from another by whether they share half of the shorter one: %s", (_, ...rest) => {
    const [one, other, isApart] = rest;
    expect(areApart(one, other)).toBe(isApart);
    expect(areApart(other, one)).toBe(isApart);
  });

  it("spans the windows of all cells, whichever comes first, and is absent without times", () => {
    const windows = [window(20, 30), window(5, 90), window(10, 40)].map((each, index) => ({
      ...{ cellId: `cell-${index}`, ...each },
    }));
    expect(wholeWindow({ windows })).toEqual(window(5, 90));
    expect(wholeWindow({ windows: windows.toReversed() })).toEqual(window(5, 90));
    expect(wholeWindow({ windows: [] })).toBeUndefined();
    expect(wholeWindow({})).toBeUndefined();
  });

  it.each([
    [window(0, 1500), "1970-01-01 00:00 to 1970-01-02 01:00 UTC"],
    [window(0, 61), "1970-01-01 00:00 to 01:01 UTC"],
    [window(61, 61), "1970-01-01 01:01 UTC"],
    [window(0, 1440), "1970-01-01 00:00 to 1970-01-02 00:00 UTC"],
  ])("is printed with the second day if it differs", (one, text) => {
    expect(windowText(one)).toBe(text);
  });
});
