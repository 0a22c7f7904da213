import { describe, expect, it } from "vitest";
import { type CommandRun, compareTimes, timesText } from "../../bench/command-times.ts";

const machine = { cpuModel: "Some CPU", cpus: 2, os: "Linux 6", rustc: "1.95.0" };

function run(before: number, after: number): CommandRun {
  return {
    name: "bench",
    command: "npm ci && npm run bench",
    before: { cpuSeconds: before, wallSeconds: before / 2, isComplete: true },
    after: { cpuSeconds: after, wallSeconds: after / 2, isComplete: true },
  };
}

const compared = (...runs: readonly CommandRun[]) =>
  compareTimes({ machine, before: "aaaa", after: "bbbb", runs });

describe("the CPU seconds of two commits", () => {
  it("are slower from 5 % on, in any of the commands", () => {
    expect(compared(run(100, 104)).isSlower).toBe(false);
    expect(compared(run(100, 106)).isSlower).toBe(true);
    expect(compared(run(100, 60), run(100, 106)).isSlower).toBe(true);
  });

  it("are told with the ratio first, machine and n beside it", () => {
    expect(timesText(compared(run(2000, 1200)))).toBe(
      [
        "Some CPU, 2 CPUs, Linux 6, rustc 1.95.0, n = 1 each",
        "npm ci && npm run bench: 0.60 times the CPU time",
        "  aaaa: 2000 s of CPU in 1000 s",
        "  bbbb: 1200 s of CPU in 600 s\n",
      ].join("\n"),
    );
  });

  it("say of a command that failed that it did", () => {
    const failed = {
      ...run(100, 50),
      after: { cpuSeconds: 50, wallSeconds: 25, isComplete: false },
    };
    expect(timesText(compared(failed))).toContain("50 s of CPU in 25 s; it failed");
  });
});
