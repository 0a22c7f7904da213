import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { logAxis, logAxisOption, tickText } from "../../lib/report/chart/axes.ts";
import {
  describeLines,
  measureAxis,
  memoryLinesOption,
} from "../../lib/report/chart/memory-chart.ts";
import { chartPanel, variantStyle } from "../../lib/report/chart/svg-chart.ts";

/** The largest and the smallest that there are among them. */
const anyNumbers = fc.array(fc.double(), { maxLength: 8 });
const extremes = [
  [5e-324],
  [-5e-324, 0],
  [Number.MAX_VALUE],
  [1e299, 1e-299],
  [5e-324, Number.MAX_VALUE],
  [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  [],
];
const examples = extremes.map((values): [number[]] => [values]);

describe("an axis of a chart, whatever it is given,", () => {
  test("has finite ends and a bounded number of ticks between them", () => {
    fc.assert(
      fc.property(anyNumbers, (values) => {
        const { min, max, ticks } = logAxis(values);
        expect(min).toBeGreaterThan(0);
        expect(max).toBeGreaterThan(min);
        expect(max).toBeLessThan(Number.POSITIVE_INFINITY);
        expect(ticks.length).toBeLessThanOrEqual(30);
        for (const tick of ticks) expect(tick >= min && tick <= max).toBe(true);
        expect(new Set(ticks.map(tickText)).size).toBe(ticks.length);
      }),
      { examples },
    );
  });

  test("has ticks around a value of any size that is plotted", () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-12, max: 1e15, noNaN: true }), (value) => {
        const { min, max, ticks } = logAxis([value]);
        expect(min < value && value < max).toBe(true);
        expect(ticks.length).toBeGreaterThanOrEqual(2);
      }),
    );
  });

  test.each(extremes)("is drawn: %s %s %s", (...values) => {
    const points = values.map((median) => ({ memoryMb: 128, measure: { n: 1, median } }));
    const lines = [{ label: "a", style: variantStyle(0), points }];
    const option = memoryLinesOption(
      lines as never,
      measureAxis(points.map(({ measure }) => measure) as never),
    );
    const { svg } = chartPanel({
      title: "a",
      description: describeLines(lines as never),
      width: 400,
      height: 300,
      option,
    });
    expect(svg.length).toBeLessThan(50_000);
    expect(logAxisOption("ms", logAxis(values)).axisTick.customValues.length).toBeLessThan(31);
  });
});
