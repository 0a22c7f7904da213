import { describe, expect, it } from "vitest";
import { studentTQuantile } from "../../lib/statistics/student-t.ts";

describe("the points of Student's t", () => {
  it.each([
    // The table of the NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.2.
    [0.025, 1, 12.706],
    [0.025, 4, 2.776],
    [0.025, 5, 2.571],
    [0.005, 7, 3.499],
    [0.001, 10, 4.144],
    [0.001, 30, 3.385],
    [0.025, 100, 1.984],
  ])(
    "beyond which %d of the distribution of %d degrees lie, is that of the tables",
    (tail, degrees, point) => {
      expect(studentTQuantile(tail, degrees)).toBeCloseTo(point, 3);
    },
  );

  it("near the normal distribution's with many degrees, and grow as the tail shrinks", () => {
    expect(studentTQuantile(0.025, 999)).toBeCloseTo(1.9623, 4);
    const points = [1e-2, 1e-4, 1e-6].map((tail) => studentTQuantile(tail, 6));
    expect(points.toSorted((a, b) => a - b)).toEqual(points);
  });

  it("are refused for what is no tail or no number of degrees", () => {
    for (const tail of [0, 0.5, Number.NaN]) {
      expect(() => studentTQuantile(tail, 5)).toThrow("tail: found");
    }
    for (const degrees of [0, 1.5]) {
      expect(() => studentTQuantile(0.1, degrees)).toThrow("degrees: found");
    }
  });
});
