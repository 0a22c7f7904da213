import { expect, it } from "vitest";
import { asymptoticPValue, exactPValue } from "../../lib/statistics/shift.ts";

/** Two sides that are alike: how often the normal approximation calls them different at a level. */
function sizeAt(environments: number, level: number): number {
  const isCalled = (u: number) => asymptoticPValue(u, environments, environments, 0) < level;
  let u = Math.floor(environments ** 2 / 2);
  while (!isCalled(u)) u -= 1;
  return exactPValue(u, environments, environments);
}

it.each([31, 60, 80])(
  "tells what is alike apart no more often than its level says: %i environments",
  (environments) => {
    for (const level of [0.05, 0.05 / 84]) {
      const size = sizeAt(environments, level);
      expect(size).toBeLessThanOrEqual(level);
      expect(size).toBeGreaterThan(0.7 * level);
    }
  },
);
