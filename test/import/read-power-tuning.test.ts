import { describe, expect, it } from "vitest";
import { readSource } from "../../lib/import/read-source.ts";
import { golden, readGolden } from "./sources.ts";

const averages = [
  { memoryMb: 128, durationMs: 41.5, costUsd: 8.75e-8 },
  { memoryMb: 512, durationMs: 10.25, costUsd: 9e-8 },
  { memoryMb: 1024, durationMs: 5.5, costUsd: 9.5e-8 },
];
const read = (value: unknown) => readSource({ name: "p.json", text: JSON.stringify(value) });

describe("Power Tuning's output", () => {
  it.each(["power-tuning-stats.json", "power-tuning-visualization.json"])(
    "gives one average a size, and no sample: %s",
    (name) => {
      const { format, averages: found, invocations } = readGolden(name);
      expect({ format, found, invocations }).toEqual({
        format: "power-tuning",
        found: averages,
        invocations: [],
      });
    },
  );

  it("gives the best size alone where it holds no more", () => {
    expect(read({ power: "512", cost: 9e-8, duration: 10.25 }).averages).toEqual([averages[1]]);
  });

  it("is found in what describe-execution prints", () => {
    const output = golden("power-tuning-stats.json").text;
    expect(read({ executionArn: "arn", status: "SUCCEEDED", output }).averages).toEqual(averages);
  });

  it("is refused by the field that is no amount", () => {
    const stats = [{ value: 128, averageDuration: "fast" }];
    expect(() => read({ power: 128, stats })).toThrow(
      'p.json stats.0.averageDuration: found "fast"; allowed: a number from 0 to 1000000000',
    );
  });

  it.each(["#gAA;AAAA;AAAA", "#gAAAAg==;AAAAAA==;AAAAAA==", "#!;!;!", "#gAA=;AADAfw==;AAAAAA=="])(
    "is refused with an address that holds no three lists: %s",
    (hash) => {
      const stateMachine = { visualization: `https://lambda-power-tuning.show/${hash}` };
      expect(() => read({ power: 128, cost: 1, duration: 1, stateMachine })).toThrow(
        "p.json stateMachine.visualization: found",
      );
    },
  );
});
