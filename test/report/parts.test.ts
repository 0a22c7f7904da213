import { describe, expect, test } from "vitest";
import { NumberColumn } from "../../lib/analysis/collected-series.ts";
import { plannedByCell } from "../../lib/analysis/sound-trials.ts";
import { plannedSamples } from "../../lib/plan/expand.ts";
import { logAxis, tickText } from "../../lib/report/chart/axes.ts";
import { count, number } from "../../lib/report/document/format.ts";
import { fixturePlan } from "./support/fixture.ts";

describe("numbers are printed with three significant digits", () => {
  test.each([
    [0.33, "0.330"],
    [1.234, "1.23"],
    [9.996, "10.0"],
    [12.34, "12.3"],
    [99.96, "100"],
    [912.4, "912"],
    [1024.6, "1025"],
    [undefined, "–"],
    [Number.NaN, "–"],
  ])("%s as %s", (value, text) => {
    expect(number(value)).toBe(text);
  });

  test("counts have groups of three", () => {
    expect(count(1_234_567)).toBe("1,234,567");
    expect(count(12)).toBe("12");
  });
});

test("a number column holds what was pushed beyond its first size, and absence as absence", () => {
  const column = new NumberColumn();
  for (let value = 0; value < 100; value += 1) column.push(value % 10 === 0 ? undefined : value);
  expect(column.length).toBe(100);
  expect(column.at(0)).toBeUndefined();
  expect(column.at(99)).toBe(99);
  expect(column.at(100)).toBeUndefined();
  expect(column.present()).toHaveLength(90);
});

describe("a logarithmic axis", () => {
  test.each([[[2, 90]], [[0.92, 1.1]], [[5]], [[0.001, 5000]], [[]]])(
    "over %j has ticks inside its ends and values between them",
    (values) => {
      const { min, max, ticks } = logAxis(values);
      expect(ticks.length).toBeGreaterThan(1);
      for (const tick of ticks) expect(tick >= min && tick <= max).toBe(true);
      for (const value of values) expect(value > min && value < max).toBe(true);
    },
  );

  test("a tick has no digits but its own", () => {
    expect([0.3, 1.5, 1000].map(tickText)).toEqual(["0.3", "1.5", "1000"]);
  });
});

test("planned samples are the plan's, cell by cell", () => {
  const plan = fixturePlan({ preset: "standard" });
  const total = [...plannedByCell(plan).values()].reduce((sum, n) => sum + n, 0);
  expect(total).toBe(plannedSamples(plan));
});
