import { expect, it } from "vitest";
import { type Prediction, score } from "../../lib/analysis/prediction.ts";

const prediction = (observed: number, predicted: number): Prediction => ({
  ...{ kind: "variants", what: `${observed} as ${predicted}` },
  ...{ observed, predicted },
});

it("predictions are scored by the geometric mean, the largest factor and the side of 1", () => {
  const scored = score([
    ...[prediction(2, 4), prediction(2, 16), prediction(2, 0.5)],
    ...[prediction(0.5, 0.25), prediction(0.5, 2)],
  ]);
  expect(scored.meanFactor).toBeCloseTo((2 * 8 * 4 * 2 * 4) ** (1 / 5), 12);
  expect(scored).toMatchObject({ n: 5, rightSide: 3, worst: { predicted: 16 } });
  expect(() => score([])).toThrow(RangeError);
});
