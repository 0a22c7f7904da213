import { describe, expect, it } from "vitest";
import { runToRunTable } from "../../bench/prediction/run-to-run.ts";
import type { PredictionStudies } from "../../lib/analysis/prediction.ts";

type Mean = {
  readonly mean: number;
  readonly low?: number;
  readonly high?: number;
  readonly ofRuns?: readonly number[];
};

const rowsOf = (phase: "cold" | "warm", durationMs: Mean) => {
  const series = [{ experiment: "dynamodb", phase, means: { durationMs } }];
  return runToRunTable({ studies: [{ series }] } as unknown as PredictionStudies).slice(2);
};

describe("runToRunTable", () => {
  it("gives the runs' geometric standard deviation, and the one that their intervals imply", () => {
    // Logarithms of 0 and of plus and minus ln 2: a standard deviation of ln 2. The mean of 3 runs has an interval of
    // plus and minus 1.96 times ln 1.5 over the root of 3, so that each run's factor is 1.5.
    const half = (1.96 * Math.log(1.5)) / Math.sqrt(3);
    const mean = { mean: 1, low: 1 - half, high: 1 + half, ofRuns: [0.5, 1, 2] };
    expect(rowsOf("warm", mean)).toEqual(["| dynamodb | – | – | 2 (1.5), 1 means |"]);
    expect(rowsOf("cold", mean)).toEqual(["| dynamodb | – | 2 (1.5), 1 means | – |"]);
  });

  it("implies nothing without intervals, and lists no experiment that ran once", () => {
    expect(rowsOf("warm", { mean: 1, ofRuns: [0.5, 1, 2] })).toEqual([
      "| dynamodb | – | – | 2 (–), 1 means |",
    ]);
    expect(rowsOf("warm", { mean: 1, low: 0.9, high: 1.1 })).toEqual([]);
  });
});
