import { describe, expect, it } from "vitest";
import { leastSquares } from "../../lib/prediction/least-squares.ts";

describe("least squares", () => {
  it("finds the parameters that leave no residual", () => {
    const points = [1, 2, 5, 9].map((x) => ({ x, y: 3 + 0.5 * x }));
    const [base = 0, slope = 0] = leastSquares([1, 1], ([a = 0, b = 0]) =>
      points.map(({ x, y }) => a + b * x - y),
    );
    expect(base).toBeCloseTo(3, 5);
    expect(slope).toBeCloseTo(0.5, 6);
  });

  it("finds the mean of values that no parameter meets", () => {
    const [mean] = leastSquares([1], ([a = 0]) => [2, 4, 9].map((value) => a - value));
    expect(mean).toBeCloseTo(5, 6);
  });

  it("keeps a parameter positive that the residuals push below 0", () => {
    const [pushed = 0] = leastSquares([1], ([a = 0]) => [a + 2]);
    expect(pushed).toBeGreaterThan(0);
    expect(pushed).toBeLessThan(0.01);
  });

  it("returns nothing of no parameter", () => {
    expect(leastSquares([], () => [1])).toEqual([]);
  });
});
