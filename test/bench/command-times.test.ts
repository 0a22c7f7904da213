import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  type CommandComparison,
  comparisonText,
  isComplete,
  isSlower,
  replaceComparison,
  takeCpuSeconds,
  withCpuTimes,
} from "../../bench/command-times.ts";
import { runCommand } from "../../lib/toolchain/run-command.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const machine = { cpuModel: "Some CPU", cpus: 2, os: "Linux 6", rustc: "1.95.0" };

function comparison(before: number, after: number, name = "bench"): CommandComparison {
  const time = (commit: string, cpuSeconds: number) => {
    return { commit, cpuSeconds, wallSeconds: cpuSeconds / 2, isComplete: true };
  };
  const command = `npm ci && npm run ${name}`;
  return { name, command, machine, before: time("aaaa", before), after: time("bbbb", after) };
}

describe("the CPU seconds of two commits", () => {
  it("are slower from 5% on", () => {
    expect(isSlower(comparison(100, 104))).toBe(false);
    expect(isSlower(comparison(100, 106))).toBe(true);
  });

  it("are told with the ratio first, machine and n beside it", () => {
    expect(comparisonText(comparison(2000, 1200))).toBe(
      [
        "Some CPU, 2 CPUs, Linux 6, rustc 1.95.0, n = 1 each",
        "npm ci && npm run bench: 0.60 times the CPU time",
        "  aaaa: 2000 s of CPU in 1000 s",
        "  bbbb: 1200 s of CPU in 600 s\n",
      ].join("\n"),
    );
  });

  it("say of a command that failed that it did", () => {
    const whole = comparison(100, 50);
    const failed = { ...whole, after: { ...whole.after, isComplete: false } };
    expect(comparisonText(failed)).toContain("50 s of CPU in 25 s; it failed");
    expect([isComplete(whole), isComplete(failed)]).toEqual([true, false]);
  });

  it("of one command leave those of another as they were stored", () => {
    const bench = comparison(100, 90);
    const test = comparison(300, 200, "test");
    expect(replaceComparison([bench], test)).toEqual([bench, test]);
    const again = comparison(100, 80);
    expect(replaceComparison([bench, test], again)).toEqual([test, again]);
  });
});

const folder = temporaryFolder();
const path = join(folder, "times");

it("counts the CPU time of a command and of what it started, once", async () => {
  const busy = "const end = Date.now() + 300; while (Date.now() < end);";
  const nested = ["-c", '"$@"; exit $?', "sh", process.execPath, "-e", busy];
  const { command, args } = withCpuTimes("sh", nested, path);
  await runCommand(command, args, { env: process.env });
  const seconds = takeCpuSeconds(path);
  expect(seconds).toBeGreaterThan(0.02);
  expect(seconds).toBeLessThan(60);
  expect(takeCpuSeconds(path)).toBeUndefined();
});

it("ends as the command ends, and waiting takes no CPU time", async () => {
  const failing = withCpuTimes("sh", ["-c", "sleep 0.5; exit 3"], path);
  await expect(runCommand(failing.command, failing.args, { env: process.env })).rejects.toThrow(
    /exit status 3/,
  );
  expect(takeCpuSeconds(path)).toBeLessThan(0.4);
});
