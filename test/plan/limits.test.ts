import { describe, expect, it } from "vitest";
import { InvalidInput } from "../../lib/contract/errors.ts";
import { formatLimit, parseLimit } from "../../lib/plan/limits.ts";

describe("a limit as it is typed", () => {
  it.each([
    ["cold.p95 < 800 ms", { quantity: "cold", statistic: "p95", below: 800 }],
    ["warm.mean<1.25s", { quantity: "warm", statistic: "mean", below: 1250 }],
    [" Second.Median < 20 ms ", { quantity: "second", statistic: "median", below: 20 }],
    ["memory < 128 MB", { quantity: "memory", below: 128 }],
    ["memory<128MB", { quantity: "memory", below: 128 }],
    ["COLD.P99 <  2 S", { quantity: "cold", statistic: "p99", below: 2000 }],
    ["package < 10.25 MB", { quantity: "package", below: 10.25 }],
  ])("is read: %s", (text, limit) => {
    expect(parseLimit(text)).toEqual(limit);
    expect(parseLimit(formatLimit(parseLimit(text)))).toEqual(limit);
  });

  it.each([
    ...["", "cold < 800 ms", "cold.p95 > 800 ms", "cold.p95 < 800", "cold.p95 < 0 ms"],
    ...["memory.mean < 1 MB", "package < 10 GB", "cold.p50 < 1 ms", "cold.p95 < -1 ms", "x"],
    ...["memory < 128 MBit", "my memory < 128 MB", "cold.p95 < 8 msec", "a cold.p95 < 8 ms"],
    ...["memory < 0 MB", "memory < 1.2.3 MB", "package < MB", "cold.p95 < . ms"],
  ])("is refused with what is allowed: %s", (text) => {
    expect(() => parseLimit(text)).toThrow(InvalidInput);
    expect(() => parseLimit(text)).toThrow(/cold\.p95 < 800 ms/);
  });
});
