import { expect, test } from "vitest";
import { mean } from "../../lib/statistics/order-statistics.ts";

test("the mean of the published TLS runs is the published mean", () => {
  expect(mean([679, 820, 662, 819])).toBe(745);
});

test("of nothing there is no mean, and not 0", () => {
  expect(mean([])).toBeUndefined();
});
