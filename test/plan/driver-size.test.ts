import { integer, assert as lawful, property } from "fast-check";
import { describe, expect, it } from "vitest";
import {
  concurrencyCarried,
  driverArchitecture,
  executionsPerLane,
  headroom,
  newAccountConcurrency,
  usualLanes,
} from "../../lib/plan/driver-size.ts";

describe("the drivers", () => {
  it("have the architecture of a measured function, arm64 if there is one", () => {
    const [arm64, x86_64] = [{ architecture: "arm64" }, { architecture: "x86_64" }] as const;
    expect(driverArchitecture([x86_64])).toBe("x86_64");
    expect(driverArchitecture([x86_64, arm64])).toBe("arm64");
    expect(driverArchitecture([arm64])).toBe("arm64");
  });

  it("are as many at a time as the largest block has cells, at least one, and never more than 60", () => {
    expect(usualLanes([4, 19, 7])).toBe(19);
    expect(usualLanes([])).toBe(1);
    expect(usualLanes([59, 300])).toBe(60);
  });

  it("fit into the account's concurrent executions beside everything else, and one more would not", () => {
    expect(concurrencyCarried(newAccountConcurrency)).toBe(4);
    expect(concurrencyCarried(0)).toBe(1);
    lawful(
      property(integer({ min: headroom + executionsPerLane, max: 10_000 }), (concurrency) => {
        const lanes = concurrencyCarried(concurrency);
        expect(lanes * executionsPerLane + headroom).toBeLessThanOrEqual(concurrency);
        expect((lanes + 1) * executionsPerLane + headroom).toBeGreaterThan(concurrency);
      }),
    );
  });
});
