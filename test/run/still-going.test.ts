import { describe, expect, it } from "vitest";
import { type StepUnderWay, stillGoingText } from "./still-going.ts";

function step(name: string, startedMs: number, lines: readonly string[] = []): StepUnderWay {
  return { name, startedMs, lines };
}

describe("the line of the steps that are still going", () => {
  it("names each with how long it has been going, the longest first", () => {
    const steps = [step("unit tests", 140_000), step("functions (Rust)", 0)];
    const text = ".. still going: functions (Rust) 3 min 0 s, unit tests 40 s";
    expect(stillGoingText(steps, 180_000)).toBe(text);
  });

  it("gives the last line of the longest alone, without its colours and blank lines after it", () => {
    const steps = [
      step("build", 0, ["first", "\u001b[32mcompiling ring\u001b[39m", "", "\u001b[0m"]),
      step("lint", 1000, ["fine"]),
    ];
    const text = ".. still going: build 1 min 0 s (compiling ring), lint 59 s";
    expect(stillGoingText(steps, 60_000)).toBe(text);
  });

  it("shortens a line that is long", () => {
    const text = stillGoingText([step("build", 0, ["x".repeat(81)])], 60_000);
    expect(text).toBe(`.. still going: build 1 min 0 s (${"x".repeat(80)}...)`);
  });
});
